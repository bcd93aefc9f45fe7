// SPDX-License-Identifier: Apache-2.0
// A process that ends while commands are in flight, in each way that is allowed.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "soak/episodes.h"
#include "soak/link.h"
#include "soak/printed.h"
#include "soak/random.h"
#include "soak/role.h"
#include "soak/session.h"

namespace soak {
namespace {

// During exit() calls may fail, and GoogleTest's objects may have been destroyed: nothing is checked.
void use_device_for_ever() {
  const cl_device_id device = test::devices().front();
  for (;;) {
    const test::Context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    const test::Queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    const test::Buffer buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
    const cl_uint word = 7;
    for (int i = 0; i < 100; ++i)
      clEnqueueFillBuffer(queue, buffer, &word, sizeof word, 0, 4096, 0, nullptr, nullptr);
    clFinish(queue);
  }
}

void run_episodes_for_ever(std::uint64_t seed) {
  const test::RandomEngineOfThread own(seed);
  for (std::uint64_t i = 0;; ++i) run_episode(any_episode(), mixed(seed, i));
}

}  // namespace

int leave() {
  catch_printed();
  const test::RandomEngineOfThread own(role().seed);
  enum class End : std::size_t { by_return, by_exit, by_quick_exit, at_once, count };
  const auto end = static_cast<End>(below(static_cast<std::size_t>(End::count)));
  const bool destroys = end == End::by_return || end == End::by_exit;
  // Another thread continues until the process has ended.
  if (chance(50))
    std::thread([destroys, seed = mixed(role().seed, 1)] {
      if (destroys) use_device_for_ever();
      run_episodes_for_ever(seed);
    }).detach();
  auto& session = *new Session;
  for (auto left = 1 + below(60); left > 0; --left) session.step();
  // After this, a failure found by a callback could not be reported.
  if (destroys) session.settle();
  std::this_thread::sleep_for(std::chrono::milliseconds(below(300)));
  tell_counts();
  if (has_failed()) _exit(1);
  switch (end) {
    case End::by_return:
      delete &session;
      return 0;
    case End::by_exit:
      std::exit(0);
    case End::by_quick_exit:
      std::quick_exit(0);
    default:
      _exit(0);
  }
}

}  // namespace soak
