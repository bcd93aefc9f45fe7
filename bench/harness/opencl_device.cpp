// SPDX-License-Identifier: Apache-2.0
#include "harness/opencl_device.h"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/kernel_sources.h"

namespace bench {
namespace {

cl_mem handle_of(const Memory& memory) { return static_cast<cl_mem>(memory.handle.get()); }

class OpenClKernel : public Kernel {
 public:
  OpenClKernel(cl_command_queue queue, client::Kernel kernel) : queue_(queue), kernel_(std::move(kernel)) {}

  void set(unsigned index, const void* value, size_t size) override {
    client::check(clSetKernelArg(kernel_.get(), index, size, value), "clSetKernelArg");
  }
  void launch(Extent groups, Extent group) override {
    const size_t global[] = {size_t(groups.x) * group.x, size_t(groups.y) * group.y},
                 local[] = {group.x, group.y};
    const cl_uint dimensions = group.y > 1 || groups.y > 1 ? 2 : 1;
    client::check(clEnqueueNDRangeKernel(queue_, kernel_.get(), dimensions, nullptr, global, local, 0,
                                         nullptr, nullptr),
                  "clEnqueueNDRangeKernel");
  }

 protected:
  void set_memory(unsigned index, const Memory& memory) override {
    cl_mem handle = handle_of(memory);
    set(index, &handle, sizeof handle);
  }

 private:
  cl_command_queue queue_;
  client::Kernel kernel_;
};

}  // namespace

Memory OpenClDevice::allocate(size_t bytes) {
  return {std::shared_ptr<void>(session_.buffer(bytes).release(),
                                [](void* handle) { clReleaseMemObject(static_cast<cl_mem>(handle)); }),
          bytes};
}

void OpenClDevice::write(const Memory& memory, const void* from) {
  client::check(clEnqueueWriteBuffer(session_.queue(), handle_of(memory), CL_TRUE, 0, memory.bytes, from, 0,
                                     nullptr, nullptr),
                "clEnqueueWriteBuffer");
}

void OpenClDevice::read(const Memory& memory, void* to) {
  client::check(clEnqueueReadBuffer(session_.queue(), handle_of(memory), CL_TRUE, 0, memory.bytes, to, 0,
                                    nullptr, nullptr),
                "clEnqueueReadBuffer");
}

std::unique_ptr<Kernel> OpenClDevice::kernel(const char* family, const char* name) {
  const auto [place, is_new] = programs_.try_emplace(family);
  if (is_new)
    place->second =
        session_.build(std::string(kernel_source("language")) + std::string(kernel_source(family)));
  if (!place->second) throw std::runtime_error(std::string(family) + " did not build");
  return std::make_unique<OpenClKernel>(session_.queue(), session_.kernel(place->second, name));
}

}  // namespace bench
