// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "runtime/platform/context.h"

namespace clcuda::api {

// Returns what `body` returns. If it throws, the reason is also reported to the context's callback (section 4.4).
//
//   return reporting(context, [&] { return handle_of(*new Buffer(…)); });
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
