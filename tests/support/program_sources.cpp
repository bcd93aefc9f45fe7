// SPDX-License-Identifier: Apache-2.0
#include "program_sources.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace test {
namespace {

// Written to a temporary file and renamed, because other threads and processes may write the same program.
void write(const std::filesystem::path& file, const std::string& text) {
  std::ostringstream scratch;
  scratch << file.native() << '.' << ::getpid() << '.' << std::this_thread::get_id();
  std::ofstream(scratch.str(), std::ios::binary) << text;
  std::filesystem::rename(scratch.str(), file);
}

}  // namespace

void keep_source(const std::string& source, const std::string& options) {
  const char* folder = std::getenv("CLCUDA_TEST_SOURCES");
  if (!folder) return;
  std::ostringstream name;
  name << std::hex << std::hash<std::string>()(source + '\0' + options) << ".cl";
  const std::filesystem::path file = std::filesystem::path(folder) / name.str();
  if (std::filesystem::exists(file)) return;
  write(file.native() + ".options", options);
  write(file, source);
}

}  // namespace test
