// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// CU_STREAM_PER_THREAD: the calling thread's own blocking stream in a context. It is created when first used, and destroyed when the thread
// or the context ends.
Ref<Stream> stream_of_this_thread(Context& context);

}  // namespace clcuda::ptx::driver
