// SPDX-License-Identifier: Apache-2.0
// What queues do with many commands: kernels beside each other, the cost of enqueuing among many commands and many queues, callbacks,
// dependencies across queues.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "harness/measure.h"
#include "support/client.h"

namespace {

constexpr const char* source = R"(
kernel void empty() {}
kernel void spin(global uint* out, ulong turns) {
  uint x = *out;
  for (ulong i = 0; i < turns; ++i) x = x * 1664525u + 1013904223u + (x >> 7);
  *out = x;
}
)";

class Queues {
 public:
  explicit Queues(const bench::Options& options)
      : session_(options.device),
        report_("queues", options, session_.platform_name(), session_.device_name()),
        program_(session_.build(source)),
        empty_(session_.kernel(program_, "empty")),
        spin_(session_.kernel(program_, "spin")) {}

  void run() {
    beside_each_other();
    for (size_t held : {0, 100, 10'000, 100'000}) among_held(held);
    for (size_t count : {1, 8, 64}) among_queues(count);
    across_queues();
    callbacks();
  }

 private:
  client::Queue make_queue(cl_command_queue_properties properties) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    client::Queue queue(
        clCreateCommandQueueWithProperties(session_.context(), session_.device(), list, &error));
    client::check(error, "clCreateCommandQueueWithProperties");
    return queue;
  }
  static void launch(cl_command_queue queue, const client::Kernel& kernel, cl_event before = nullptr,
                     cl_event* event = nullptr) {
    const size_t one = 1;
    client::check(clEnqueueNDRangeKernel(queue, kernel.get(), 1, nullptr, &one, &one, before ? 1 : 0,
                                         before ? &before : nullptr, event),
                  "clEnqueueNDRangeKernel");
  }
  static void finish(cl_command_queue queue) { client::check(clFinish(queue), "clFinish"); }

  // Kernels of one group and at least a millisecond: one, eight in a queue without order, eight in eight queues.
  void beside_each_other() {
    constexpr size_t kernels = 8;
    std::vector<client::Buffer> memory;
    std::vector<client::Queue> queues;
    for (size_t i = 0; i < kernels; ++i) {
      memory.push_back(session_.buffer(4));
      queues.push_back(make_queue(0));
    }
    cl_ulong turns = 1000;
    const auto spin = [&](cl_command_queue queue, size_t i) {
      client::set_arguments(spin_, memory[i], turns);
      launch(queue, spin_);
    };
    const auto milliseconds = [&] {
      const auto start = std::chrono::steady_clock::now();
      spin(queues[0].get(), 0);
      finish(queues[0].get());
      return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    };
    // The shortest of some times: the machine may have other things to do.
    for (milliseconds(); std::min({milliseconds(), milliseconds(), milliseconds()}) < 2;) turns *= 2;
    const client::Queue loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    report_.run("kernel_alone", [&](size_t n) {
      while (n--) {
        spin(loose.get(), 0);
        finish(loose.get());
      }
    });
    report_.run("8_kernels_in_one_queue", [&](size_t n) {
      while (n--) {
        for (size_t i = 0; i < kernels; ++i) spin(loose.get(), i);
        finish(loose.get());
      }
    });
    report_.run("8_kernels_in_8_queues", [&](size_t n) {
      while (n--) {
        for (size_t i = 0; i < kernels; ++i) spin(queues[i].get(), i);
        for (const client::Queue& queue : queues) finish(queue.get());
      }
    });
  }

  // Enqueuing behind a user event, where so many commands wait for it already. What the commands take when they may run is no part
  // of it.
  void among_held(size_t held) {
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
      const std::string name =
          std::string("enqueue_") + (properties ? "loose" : "in_order") + "_among_" + std::to_string(held);
      if (!report_.wants(name)) continue;
      std::vector<double> samples;
      for (int i = 0; i < 5; ++i) samples.push_back(enqueue_among(properties, held));
      report_.add(name, bench::summarize(samples));
    }
  }
  double enqueue_among(cl_command_queue_properties properties, size_t held) const {
    constexpr size_t count = 2000;
    const client::Queue queue = make_queue(properties);
    cl_int error = CL_SUCCESS;
    const client::Event gate(clCreateUserEvent(session_.context(), &error));
    client::check(error, "clCreateUserEvent");
    for (size_t i = 0; i < held; ++i) launch(queue.get(), empty_, gate.get());
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < count; ++i) launch(queue.get(), empty_, gate.get());
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    client::check(clSetUserEventStatus(gate.get(), CL_COMPLETE), "clSetUserEventStatus");
    finish(queue.get());
    return time.count() / count;
  }

  void among_queues(size_t count) {
    std::vector<client::Queue> queues;
    for (size_t i = 0; i < count; ++i) queues.push_back(make_queue(0));
    report_.run("launch_among_" + std::to_string(count) + "_queues", [&](size_t n) {
      for (size_t i = 0; i < n; ++i) launch(queues[i % count].get(), empty_);
      for (const client::Queue& queue : queues) finish(queue.get());
    });
  }

  // A chain of kernels that goes to and fro between two queues.
  void across_queues() {
    const client::Queue queues[] = {make_queue(0), make_queue(0)};
    report_.run("chain_across_queues", [&](size_t n) {
      client::Event last;
      for (size_t i = 0; i < n; ++i) {
        cl_event event = nullptr;
        launch(queues[i % 2].get(), empty_, last.get(), &event);
        last.reset(event);
      }
      for (const client::Queue& queue : queues) finish(queue.get());
    });
  }

  // From the enqueuing of a kernel to its callback.
  void callbacks() {
    report_.run("callback", [&](size_t n) {
      while (n--) {
        std::atomic<bool> called = false;
        cl_event handle = nullptr;
        launch(session_.queue(), empty_, nullptr, &handle);
        const client::Event event(handle);
        client::check(clSetEventCallback(
                          handle, CL_COMPLETE,
                          [](cl_event, cl_int, void* flag) {
                            static_cast<std::atomic<bool>*>(flag)->store(true);
                            static_cast<std::atomic<bool>*>(flag)->notify_one();
                          },
                          &called),
                      "clSetEventCallback");
        called.wait(false);
      }
    });
  }

  client::Session session_;
  bench::Report report_;
  client::Program program_;
  client::Kernel empty_;
  client::Kernel spin_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Queues>("queues", count, words); }
