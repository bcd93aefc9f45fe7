// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace clcuda {

// A failure with an OpenCL error code. The API boundary returns the code (src/api/entry_point.h); the text goes to the log and to the
// context's notification callback:
//
//   throw Error(CL_INVALID_KERNEL_ARGS, "argument 2 is not set");
//
// `code` is an int because this layer does not include OpenCL's headers. what() is the reason.
class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& reason) : std::runtime_error(reason), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace clcuda
