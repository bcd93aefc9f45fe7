// SPDX-License-Identifier: Apache-2.0
// The log message about what kernels print: a warning if the standard output does not take it.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "support/log.h"

namespace {

class PrintfInLog : public test::Log {
 protected:
  // Whether there is a warning about a kernel that prints.
  bool warns() const {
    const test::Program program = build("kernel void say() { printf(\"said\\n\"); }");
    const test::Kernel kernel = make_kernel(program, "say");
    const std::string log = log_of([&] {
      const std::size_t one = 1;
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      CL_OK(clFinish(queue));
    });
    return log.find("clcuda warning: printf: the standard output does not take") != std::string::npos;
  }
};

TEST_F(PrintfInLog, WarnsOfTextThatTheStandardOutputRefuses) {
  std::fflush(stdout);
  const int output = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(output, 0);
  ASSERT_GE(full, 0);
  ASSERT_GE(dup2(full, STDOUT_FILENO), 0);
  const bool warned = warns();
  ASSERT_GE(dup2(output, STDOUT_FILENO), 0);
  std::clearerr(stdout);
  close(output);
  close(full);
  EXPECT_TRUE(warned);
}

TEST_F(PrintfInLog, OtherwiseThereIsNoWarning) {
  testing::internal::CaptureStdout();
  const bool warned = warns();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "said\n");
  EXPECT_FALSE(warned);
}

}  // namespace
