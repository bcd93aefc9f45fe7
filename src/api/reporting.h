// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "runtime/platform/context.h"

namespace clcuda::api {

// What `body` makes; where it throws, the context's callback is told why (section 4.4).
template <class Body>
auto reporting(const Context& context, Body body) {
  try {
    return body();
  } catch (const std::exception& error) {
    context.notify(error.what());
    throw;
  }
}

}  // namespace clcuda::api
