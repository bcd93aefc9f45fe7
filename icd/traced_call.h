// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "base/trace/call.h"

namespace clcuda {

// A function's name as a template argument.
template <std::size_t kSize>
struct FunctionName {
  consteval FunctionName(const char (&name)[kSize]) { std::ranges::copy(name, text); }
  char text[kSize];
};

// An entry point that also records the call in a trace. If tracing is on (base/trace/trace.h), the loader gets these functions instead of
// the entry points themselves, so that calls have no additional cost if it is off.
//
//   TracedCall<"clFinish", &::clFinish>::call(queue)
template <FunctionName kName, auto kFunction, class Type = decltype(kFunction)>
struct TracedCall;

template <FunctionName kName, auto kFunction, class Result, class... Parameters>
struct TracedCall<kName, kFunction, Result(CL_API_CALL*)(Parameters...)> {
  static Result CL_API_CALL call(Parameters... arguments) {
    trace::Call call(kName.text);
    if constexpr (std::is_same_v<Result, cl_int>) {
      const cl_int result = kFunction(arguments...);
      call.set_result(result);
      return result;
    } else {
      return kFunction(arguments...);
    }
  }
};

}  // namespace clcuda
