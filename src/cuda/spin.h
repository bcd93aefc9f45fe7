// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <chrono>

namespace clcuda::cuda {

// Waits begin with asking for so long: most are over sooner than a sleeping thread would be back. Longer ones must not burn a core.
constexpr std::chrono::microseconds kSpinTime{50};

// Asks until the answer is not CUDA_ERROR_NOT_READY any more, or the time is over.
template <class Query>
CUresult ask_for_a_while(Query query) {
  CUresult answer = query();
  if (answer != CUDA_ERROR_NOT_READY) return answer;
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do answer = query();
  while (answer == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < end);
  return answer;
}

}  // namespace clcuda::cuda
