// SPDX-License-Identifier: Apache-2.0
// ../launch_latency.cpp for the CUDA driver API.
#include <string>
#include <vector>

#include "check.h"
#include "harness/benchmark.h"

namespace {

using cuda_bench::check;

__global__ void empty() {}
__global__ void three(float* a, const float* b, float c) {
  if (c > 1.0f) *a = *b;
}

CUfunction function_of(const void* kernel) {
  cudaFunction_t function = nullptr;
  check(cudaGetFuncBySymbol(&function, kernel));
  return function;
}

// An event without timing, as one that is only waited for needs.
class Event {
 public:
  Event() { check(cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING)); }
  ~Event() { cuEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  CUevent get() const { return event_; }

 private:
  CUevent event_ = nullptr;
};

class Latency {
 public:
  Latency()
      : empty_(function_of(reinterpret_cast<const void*>(empty))),
        three_(function_of(reinterpret_cast<const void*>(three))),
        a_(cuda_bench::allocate<float>(1024)),
        b_(cuda_bench::allocate<float>(1024)) {
    check(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
  }
  ~Latency() { cuStreamDestroy(stream_); }
  Latency(const Latency&) = delete;
  Latency& operator=(const Latency&) = delete;

  void add() {
    bench::add_batch("back_to_back", [this](size_t n) {
      while (n--) launch(empty_, nullptr);
      finish();
    });
    bench::add_batch("launch_finish", [this](size_t n) {
      while (n--) {
        launch(empty_, nullptr);
        finish();
      }
    });
    bench::add_batch("launch_event", [this](size_t n) {
      while (n--) {
        const Event event;
        launch(empty_, nullptr);
        check(cuEventRecord(event.get(), stream_));
      }
      finish();
    });
    bench::add("event_chain", [this](benchmark::State& state) { chain_events(state); });
    bench::add_batch("set_3_args_launch", [this](size_t n) {
      while (n--) {
        float *first = a_.get(), *second = b_.get();
        float third = 0.5f;
        void* arguments[] = {&first, &second, &third};
        launch(three_, arguments);
      }
      finish();
    });
    for (size_t bytes : {size_t(4) << 10, size_t(1) << 20})
      bench::add("blocking_read_" + std::to_string(bytes >> 10) + "_KiB",
                 [=, this](benchmark::State& state) { read(state, bytes); });
  }

 private:
  void chain_events(benchmark::State& state) {
    const Event events[2];
    bench::time_batch(state, [&](size_t n) {
      for (size_t i = 0; i < n; ++i) {
        if (i > 0) check(cuStreamWaitEvent(stream_, events[(i - 1) % 2].get(), 0));
        launch(empty_, nullptr);
        check(cuEventRecord(events[i % 2].get(), stream_));
      }
      finish();
    });
  }
  static void read(benchmark::State& state, size_t bytes) {
    const auto memory = cuda_bench::allocate<char>(bytes);
    std::vector<char> host(bytes);
    bench::time_batch(state, [&](size_t n) {
      while (n--) check(cuMemcpyDtoH(host.data(), reinterpret_cast<CUdeviceptr>(memory.get()), bytes));
    });
  }
  void launch(CUfunction function, void** arguments) {
    check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr));
  }
  void finish() { check(cuStreamSynchronize(stream_)); }

  CUfunction empty_;
  CUfunction three_;
  cuda_bench::DeviceMemory<float> a_, b_;
  CUstream stream_ = nullptr;
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<Latency>(count, words); }
