// SPDX-License-Identifier: Apache-2.0
// A three-dimensional stencil on one device, and divided between two devices of one context, which exchange their border planes with
// clEnqueueCopyBuffer after each step.
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/stencil_parts.h"
#include "support/client.h"

namespace {

using bench::Grid;

constexpr const char* kSource = R"(
kernel void relax(global const float* from, global float* to, uint width, uint height) {
  const uint x = get_global_id(0), y = get_global_id(1), plane = width * height;
  const uint at = (get_global_id(2) + 1) * plane + y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
  to[at] = 0.4f * from[at] + 0.1f * (from[at - plane] + from[at + plane] + from[at - 1] + from[at + 1] +
                                     from[at - width] + from[at + width]);
}
)";

std::vector<cl_device_id> devices_beside(cl_device_id first) {
  cl_platform_id platform = nullptr;
  client::check(clGetDeviceInfo(first, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr),
                "clGetDeviceInfo");
  cl_uint count = 0;
  client::check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
  std::vector<cl_device_id> devices(count);
  client::check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr),
                "clGetDeviceIDs");
  return devices;
}

// The planes of one device, with a neighbour's plane on either side; `from` and `to` are swapped after each step.
struct Part {
  client::Queue queue;
  client::Kernel kernel;
  client::Buffer from, to;
  size_t planes = 0;
};

class Stencil {
 public:
  Stencil(const std::vector<cl_device_id>& devices, const Grid& grid) : grid_(grid) {
    cl_int error = CL_SUCCESS;
    context_.reset(clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(), nullptr,
                                   nullptr, &error));
    client::check(error, "clCreateContext");
    program_.reset(
        clCreateProgramWithSource(context_.get(), 1, const_cast<const char**>(&kSource), nullptr, &error));
    client::check(error, "clCreateProgramWithSource");
    client::check(clBuildProgram(program_.get(), 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    const size_t planes = grid.depth / devices.size();
    const std::vector<float> values = grid.initial();
    for (size_t i = 0; i < devices.size(); ++i)
      add_part(devices[i], planes, values.data() + i * planes * grid.plane());
  }

  void run(size_t steps) {
    while (steps--) step();
    finish();
  }

  std::vector<float> interior() {
    std::vector<float> values;
    for (Part& part : parts_) {
      const size_t old = values.size(), count = part.planes * grid_.plane();
      values.resize(old + count);
      client::check(clEnqueueReadBuffer(part.queue.get(), part.from.get(), CL_TRUE, bytes(),
                                        count * sizeof(float), values.data() + old, 0, nullptr, nullptr),
                    "clEnqueueReadBuffer");
    }
    return values;
  }

 private:
  size_t bytes() const { return grid_.plane() * sizeof(float); }

  // `values` begin with the plane below the part.
  void add_part(cl_device_id device, size_t planes, const float* values) {
    cl_int error = CL_SUCCESS;
    Part& part = parts_.emplace_back();
    part.planes = planes;
    part.queue.reset(clCreateCommandQueueWithProperties(context_.get(), device, nullptr, &error));
    client::check(error, "clCreateCommandQueueWithProperties");
    part.kernel.reset(clCreateKernel(program_.get(), "relax", &error));
    client::check(error, "clCreateKernel");
    for (client::Buffer* buffer : {&part.from, &part.to}) {
      buffer->reset(
          clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, (planes + 2) * bytes(), nullptr, &error));
      client::check(error, "clCreateBuffer");
      client::check(clEnqueueWriteBuffer(part.queue.get(), buffer->get(), CL_TRUE, 0, (planes + 2) * bytes(),
                                         values, 0, nullptr, nullptr),
                    "clEnqueueWriteBuffer");
    }
  }

  void step() {
    std::vector<client::Event> stepped;
    for (Part& part : parts_) {
      client::set_arguments(part.kernel, part.from, part.to, static_cast<cl_uint>(grid_.width),
                            static_cast<cl_uint>(grid_.height));
      const size_t items[] = {grid_.width, grid_.height, part.planes}, group[] = {32, 8, 1};
      cl_event event = nullptr;
      client::check(clEnqueueNDRangeKernel(part.queue.get(), part.kernel.get(), 3, nullptr, items, group, 0,
                                           nullptr, &event),
                    "clEnqueueNDRangeKernel");
      stepped.emplace_back(event);
      std::swap(part.from, part.to);
    }
    for (size_t i = 0; i + 1 < parts_.size(); ++i) {
      Part &below = parts_[i], &above = parts_[i + 1];
      exchange(below, below.planes, above, 0, stepped[i].get());
      exchange(above, 1, below, below.planes + 1, stepped[i + 1].get());
    }
    for (Part& part : parts_) client::check(clFlush(part.queue.get()), "clFlush");
  }

  // Copies one plane, in the queue of the device that needs it.
  void exchange(const Part& source, size_t from, const Part& target, size_t to, cl_event after) {
    client::check(clEnqueueCopyBuffer(target.queue.get(), source.from.get(), target.from.get(),
                                      from * bytes(), to * bytes(), bytes(), 1, &after, nullptr),
                  "clEnqueueCopyBuffer");
  }

  void finish() {
    for (const Part& part : parts_) client::check(clFinish(part.queue.get()), "clFinish");
  }

  Grid grid_;
  client::Context context_;
  client::Program program_;
  std::vector<Part> parts_;
};

}  // namespace

int main(int count, char** words) {
  return bench::run_main(count, words, [](const bench::Options& options) {
    const client::Session session(options.device);
    benchmark::AddCustomContext("device", session.device_name());
    const std::vector<cl_device_id> devices = devices_beside(session.device());
    bench::add_stencils(devices.size(), session.is_gpu(), [&](size_t parts, const Grid& grid) {
      return Stencil({devices.begin(), devices.begin() + static_cast<long>(parts)}, grid);
    });
    bench::run_added();
  });
}
