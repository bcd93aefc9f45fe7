// SPDX-License-Identifier: Apache-2.0
#include "cuda/waiting.h"

#include <sys/prctl.h>

#include <algorithm>
#include <thread>

namespace clcuda::cuda {
namespace {

using std::chrono::microseconds;

// By default, Linux lets a sleep last up to 50 µs longer than requested, to save wake-ups.
constexpr unsigned long kFineSlack = 1000;  // nanoseconds

}  // namespace

Pauses::Pauses() noexcept : timer_slack_(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0)) {
  prctl(PR_SET_TIMERSLACK, kFineSlack, 0, 0, 0);
}

Pauses::~Pauses() {
  if (timer_slack_ > 0) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(timer_slack_), 0, 0, 0);
}

void Pauses::pause() const noexcept {
  const auto waited = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin_);
  const microseconds little = std::clamp(waited / 100, microseconds(3), microseconds(50)),
                     more = std::min(waited / 500, microseconds(5000));
  std::this_thread::sleep_for(std::max(little, more));
}

}  // namespace clcuda::cuda
