// SPDX-License-Identifier: Apache-2.0
#include "base/trace/trace.h"

namespace clcuda::trace::state {

constinit std::atomic<bool> recording = false, annotating = false, complete = false;

}  // namespace clcuda::trace::state
