// SPDX-License-Identifier: Apache-2.0
#include "harness/opencl_device.h"

#include <fstream>
#include <iterator>
#include <stdexcept>
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

Memory OpenClDevice::image(const ImageShape& shape, ImageUse use, const void* contents) {
  const cl_image_format color = {CL_RGBA, CL_UNORM_INT8}, value = {CL_R, CL_FLOAT};
  cl_image_desc desc{};
  desc.image_type = shape.is_volume() ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = shape.width;
  desc.image_height = shape.height;
  desc.image_depth = shape.is_volume() ? shape.depth : 0;
  const cl_mem_flags flags = (use == ImageUse::written ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY) |
                             (contents ? CL_MEM_COPY_HOST_PTR : 0);
  cl_int error = CL_SUCCESS;
  cl_mem made = clCreateImage(session_.context(), flags, shape.is_volume() ? &value : &color, &desc,
                              const_cast<void*>(contents), &error);
  client::check(error, "clCreateImage");
  return {std::shared_ptr<void>(made, [](void* handle) { clReleaseMemObject(static_cast<cl_mem>(handle)); }),
          shape.bytes()};
}

void OpenClDevice::read_image(const Memory& image, const ImageShape& shape, void* to) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {shape.width, shape.height, shape.depth};
  client::check(clEnqueueReadImage(session_.queue(), handle_of(image), CL_TRUE, origin, region, 0, 0, to, 0,
                                   nullptr, nullptr),
                "clEnqueueReadImage");
}

client::Program OpenClDevice::build(const std::string& family) const {
  if (!options_.modules.empty()) {
    const std::string path = options_.modules + '/' + family + ".spv";
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("no module " + path);
    const std::string words{std::istreambuf_iterator<char>(file), {}};
    return session_.build_il(words, options_.build_options);
  }
  // Collective functions need OpenCL C 2.0; the other families work with any implementation.
  const std::string standard = family == "groups" ? "-cl-std=CL3.0 " : "";
  return session_.build(std::string(kernel_source("language")) + std::string(kernel_source(family)),
                        standard + options_.build_options);
}

std::unique_ptr<Kernel> OpenClDevice::kernel(const char* family, const char* name) {
  const auto [place, is_new] = programs_.try_emplace(family);
  if (is_new) place->second = build(family);
  if (!place->second) throw std::runtime_error(std::string(family) + " did not build");
  return std::make_unique<OpenClKernel>(session_.queue(), session_.kernel(place->second, name));
}

}  // namespace bench
