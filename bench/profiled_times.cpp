// SPDX-License-Identifier: Apache-2.0
// What an implementation says that commands took on the device (CL_PROFILING_COMMAND_START to _END): kernels that do nothing, and transfers
// by kind and size; and what profiling costs the rate of small kernels.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/measure.h"
#include "support/client.h"

namespace {

constexpr const char* kSource = "kernel void nothing() {}";

class ProfiledTimes {
 public:
  explicit ProfiledTimes(const bench::Options& options)
      : session_(options.device),
        report_("profiled_times", options, session_.platform_name(), session_.device_name()),
        program_(session_.build(kSource)),
        kernel_(session_.kernel(program_, "nothing")) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int error = CL_SUCCESS;
    timed_ = client::Queue(
        clCreateCommandQueueWithProperties(session_.context(), session_.device(), properties, &error));
    client::check(error, "clCreateCommandQueueWithProperties");
  }

  void run() {
    report("empty_kernel", [&](cl_event* event) { return launch(timed_.get(), event); });
    for (const size_t bytes : {size_t(1) << 10, size_t(64) << 10, size_t(1) << 20, size_t(16) << 20})
      transfers(bytes);
    rate("empty_kernels_profiled", timed_.get(), true);
    rate("empty_kernels_profiled_without_events", timed_.get(), false);
    rate("empty_kernels_unprofiled", session_.queue(), false);
  }

 private:
  cl_int launch(cl_command_queue queue, cl_event* event) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel_.get(), 1, nullptr, &one, nullptr, 0, nullptr, event);
  }
  void transfers(size_t bytes) {
    const std::string size =
        bytes >> 20 ? std::to_string(bytes >> 20) + "_MiB" : std::to_string(bytes >> 10) + "_KiB";
    const client::Buffer buffer = session_.buffer(bytes),
                         pinned = session_.buffer(bytes, CL_MEM_ALLOC_HOST_PTR);
    std::vector<char> pageable(bytes, 1);
    cl_int error = CL_SUCCESS;
    void* locked = clEnqueueMapBuffer(timed_.get(), pinned.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      bytes, 0, nullptr, nullptr, &error);
    client::check(error, "clEnqueueMapBuffer");
    for (const cl_bool blocking : {CL_FALSE, CL_TRUE})
      for (const auto& [kind, host] :
           {std::pair<const char*, void*>("pinned_", locked), {"pageable_", pageable.data()}}) {
        const std::string name = kind + size + (blocking ? "_blocking" : "");
        report("write_" + name, [&, host = host](cl_event* event) {
          return clEnqueueWriteBuffer(timed_.get(), buffer.get(), blocking, 0, bytes, host, 0, nullptr,
                                      event);
        });
        report("read_" + name, [&, host = host](cl_event* event) {
          return clEnqueueReadBuffer(timed_.get(), buffer.get(), blocking, 0, bytes, host, 0, nullptr, event);
        });
      }
    clEnqueueUnmapMemObject(timed_.get(), pinned.get(), locked, 0, nullptr, nullptr);
    clFinish(timed_.get());
  }
  template <class Enqueue>
  void report(const std::string& name, const Enqueue& enqueue) {
    if (!report_.wants(name)) return;
    std::vector<double> seconds;
    for (int i = 0; i < 60; ++i) {
      cl_event event = nullptr;
      client::check(enqueue(&event), name.c_str());
      client::check(clFinish(timed_.get()), "clFinish");
      cl_ulong began = 0, ended = 0;
      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began, &began, nullptr);
      clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr);
      clReleaseEvent(event);
      if (i >= 10) seconds.push_back(double(ended - began) * 1e-9);
    }
    report_.add(name, bench::summarize(std::move(seconds)));
  }
  void rate(const std::string& name, cl_command_queue queue, bool events) {
    report_.run(name, [&](size_t count) {
      while (count--) {
        cl_event event = nullptr;
        client::check(launch(queue, events ? &event : nullptr), "clEnqueueNDRangeKernel");
        if (event) clReleaseEvent(event);
      }
      client::check(clFinish(queue), "clFinish");
    });
  }

  client::Session session_;
  bench::Report report_;
  client::Program program_;
  client::Kernel kernel_;
  client::Queue timed_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<ProfiledTimes>("profiled_times", count, words); }
