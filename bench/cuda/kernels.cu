// SPDX-License-Identifier: Apache-2.0
// The kernels and cases of ../kernels and ../cases, compiled by nvcc.
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "array.h"
#include "check.h"
#include "harness/cases.h"
// The kernels themselves; every family sees the same words.
#include "kernels/language.h"
//
#include "kernels/bytes.cl"
#include "kernels/collective.cl"
#include "kernels/elementwise.cl"
#include "kernels/fourier.cl"
#include "kernels/grid.cl"
#include "kernels/half.cl"
#include "kernels/images.cl"
#include "kernels/matrix.cl"
#include "kernels/particles.cl"

namespace {

using cuda_bench::check;

const std::pair<const char*, const void*> functions[] = {
#define FUNCTION(name) {#name, reinterpret_cast<const void*>(name)},
    FUNCTION(triad) FUNCTION(transcendental) FUNCTION(black_scholes) FUNCTION(mandelbrot)
        FUNCTION(monte_carlo) FUNCTION(transpose) FUNCTION(sgemm_tiled) FUNCTION(sgemm_blocked)
            FUNCTION(dgemm) FUNCTION(hgemm) FUNCTION(nbody) FUNCTION(reduction) FUNCTION(scan)
                FUNCTION(histogram) FUNCTION(radix_pass) FUNCTION(stencil_2d) FUNCTION(stencil_3d)
                    FUNCTION(convolution) FUNCTION(sparse_product) FUNCTION(fft) FUNCTION(sha256)
                        FUNCTION(string_search) FUNCTION(image_blur) FUNCTION(image_resize)
                            FUNCTION(volume_slice)
#undef FUNCTION
};

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
  std::string platform() const override { return "CUDA"; }
  std::string name() const override { return cuda_bench::device_name(); }
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
  // The handle is the number of the texture or surface object, which is what kernels take.
  bench::Memory image(const bench::ImageShape& shape, bench::ImageUse use, const void* contents) override {
    const auto array = std::make_shared<cuda_bench::Array>(shape, use == bench::ImageUse::written);
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
    for (const auto& [known, function] : functions) {
      if (std::strcmp(known, name) == 0) return std::make_unique<CudaKernel>(function);
    }
    throw std::runtime_error("no such kernel");
  }
  void finish() override { check(cudaDeviceSynchronize()); }

 private:
  static void* as_pointer(unsigned long long number) { return reinterpret_cast<void*>(number); }

  std::map<void*, std::weak_ptr<cuda_bench::Array>> arrays_;  // by their surfaces
};

}  // namespace

int main(int count, char** words) {
  try {
    CudaDevice device;
    return bench::run_cases(device, bench::parse_options(count, words)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda kernels: %s\n", error.what());
    return 1;
  }
}
