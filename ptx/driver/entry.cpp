// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/entry.h"

#include "base/log.h"

namespace clcuda::ptx::driver {

CUresult unexpected(const std::exception& error) noexcept {
  log::error("unexpected: {}", error.what());
  return CUDA_ERROR_UNKNOWN;
}

}  // namespace clcuda::ptx::driver
