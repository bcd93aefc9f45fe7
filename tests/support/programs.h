// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/opencl.h"

namespace test {

// Creates programs and queries them.
class Programs : public OpenCL {
 protected:
  Program create(const std::string& source) const;
  Program compiled(const std::string& source, const char* options = "") const;
  cl_build_status status(cl_program program) const;
  cl_program_binary_type binary_type(cl_program program) const;
  std::string info(cl_program program, cl_program_build_info name) const;
  static std::string program_text(cl_program program, cl_program_info name);
  // The binary of a program for its only, or its first, device.
  static std::vector<unsigned char> binary(cl_program program);
};

}  // namespace test
