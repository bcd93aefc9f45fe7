// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "runtime/platform/context.h"
#include "runtime/platform/device.h"

namespace clcuda {

// The first of the context's devices that is not lost, for work that any device can do. The first one if all are lost.
inline Device& usable_device(const Context& context) {
  const auto found = std::ranges::find_if(context.devices(), [](const Device* d) { return !d->lost(); });
  return found == context.devices().end() ? *context.devices().front() : **found;
}

}  // namespace clcuda
