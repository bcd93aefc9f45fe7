// SPDX-License-Identifier: Apache-2.0
// Queues with many commands: concurrent kernels, the cost of enqueuing with many commands and many queues, callbacks, dependencies across
// queues.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "harness/benchmark.h"
#include "support/client.h"

namespace {

constexpr const char* kSource = R"(
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
        program_(session_.build(kSource)),
        empty_(session_.kernel(program_, "empty")),
        spin_(session_.kernel(program_, "spin")) {
    benchmark::AddCustomContext("device", session_.device_name());
  }

  void add() {
    bench::add("kernel_alone", [this](benchmark::State& state) { spin_in(state, 1, 1); });
    bench::add("8_kernels_in_one_queue", [this](benchmark::State& state) { spin_in(state, 8, 1); });
    bench::add("8_kernels_in_8_queues", [this](benchmark::State& state) { spin_in(state, 8, 8); });
    for (size_t held : {0, 100, 10'000, 100'000})
      for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
        bench::add(
            std::string("enqueue_") + (properties ? "loose" : "in_order") + "_among_" + std::to_string(held),
            [=, this](benchmark::State& state) { among_held(state, properties, held); })
            ->Iterations(2000)
            ->Repetitions(5);
    for (size_t count : {1, 8, 64})
      bench::add("launch_among_" + std::to_string(count) + "_queues",
                 [=, this](benchmark::State& state) { among_queues(state, count); });
    bench::add("chain_across_queues", [this](benchmark::State& state) { across_queues(state); });
    bench::add_batch("callback", [this](size_t n) {
      while (n--) wait_for_callback();
    });
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
  std::vector<client::Queue> make_queues(size_t count, cl_command_queue_properties properties) const {
    std::vector<client::Queue> queues(count);
    for (client::Queue& queue : queues) queue = make_queue(properties);
    return queues;
  }
  static void launch(cl_command_queue queue, const client::Kernel& kernel, cl_event before = nullptr,
                     cl_event* event = nullptr) {
    const size_t one = 1;
    client::check(clEnqueueNDRangeKernel(queue, kernel.get(), 1, nullptr, &one, &one, before ? 1 : 0,
                                         before ? &before : nullptr, event),
                  "clEnqueueNDRangeKernel");
  }
  static void finish(cl_command_queue queue) { client::check(clFinish(queue), "clFinish"); }

  void spin(cl_command_queue queue, const client::Buffer& memory) {
    client::set_arguments(spin_, memory, turns_);
    launch(queue, spin_);
  }
  // Makes the kernel take two milliseconds, by the minimum of several times, because other processes may delay it.
  void calibrate(cl_command_queue queue, const client::Buffer& memory) {
    const auto milliseconds = [&] {
      const auto start = std::chrono::steady_clock::now();
      spin(queue, memory);
      finish(queue);
      return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    };
    turns_ = 1000;
    for (milliseconds(); std::min({milliseconds(), milliseconds(), milliseconds()}) < 2;) turns_ *= 2;
  }
  // Kernels with one work-group each in this number of queues; a single queue is out-of-order.
  void spin_in(benchmark::State& state, size_t kernels, size_t queue_count) {
    std::vector<client::Buffer> memory(kernels);
    for (client::Buffer& each : memory) each = session_.buffer(4);
    const std::vector<client::Queue> queues =
        make_queues(queue_count, queue_count == 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    if (turns_ == 0) calibrate(session_.queue(), memory[0]);
    bench::time_batch(state, [&](size_t n) {
      while (n--) {
        for (size_t i = 0; i < kernels; ++i) spin(queues[i % queue_count].get(), memory[i]);
        for (const client::Queue& queue : queues) finish(queue.get());
      }
    });
  }

  // Enqueues commands behind a user event, for which many commands wait already. The time to execute the commands is not included.
  void among_held(benchmark::State& state, cl_command_queue_properties properties, size_t held) const {
    const client::Queue queue = make_queue(properties);
    cl_int error = CL_SUCCESS;
    const client::Event gate(clCreateUserEvent(session_.context(), &error));
    client::check(error, "clCreateUserEvent");
    for (size_t i = 0; i < held; ++i) launch(queue.get(), empty_, gate.get());
    for (auto _ : state) launch(queue.get(), empty_, gate.get());
    client::check(clSetUserEventStatus(gate.get(), CL_COMPLETE), "clSetUserEventStatus");
    finish(queue.get());
  }

  void among_queues(benchmark::State& state, size_t count) {
    const std::vector<client::Queue> queues = make_queues(count, 0);
    // Uses each queue once before the measurement.
    for (const client::Queue& queue : queues) launch(queue.get(), empty_);
    bench::time_batch(state, [&](size_t n) {
      for (size_t i = 0; i < n; ++i) launch(queues[i % count].get(), empty_);
      for (const client::Queue& queue : queues) finish(queue.get());
    });
  }

  // A chain of kernels that alternates between two queues.
  void across_queues(benchmark::State& state) {
    const client::Queue queues[] = {make_queue(0), make_queue(0)};
    bench::time_batch(state, [&](size_t n) {
      client::Event last;
      for (size_t i = 0; i < n; ++i) {
        cl_event event = nullptr;
        launch(queues[i % 2].get(), empty_, last.get(), &event);
        last.reset(event);
      }
      for (const client::Queue& queue : queues) finish(queue.get());
    });
  }

  // The time from the enqueue of a kernel to its callback.
  void wait_for_callback() {
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

  client::Session session_;
  client::Program program_;
  client::Kernel empty_;
  client::Kernel spin_;
  cl_ulong turns_ = 0;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Queues>(count, words); }
