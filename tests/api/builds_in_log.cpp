// SPDX-License-Identifier: Apache-2.0
// Log messages about builds: times of their stages, and the resources of each kernel.
#include <regex>
#include <sstream>

#include "support/log.h"

namespace {

class BuildsInLog : public test::Log {
 protected:
  // The rests of the lines that begin with `begin`.
  static std::vector<std::string> lines_behind(const std::string& log, const std::string& begin) {
    std::vector<std::string> found;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("clcuda info: " + begin)) found.push_back(line.substr(13 + begin.size()));
    return found;
  }
  std::string device_name() const {
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    return name;
  }
};

// A source that is not in the program cache.
std::string source() {
  return "// " + std::to_string(test::random_engine()()) +
         "\nkernel void sum(global int* out) {\n"
         "  local int part[64];\n"
         "  part[get_local_id(0)] = out[get_global_id(0)];\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  out[get_global_id(0)] = part[63 - get_local_id(0)];\n"
         "}\n"
         "kernel void nothing() {}\n";
}

TEST_F(BuildsInLog, HaveTheTimesOfTheirStages) {
  const std::string log = log_of([&] { build(source()); });
  const auto builds = lines_behind(log, "program for " + device_name() + ": ");
  ASSERT_EQ(builds.size(), 1u) << log;
  std::smatch parts;
  const std::regex line(
      "([0-9.]+) ms \\(front end ([0-9.]+) ms, linking ([0-9.]+) ms, optimization ([0-9.]+) ms, "
      "code generation ([0-9.]+) ms, machine code ([0-9.]+) ms, loading ([0-9.]+) ms\\)");
  ASSERT_TRUE(std::regex_match(builds[0], parts, line)) << builds[0];
  EXPECT_GE(std::stod(parts[1]) + 0.1, std::stod(parts[2])) << "the whole takes less than its first stage";
}

TEST_F(BuildsInLog, SayWhatKernelsTake) {
  test::Program program;
  const std::string log = log_of([&] { program = build(source()); });
  const std::regex line(
      "([0-9]+) registers(, spills of [0-9]+ bytes stored and [0-9]+ loaded)?, ([0-9]+) bytes of private and "
      "([0-9]+) of "
      "local memory, occupancy ([0-9]+) %");
  for (const auto& [name, bytes] : {std::pair("sum", 256ul), std::pair("nothing", 0ul)}) {
    const auto lines = lines_behind(log, "kernel " + std::string(name) + ": ");
    ASSERT_EQ(lines.size(), 1u) << log;
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(lines[0], parts, line)) << lines[0];
    EXPECT_EQ(std::stoul(parts[4]), bytes);
    EXPECT_GT(std::stoul(parts[5]), 0u);
    EXPECT_LE(std::stoul(parts[5]), 100u);
    const test::Kernel kernel = make_kernel(program, name);
    cl_ulong private_bytes = 0;
    CL_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private_bytes,
                                   &private_bytes, nullptr));
    EXPECT_EQ(std::stoul(parts[3]), private_bytes);
  }
}

TEST_F(BuildsInLog, TellOfTheGeneralVariant) {
  const test::Program program = build(source());
  const test::Kernel kernel = make_kernel(program, "nothing");
  const std::size_t offset = 1, size = 1;
  const std::string log =
      log_of([&] { clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &size, nullptr, 0, nullptr, nullptr); });
  EXPECT_EQ(lines_behind(log, "general variant for " + device_name() + ": ").size(), 1u) << log;
}

}  // namespace
