// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>

#include "base/deferred_deletion.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/host_function.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {

CUresult unexpected(const std::exception& error) noexcept;  // logs it; CUDA_ERROR_UNKNOWN

// The one place where exceptions become error codes. `body` returns a CUresult. For functions that CUDA allows before cuInit.
template <class Body>
CUresult entry_before_init(const Body& body) noexcept {
  const ApartFromCaller apart;
  try {
    return body();
  } catch (const DriverError& error) {
    return error.code;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    return unexpected(error);
  }
}

// The same for all other functions: CUDA_ERROR_NOT_INITIALIZED before cuInit, CUDA_ERROR_NOT_PERMITTED in host functions.
template <class Body>
CUresult entry(const Body& body) noexcept {
  if (CUresult phase = Process::phase()) [[unlikely]]
    return phase;
  if (in_host_function()) [[unlikely]]
    return CUDA_ERROR_NOT_PERMITTED;
  return entry_before_init(body);
}

}  // namespace clcuda::ptx::driver
