// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ref.h"
#include "ptx/driver/context.h"

namespace clcuda::ptx::driver {

// The calling thread's current context. Throws DriverError if there is none (CUDA_ERROR_INVALID_CONTEXT), if
// it has been released (CUDA_ERROR_CONTEXT_IS_DESTROYED) or has failed (its sticky error). `unchecked` does
// not ask about the latter.
Context& current_context();
Context& current_context_unchecked();

CUcontext current_context_handle() noexcept;  // null: none
void set_current_context(CUcontext handle);

// The context behind a handle, or DriverError{CUDA_ERROR_INVALID_CONTEXT}.
Ref<Context> context_of(CUcontext handle);

}  // namespace clcuda::ptx::driver
