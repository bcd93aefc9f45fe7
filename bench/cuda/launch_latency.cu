// SPDX-License-Identifier: Apache-2.0
// ../launch_latency.cpp for the CUDA driver API.
#include <string>
#include <vector>

#include "check.h"
#include "harness/measure.h"

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
  explicit Latency(const bench::Options& options)
      : report_("launch_latency", options, "CUDA", cuda_bench::device_name()),
        empty_(function_of(reinterpret_cast<const void*>(empty))),
        three_(function_of(reinterpret_cast<const void*>(three))) {
    check(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
  }
  ~Latency() { cuStreamDestroy(stream_); }
  Latency(const Latency&) = delete;
  Latency& operator=(const Latency&) = delete;

  void run() {
    report_.run("back_to_back", [&](size_t n) {
      while (n--) launch(empty_, nullptr);
      finish();
    });
    report_.run("launch_finish", [&](size_t n) {
      while (n--) {
        launch(empty_, nullptr);
        finish();
      }
    });
    report_.run("launch_event", [&](size_t n) {
      while (n--) {
        const Event event;
        launch(empty_, nullptr);
        check(cuEventRecord(event.get(), stream_));
      }
      finish();
    });
    run_event_chain();
    auto a = cuda_bench::allocate<float>(1024), b = cuda_bench::allocate<float>(1024);
    report_.run("set_3_args_launch", [&](size_t n) {
      while (n--) {
        float *first = a.get(), *second = b.get();
        float third = 0.5f;
        void* arguments[] = {&first, &second, &third};
        launch(three_, arguments);
      }
      finish();
    });
    run_reads();
  }

 private:
  void run_event_chain() {
    const Event events[2];
    report_.run("event_chain", [&](size_t n) {
      for (size_t i = 0; i < n; ++i) {
        if (i > 0) check(cuStreamWaitEvent(stream_, events[(i - 1) % 2].get(), 0));
        launch(empty_, nullptr);
        check(cuEventRecord(events[i % 2].get(), stream_));
      }
      finish();
    });
  }
  void run_reads() {
    for (size_t bytes : {size_t(4) << 10, size_t(1) << 20}) {
      auto memory = cuda_bench::allocate<char>(bytes);
      std::vector<char> host(bytes);
      report_.run("blocking_read_" + std::to_string(bytes >> 10) + "_KiB", [&](size_t n) {
        while (n--) check(cuMemcpyDtoH(host.data(), reinterpret_cast<CUdeviceptr>(memory.get()), bytes));
      });
    }
  }
  void launch(CUfunction function, void** arguments) {
    check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr));
  }
  void finish() { check(cuStreamSynchronize(stream_)); }

  bench::Report report_;
  CUfunction empty_;
  CUfunction three_;
  CUstream stream_ = nullptr;
};

}  // namespace

int main(int count, char** words) {
  return bench::run_main("cuda launch_latency", count, words, [](const bench::Options& options) {
    check(cudaSetDevice(0));
    Latency(options).run();
    return true;
  });
}
