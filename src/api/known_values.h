// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "api/header_names.h"
#include "base/error.h"

namespace clcuda::api {

// Throws `code` if `flags` contains flags that are not in `known`; the message names them:
//
//   require_flags(flags, kMapFlags, CL_INVALID_VALUE, "an unknown map flag");
inline void require_flags(cl_bitfield flags, cl_bitfield known, cl_int code, const char* reason) {
  if (flags & ~known) [[unlikely]]
    throw Error(code, fmt::format("{} in 0x{:X}: 0x{:X}", reason, flags, flags & ~known));
}

// The error for an unknown property; its message names the property:
//
//   throw unknown_property(CL_INVALID_PROPERTY, "an unknown context property", entry[0]);
inline Error unknown_property(cl_int code, const char* reason, cl_ulong property) {
  return {code, reason + (": " + query_text(property))};
}

}  // namespace clcuda::api
