// SPDX-License-Identifier: Apache-2.0
// Times of commands as the implementation reports them (CL_PROFILING_COMMAND_START to _END): empty kernels, and transfers by kind and size;
// and how profiling affects the rate of small kernels.
#include <functional>
#include <string>

#include "harness/benchmark.h"
#include "harness/host_memory.h"
#include "support/client.h"

namespace {

constexpr const char* kSource = "kernel void nothing() {}";

class ProfiledTimes {
 public:
  explicit ProfiledTimes(const bench::Options& options)
      : session_(options.device),
        program_(session_.build(kSource)),
        kernel_(session_.kernel(program_, "nothing")),
        host_memory_(session_) {
    benchmark::AddCustomContext("device", session_.device_name());
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int error = CL_SUCCESS;
    timed_ = client::Queue(
        clCreateCommandQueueWithProperties(session_.context(), session_.device(), properties, &error));
    client::check(error, "clCreateCommandQueueWithProperties");
  }

  void add() {
    add_command("empty_kernel", [this](cl_event* event) { return launch(timed_.get(), event); });
    for (const size_t bytes : {size_t(1) << 10, size_t(64) << 10, size_t(1) << 20, size_t(16) << 20})
      for (const bool blocking : {false, true})
        for (const bool pinned : {true, false}) add_transfers(bytes, blocking, pinned);
    add_rate("empty_kernels_profiled", timed_.get(), true);
    add_rate("empty_kernels_profiled_without_events", timed_.get(), false);
    add_rate("empty_kernels_unprofiled", session_.queue(), false);
  }

 private:
  using Enqueue = std::function<cl_int(cl_event*)>;

  cl_int launch(cl_command_queue queue, cl_event* event) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel_.get(), 1, nullptr, &one, nullptr, 0, nullptr, event);
  }
  void add_transfers(size_t bytes, bool blocking, bool pinned) {
    const std::string name =
        (pinned ? "pinned_" : "pageable_") + bench::size_name(bytes) + (blocking ? "_blocking" : "");
    for (const bool write : {true, false})
      add_sampled((write ? "write_" : "read_") + name, [=, this](benchmark::State& state) {
        const client::Buffer buffer = session_.buffer(bytes);
        void* host = host_memory_.of(bytes, pinned);
        time_command(state, [&](cl_event* event) {
          return write ? clEnqueueWriteBuffer(timed_.get(), buffer.get(), blocking, 0, bytes, host, 0,
                                              nullptr, event)
                       : clEnqueueReadBuffer(timed_.get(), buffer.get(), blocking, 0, bytes, host, 0, nullptr,
                                             event);
        });
      });
  }
  void add_command(const std::string& name, const Enqueue& enqueue) {
    add_sampled(name, [=, this](benchmark::State& state) { time_command(state, enqueue); });
  }
  // Fifty samples of one command each: the device's times are of single commands.
  static void add_sampled(const std::string& name, const bench::Function& function) {
    bench::add_with_own_time(name, function)->Iterations(1)->Repetitions(50);
  }
  void time_command(benchmark::State& state, const Enqueue& enqueue) {
    seconds_of(enqueue);
    for (auto _ : state) state.SetIterationTime(seconds_of(enqueue));
  }
  double seconds_of(const Enqueue& enqueue) {
    cl_event handle = nullptr;
    client::check(enqueue(&handle), "enqueuing");
    const client::Event event(handle);
    client::check(clFinish(timed_.get()), "clFinish");
    cl_ulong began = 0, ended = 0;
    clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_START, sizeof began, &began, nullptr);
    clGetEventProfilingInfo(handle, CL_PROFILING_COMMAND_END, sizeof ended, &ended, nullptr);
    return double(ended - began) * 1e-9;
  }
  void add_rate(const std::string& name, cl_command_queue queue, bool events) {
    bench::add_batch(name, [=, this](size_t count) {
      while (count--) {
        cl_event event = nullptr;
        client::check(launch(queue, events ? &event : nullptr), "clEnqueueNDRangeKernel");
        if (event) clReleaseEvent(event);
      }
      client::check(clFinish(queue), "clFinish");
    });
  }

  client::Session session_;
  client::Program program_;
  client::Kernel kernel_;
  client::Queue timed_;
  bench::HostMemory host_memory_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<ProfiledTimes>(count, words); }
