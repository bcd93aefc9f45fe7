// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

#include "support/opencl.h"

namespace test {

// Tests of log messages, with CLCUDA_LOG=info; the log is what the library writes to standard error.
class Log : public OpenCL {
 protected:
  void SetUp() override {
    const char* level = std::getenv("CLCUDA_LOG");
    if (!level || std::string(level) != "info") GTEST_SKIP() << "the log is not at info";
    OpenCL::SetUp();
  }
  template <class Call>
  static std::string log_of(Call call) {
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr();
  }
};

}  // namespace test
