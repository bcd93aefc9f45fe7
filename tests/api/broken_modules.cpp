// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules with a few random changes: each is rejected or built, and the process survives. CLCUDA_TEST_SEED repeats a run,
// CLCUDA_TEST_SECONDS makes it longer.
#include <chrono>

#include "support/module_mutation.h"
#include "support/spirv.h"

namespace {

class BrokenModules : public test::ModulePrograms {
 protected:
  // Writes the module to a file for inspection.
  static std::string kept(const std::string& bytes) {
    const std::string file = testing::TempDir() + "broken_module.spv";
    std::ofstream(file, std::ios::binary) << bytes;
    return "the module is " + file;
  }
  // Any module gives an error code that the specification lists, and a failed build has a log.
  void take(const std::string& bytes) const {
    cl_int error = 1;
    const test::Program program = clCreateProgramWithIL(context, bytes.data(), bytes.size(), &error);
    EXPECT_EQ(error == CL_SUCCESS, program.get() != nullptr);
    if (!program) CL_EXPECT(CL_INVALID_VALUE, error);
    if (!program) return;
    const cl_int code = build_error(program);
    if (code == CL_SUCCESS) return;
    EXPECT_TRUE(code == CL_BUILD_PROGRAM_FAILURE || code == CL_OUT_OF_HOST_MEMORY) << test::error_name(code);
    const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
    EXPECT_NE("", log);
    // A crash of the compiler does not end the process but fails the build with this message.
    EXPECT_EQ(std::string::npos, log.find("the compiler failed")) << log << kept(bytes);
  }
  static std::size_t below(std::size_t end) {
    return static_cast<std::size_t>(test::random_engine()() % end);
  }
};

constexpr const char* kModules[] = {"scale", "constants", "exports", "work_group", "arguments", "mixed"};

TEST_F(BrokenModules, CutOffAtEachInstruction) {
  const std::vector<std::string> instructions = test::instructions_of(test::module("scale"));
  std::string bytes;
  for (const std::string& instruction : instructions) take(bytes += instruction);
}

TEST_F(BrokenModules, WithoutOneInstruction) {
  const std::vector<std::string> instructions = test::instructions_of(test::module("scale"));
  for (std::size_t left_out = 1; left_out < instructions.size(); ++left_out) {
    std::string bytes;
    for (std::size_t i = 0; i < instructions.size(); ++i)
      if (i != left_out) bytes += instructions[i];
    take(bytes);
  }
}

TEST_F(BrokenModules, WithIdsAtTheBound) {
  std::string module = test::module("scale");
  for (const cl_uint bound : {0u, 1u, 2u, 0x400000u, 0xFFFFFFFFu}) {
    std::memcpy(module.data() + 12, &bound, sizeof bound);
    take(module);
  }
}

TEST_F(BrokenModules, AreRefusedOrBuilt) {
  std::vector<std::string> modules;
  for (const char* name : kModules) modules.push_back(test::module(name));
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 5);
  int times = 0;
  for (; times < 20 || std::chrono::steady_clock::now() < end; ++times)
    take(test::mutated_module(modules[below(modules.size())], 4));
  RecordProperty("times", times);
}

}  // namespace
