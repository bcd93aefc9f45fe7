// SPDX-License-Identifier: Apache-2.0
#include "own_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace test {

int exit_code_of(pid_t child, std::chrono::seconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return 124;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string library_path() {
  if (const char* file = std::getenv("OCL_ICD_FILENAMES")) return file;
  const char* folder = std::getenv("OCL_ICD_VENDORS");
  std::string path;
  if (folder) std::getline(std::ifstream(std::string(folder) + "/clcuda.icd"), path);
  return path;
}

void add_options(const char* variable, const std::string& options) {
  const char* before = std::getenv(variable);
  setenv(variable, ((before ? std::string(before) + ":" : std::string()) + options).c_str(), 1);
}

pid_t start_test(std::string program, const std::string& name, const posix_spawn_file_actions_t* actions) {
  std::string filter = "--gtest_filter=" + name, disabled = "--gtest_also_run_disabled_tests",
              no_file = "--gtest_output=";
  char* const arguments[] = {program.data(), filter.data(), disabled.data(), no_file.data(), nullptr};
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, program.c_str(), actions, nullptr, arguments, environ), 0);
  return child;
}
void run_alone(const std::string& name, std::chrono::seconds limit, Ends ends) {
  std::string path(testing::TempDir() + "alone_XXXXXX");
  const int file = mkstemp(path.data());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, file, 1);
  posix_spawn_file_actions_adddup2(&actions, file, 2);
  // Memory that a process still holds when it ends early is not a leak.
  const char* options = std::getenv("ASAN_OPTIONS");
  const std::string before = options ? options : "";
  if (ends == Ends::early) add_options("ASAN_OPTIONS", "detect_leaks=0");
  const pid_t child = start_test(kThisProgram, name, &actions);
  posix_spawn_file_actions_destroy(&actions);
  setenv("ASAN_OPTIONS", before.c_str(), 1);
  ASSERT_GT(child, 0);
  const int code = exit_code_of(child, limit);
  close(file);
  std::ifstream output(path);
  const std::string text{std::istreambuf_iterator<char>(output), {}};
  unlink(path.c_str());
  EXPECT_EQ(code, 0) << text;
  if (code == 0 && text.find("[  SKIPPED ] 1 test") != std::string::npos) GTEST_SKIP() << text;
  const char* sign = ends == Ends::well ? "[  PASSED  ] 1 test." : "[ RUN      ]";
  EXPECT_NE(text.find(sign), std::string::npos) << text;
  EXPECT_TRUE(ends == Ends::well || text.find("[  PASSED  ]") == std::string::npos) << text;
}

}  // namespace test
