// SPDX-License-Identifier: Apache-2.0
// The host's cost of running an empty kernel, and of reading a few bytes back.
#include <string>
#include <vector>

#include "harness/benchmark.h"
#include "support/client.h"

namespace {

constexpr const char* kSource = R"(
kernel void empty() {}
kernel void three(global float* a, global float* b, float c) { if (c > 1.0f) *a = *b; }
)";

class Latency {
 public:
  explicit Latency(const bench::Options& options)
      : session_(options.device),
        program_(session_.build(kSource)),
        empty_(session_.kernel(program_, "empty")),
        three_(session_.kernel(program_, "three")),
        a_(session_.buffer(4096)),
        b_(session_.buffer(4096)) {
    benchmark::AddCustomContext("device", session_.device_name());
  }

  void add() {
    bench::add_batch("back_to_back", [this](size_t n) {
      while (n--) launch(empty_);
      finish();
    });
    bench::add_batch("launch_finish", [this](size_t n) {
      while (n--) {
        launch(empty_);
        finish();
      }
    });
    bench::add_batch("launch_event", [this](size_t n) {
      while (n--) launch_with_event(nullptr);
      finish();
    });
    bench::add_batch("event_chain", [this](size_t n) {
      client::Event last = launch_with_event(nullptr);
      while (--n) last = launch_with_event(last.get());
      finish();
    });
    bench::add_batch("set_3_args_launch", [this](size_t n) {
      while (n--) {
        client::set_arguments(three_, a_, b_, 0.5f);
        launch(three_);
      }
      finish();
    });
    bench::add_batch("set_argument", [this](size_t n) {
      const float value = 0.5f;
      while (n--) client::check(clSetKernelArg(three_.get(), 2, sizeof value, &value), "clSetKernelArg");
    });
    for (size_t bytes : {size_t(4) << 10, size_t(1) << 20}) {
      bench::add("blocking_read_" + std::to_string(bytes >> 10) + "_KiB", [=, this](benchmark::State& state) {
        const client::Buffer buffer = session_.buffer(bytes);
        std::vector<char> host(bytes);
        bench::time_batch(state, [&](size_t n) {
          while (n--) read(buffer, host);
        });
      });
    }
  }

 private:
  void launch(const client::Kernel& kernel) {
    const size_t one = 1;
    client::check(
        clEnqueueNDRangeKernel(session_.queue(), kernel.get(), 1, nullptr, &one, &one, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  }
  client::Event launch_with_event(cl_event before) {
    const size_t one = 1;
    cl_event event = nullptr;
    client::check(clEnqueueNDRangeKernel(session_.queue(), empty_.get(), 1, nullptr, &one, &one,
                                         before ? 1 : 0, before ? &before : nullptr, &event),
                  "clEnqueueNDRangeKernel");
    return client::Event(event);
  }
  void read(const client::Buffer& buffer, std::vector<char>& host) {
    client::check(clEnqueueReadBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, host.size(), host.data(), 0,
                                      nullptr, nullptr),
                  "clEnqueueReadBuffer");
  }
  void finish() { client::check(clFinish(session_.queue()), "clFinish"); }

  client::Session session_;
  client::Program program_;
  client::Kernel empty_;
  client::Kernel three_;
  client::Buffer a_, b_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Latency>(count, words); }
