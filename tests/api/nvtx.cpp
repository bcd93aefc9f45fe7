// SPDX-License-Identifier: Apache-2.0
// CLCUDA_NVTX: calls and stages of builds as NVTX ranges, as recorded by a tool that NVTX loads (nvtx_tool.cpp).
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

class Annotated : public test::OpenCL {};

TEST_F(Annotated, DISABLED_Calls) {
  const test::Program program = build("kernel void empty() {}");
  const test::Kernel kernel = make_kernel(program, "empty");
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
}

class Nvtx : public testing::Test {
 protected:
  // The tool's output, line by line.
  std::vector<std::string> lines_of(const char* wanted) const {
    const std::string file = testing::TempDir() + "nvtx_" + std::to_string(getpid());
    setenv("NVTX_INJECTION64_PATH", NVTX_TOOL, 1);
    setenv("NVTX_TOOL_FILE", file.c_str(), 1);
    setenv("CLCUDA_NVTX", wanted, 1);
    const pid_t child = test::start_test(test::kThisProgram, "Annotated.DISABLED_Calls");
    EXPECT_EQ(test::exit_code_of(child, std::chrono::seconds(100)), 0);
    for (const char* variable : {"NVTX_INJECTION64_PATH", "NVTX_TOOL_FILE", "CLCUDA_NVTX"})
      unsetenv(variable);
    std::vector<std::string> lines;
    std::ifstream input(file);
    for (std::string line; std::getline(input, line);) lines.push_back(line);
    std::filesystem::remove(file);
    return lines;
  }
};

TEST_F(Nvtx, HasRangesOfCallsAndStages) {
  std::map<std::string, int> count;
  for (const std::string& line : lines_of("1")) ++count[line];
  EXPECT_EQ(count["clcuda: push clEnqueueNDRangeKernel"], 1);
  EXPECT_EQ(count["clcuda: push clBuildProgram"], 1);
  for (const char* stage : {"program", "front end", "optimization", "machine code", "loading"})
    EXPECT_GE(count[std::string("clcuda: push ") + stage], 1) << stage;
  int open = 0;
  for (const auto& [line, times] : count) open += (line == "clcuda: pop" ? -1 : 1) * times;
  EXPECT_EQ(open, 0);
}

TEST_F(Nvtx, IsAskedForNothingOtherwise) { EXPECT_EQ(lines_of("0"), std::vector<std::string>()); }

}  // namespace
