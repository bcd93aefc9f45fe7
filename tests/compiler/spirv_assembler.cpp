// SPDX-License-Identifier: Apache-2.0
#include "spirv_assembler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace clcuda::compiler::testing {

std::string assembled(const std::string& text, const std::string& version) {
  const std::string stem = ::testing::TempDir() + "/clcuda_spirv_" + std::to_string(::getpid());
  std::ofstream(stem + ".spvasm") << text;
  const std::string command = std::string(CLCUDA_SPIRV_AS) + " --target-env " + version +
                              " --preserve-numeric-ids -o " + stem + ".spv " + stem + ".spvasm";
  EXPECT_EQ(std::system(command.c_str()), 0) << text;
  std::ifstream file(stem + ".spv", std::ios::binary);
  const std::string words{std::istreambuf_iterator<char>(file), {}};
  for (const char* kind : {".spvasm", ".spv"}) std::filesystem::remove(stem + kind);
  return words;
}

}  // namespace clcuda::compiler::testing
