// SPDX-License-Identifier: Apache-2.0
// What it costs the host to have a kernel run that does nothing, and to read a little back.
#include <string>
#include <vector>

#include "harness/measure.h"
#include "support/client.h"

namespace {

constexpr const char* source = R"(
kernel void empty() {}
kernel void three(global float* a, global float* b, float c) { if (c > 1.0f) *a = *b; }
)";

class Latency {
 public:
  explicit Latency(const bench::Options& options)
      : session_(options.device),
        report_("launch_latency", options, session_.platform_name(), session_.device_name()),
        program_(session_.build(source)),
        empty_(session_.kernel(program_, "empty")),
        three_(session_.kernel(program_, "three")) {}

  void run() {
    report_.run("back_to_back", [&](size_t n) {
      while (n--) launch(empty_);
      finish();
    });
    report_.run("launch_finish", [&](size_t n) {
      while (n--) {
        launch(empty_);
        finish();
      }
    });
    report_.run("launch_event", [&](size_t n) {
      while (n--) launch_with_event(nullptr);
      finish();
    });
    report_.run("event_chain", [&](size_t n) {
      client::Event last = launch_with_event(nullptr);
      while (--n) last = launch_with_event(last.get());
      finish();
    });
    const client::Buffer a = session_.buffer(4096), b = session_.buffer(4096);
    report_.run("set_3_args_launch", [&](size_t n) {
      while (n--) {
        client::set_arguments(three_, a, b, 0.5f);
        launch(three_);
      }
      finish();
    });
    report_.run("set_argument", [&](size_t n) {
      const float value = 0.5f;
      while (n--) client::check(clSetKernelArg(three_.get(), 2, sizeof value, &value), "clSetKernelArg");
    });
    for (size_t bytes : {size_t(4) << 10, size_t(1) << 20}) {
      const client::Buffer buffer = session_.buffer(bytes);
      std::vector<char> host(bytes);
      report_.run("blocking_read_" + std::to_string(bytes >> 10) + "_KiB", [&](size_t n) {
        while (n--) read(buffer, host);
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
  bench::Report report_;
  client::Program program_;
  client::Kernel empty_;
  client::Kernel three_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Latency>("launch_latency", count, words); }
