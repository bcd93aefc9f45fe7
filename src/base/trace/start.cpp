// SPDX-License-Identifier: Apache-2.0
#include "base/trace/start.h"

#include <new>

#include "base/config.h"
#include "base/log.h"
#include "base/trace/nvtx.h"
#include "base/trace/trace.h"
#include "base/trace/writer.h"

namespace clcuda::trace {

void start() noexcept try {
  static const bool started = [] {
    if (config().nvtx && !nvtx::available()) log::warning("CLCUDA_NVTX: the library was built without NVTX");
    state::annotating = config().nvtx && nvtx::available();
    state::complete = config().trace_all;
    return !config().trace.empty() && start_writer(config().trace);
  }();
  (void)started;
} catch (const std::bad_alloc&) {
  // There was no memory for the environment's values: the next call tries again.
}

}  // namespace clcuda::trace
