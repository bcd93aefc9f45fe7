// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace clcuda {

// A refusal on its way to the API border, where it becomes an OpenCL error code (src/api/entry_point.h) and
// its text goes to the log and to the context's notification callback:
//
//   throw Error(CL_INVALID_KERNEL_ARGS, "argument 2 is not set");
//
// `code` is an OpenCL error code; this layer does not know which ones exist.
class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& reason) : std::runtime_error(reason), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace clcuda
