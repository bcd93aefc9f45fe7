// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "cuda/driver_api.h"

namespace clcuda::cuda {

// How a thread waits for the device once a short while of asking is over: in the driver, where that sleeps and wakes up soon (the
// executor); or by asking with pauses in between. A GPU's driver sleeps only where an interrupt is asked for at each event, which
// costs half a microsecond with every command and a third of a millisecond with every wake-up.
enum class Waiting { in_driver, by_asking };

// Most waits are over sooner than a sleeping thread would be back. Longer ones must not burn a core.
constexpr std::chrono::microseconds kAskingTime{50};

// Asks until the answer is not CUDA_ERROR_NOT_READY any more, or the time is over; once only, where the driver does that itself.
template <class Ask>
CUresult ask_for_a_while(Waiting waiting, Ask ask) {
  CUresult answer = ask();
  if (answer != CUDA_ERROR_NOT_READY || waiting == Waiting::in_driver) return answer;
  const auto end = std::chrono::steady_clock::now() + kAskingTime;
  do answer = ask();
  while (answer == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < end);
  return answer;
}

// The pauses of one wait: a small part of what has been waited so far, so that a wait becomes longer by that part at most.
class Pauses {
 public:
  Pauses() noexcept;
  ~Pauses();
  Pauses(const Pauses&) = delete;
  Pauses& operator=(const Pauses&) = delete;
  void pause() const noexcept;

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int timer_slack_;  // the thread's, to be restored
};

// `ask` as above; `sleep` waits in the driver.
template <class Ask, class Sleep>
CUresult wait(Waiting waiting, Ask ask, Sleep sleep) {
  CUresult answer = ask_for_a_while(waiting, ask);
  if (answer != CUDA_ERROR_NOT_READY) return answer;
  if (waiting == Waiting::in_driver) return sleep();
  const Pauses pauses;
  do {
    pauses.pause();
    answer = ask();
  } while (answer == CUDA_ERROR_NOT_READY);
  return answer;
}

}  // namespace clcuda::cuda
