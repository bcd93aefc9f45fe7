// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "cuda/driver_api.h"

namespace clcuda::cuda {

// How a thread waits for the device after a short time of polling: in the driver, if it sleeps and wakes up
// quickly (the executor), or by polling with pauses. A GPU's driver sleeps only on events with interrupts,
// which cost half a microsecond with every command and a third of a millisecond with every wake-up.
enum class Waiting { in_driver, by_asking };

// Most waits end sooner than a sleeping thread would wake up. Longer ones must not keep a core busy.
constexpr std::chrono::microseconds kAskingTime{50};

// Calls `ask` until it returns another result than CUDA_ERROR_NOT_READY, or kAskingTime has passed. With Waiting::in_driver it is called
// only once.
template <class Ask>
CUresult ask_for_a_while(Waiting waiting, Ask ask) {
  CUresult answer = ask();
  if (answer != CUDA_ERROR_NOT_READY || waiting == Waiting::in_driver) return answer;
  const auto end = std::chrono::steady_clock::now() + kAskingTime;
  do answer = ask();
  while (answer == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < end);
  return answer;
}

// The pauses between the polls of one wait. A pause is a small fraction of the time waited so far, so that a wait is at most that fraction
// too long.
class Pauses {
 public:
  Pauses() noexcept;
  ~Pauses();
  Pauses(const Pauses&) = delete;
  Pauses& operator=(const Pauses&) = delete;
  void pause() const noexcept;

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int timer_slack_;  // the thread's own, restored afterwards
};

// Waits until `ask` returns another result than CUDA_ERROR_NOT_READY. `sleep` waits in the driver.
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
