// SPDX-License-Identifier: Apache-2.0
// quicksort [COUNT] [--device NAME]
//
// Sorts random numbers with one launch: the recursion is on the device, which enqueues its own kernels.
// Checks the result against std::sort and says how long both took.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/client.h"

extern "C" const char quicksort_kernels[], quicksort_kernels_end[];

namespace {

using client::check;
using Milliseconds = std::chrono::duration<double, std::milli>;

struct Options {
  size_t count = size_t{1} << 20;
  std::string device;
};

Options parsed(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--device" && i + 1 < count)
      options.device = words[++i];
    else
      options.count = std::strtoull(word.c_str(), nullptr, 10);
  }
  if (options.count == 0 || options.count > size_t{1} << 30)
    throw std::runtime_error("usage: quicksort [COUNT] [--device gpu|cpu|NAME], COUNT up to 2^30");
  return options;
}

// Where kernels enqueue, as long as this lives.
client::Queue default_device_queue(const client::Session& session) {
  cl_device_device_enqueue_capabilities capabilities = 0;
  check(clGetDeviceInfo(session.device(), CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities,
                        &capabilities, nullptr),
        "clGetDeviceInfo");
  if (!(capabilities & CL_DEVICE_QUEUE_SUPPORTED))
    throw std::runtime_error("the device has no queues of its own");
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error = CL_SUCCESS;
  client::Queue queue(
      clCreateCommandQueueWithProperties(session.context(), session.device(), properties, &error));
  check(error, "clCreateCommandQueueWithProperties");
  return queue;
}

double sort_on_device(const client::Session& session, std::vector<cl_uint>& numbers) {
  const client::Queue on_device = default_device_queue(session);
  const client::Program program = session.build({quicksort_kernels, quicksort_kernels_end}, "-cl-std=CL3.0");
  const client::Kernel kernel = session.kernel(program, "quicksort");
  const size_t bytes = numbers.size() * sizeof(cl_uint), group = 256;
  const client::Buffer data = session.buffer(bytes), scratch = session.buffer(bytes);
  client::set_arguments(kernel, data, scratch, static_cast<cl_uint>(numbers.size()));
  check(clEnqueueWriteBuffer(session.queue(), data.get(), CL_TRUE, 0, bytes, numbers.data(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
  const auto start = std::chrono::steady_clock::now();
  check(
      clEnqueueNDRangeKernel(session.queue(), kernel.get(), 1, nullptr, &group, &group, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  check(clFinish(session.queue()), "clFinish");
  const Milliseconds time = std::chrono::steady_clock::now() - start;
  check(clEnqueueReadBuffer(session.queue(), data.get(), CL_TRUE, 0, bytes, numbers.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  return time.count();
}

int run(const Options& options) {
  std::vector<cl_uint> numbers(options.count);
  std::mt19937 engine(std::random_device{}());
  for (cl_uint& number : numbers) number = static_cast<cl_uint>(engine());
  std::vector<cl_uint> expected = numbers;

  const client::Session session(options.device);
  std::printf("quicksort: %zu numbers\n", numbers.size());
  std::printf("device: %s (platform %s)\n", session.device_name().c_str(), session.platform_name().c_str());
  const double device_time = sort_on_device(session, numbers);

  const auto start = std::chrono::steady_clock::now();
  std::sort(expected.begin(), expected.end());
  const Milliseconds host_time = std::chrono::steady_clock::now() - start;
  const bool same = numbers == expected;
  std::printf("  %-18s %10.3f ms\n  %-18s %10.3f ms\ncheck: %s\n", "one launch", device_time, "std::sort",
              host_time.count(), same ? "sorted" : "NOT sorted");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parsed(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "quicksort: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
