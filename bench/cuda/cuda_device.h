// SPDX-License-Identifier: Apache-2.0
// CUDA as a device for the cases. Kernels come from a table of functions compiled into the program.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "array.h"
#include "check.h"
#include "harness/cases.h"

namespace cuda_bench {

using KernelTable = std::span<const std::pair<const char*, const void*>>;

class CudaKernel : public bench::Kernel {
 public:
  explicit CudaKernel(const void* function) : function_(function) {}

  void set(unsigned index, const void* value, size_t size) override {
    if (index >= values_.size()) values_.resize(index + 1);
    std::memcpy(&values_[index], value, size);
  }
  void launch(bench::Extent groups, bench::Extent group) override {
    std::vector<void*> arguments;
    for (auto& value : values_) arguments.push_back(&value);
    check(cudaLaunchKernel(function_, dim3(groups.x, groups.y), dim3(group.x, group.y), arguments.data(), 0,
                           nullptr));
  }

 protected:
  void set_memory(unsigned index, const bench::Memory& memory) override {
    void* address = memory.handle.get();
    set(index, &address, sizeof address);
  }

 private:
  const void* function_;
  std::vector<std::array<double, 1>> values_;
};

class CudaDevice : public bench::Device {
 public:
  explicit CudaDevice(KernelTable kernels) : kernels_(kernels) {}
  std::string name() const override { return device_name(); }
  bool is_gpu() const override { return true; }
  bench::Memory allocate(size_t bytes) override {
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes));
    return {std::shared_ptr<void>(memory, cudaFree), bytes};
  }
  void write(const bench::Memory& memory, const void* from) override {
    check(cudaMemcpy(memory.handle.get(), from, memory.bytes, cudaMemcpyHostToDevice));
  }
  void read(const bench::Memory& memory, void* to) override {
    check(cudaMemcpy(to, memory.handle.get(), memory.bytes, cudaMemcpyDeviceToHost));
  }
  // The handle is the texture or surface object, which is a kernel's argument.
  bench::Memory image(const bench::ImageShape& shape, bench::ImageUse use, const void* contents) override {
    const auto array = std::make_shared<Array>(shape, use == bench::ImageUse::written);
    if (contents) array->write(contents);
    if (use == bench::ImageUse::written) {
      void* surface = as_pointer(array->surface());
      arrays_[surface] = array;
      return {std::shared_ptr<void>(surface, [array](void*) {}), shape.bytes()};
    }
    void* texture = as_pointer(array->texture(use == bench::ImageUse::smooth));
    return {std::shared_ptr<void>(texture, [array](void*) {}), shape.bytes()};
  }
  void read_image(const bench::Memory& image, const bench::ImageShape&, void* to) override {
    arrays_.at(image.handle.get()).lock()->read(to);
  }
  std::unique_ptr<bench::Kernel> kernel(const char*, const char* name) override {
    for (const auto& [known, function] : kernels_) {
      if (std::strcmp(known, name) == 0) return std::make_unique<CudaKernel>(function);
    }
    throw std::runtime_error("no such kernel");
  }
  void finish() override { check(cudaDeviceSynchronize()); }

 private:
  static void* as_pointer(unsigned long long number) { return reinterpret_cast<void*>(number); }

  KernelTable kernels_;
  std::map<void*, std::weak_ptr<Array>> arrays_;  // by their surfaces
};

}  // namespace cuda_bench
