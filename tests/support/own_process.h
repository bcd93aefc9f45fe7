// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tests that need their own process: those that lose a device, fork, or terminate the process.
//
//   TEST_ALONE(DeviceFault, Wakes) { … }   // a disabled test of the fixture, and one that runs it in a new process
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace test {

// Waits for a process and returns its exit code, 128 + the signal that ended it, or 124 if it had to be killed.
inline int exit_code_of(pid_t child, std::chrono::seconds limit) {
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

// The library under test, as configured for the ICD loader; empty if unknown.
inline std::string library_path() {
  if (const char* file = std::getenv("OCL_ICD_FILENAMES")) return file;
  const char* folder = std::getenv("OCL_ICD_VENDORS");
  std::string path;
  if (folder) std::getline(std::ifstream(std::string(folder) + "/clcuda.icd"), path);
  return path;
}

// Adds sanitizer options for processes that are started later.
inline void add_options(const char* variable, const std::string& options) {
  const char* before = std::getenv(variable);
  setenv(variable, ((before ? std::string(before) + ":" : std::string()) + options).c_str(), 1);
}

// Starts a process of `program`, which has the same tests as this one, that runs one test, disabled or not; returns 0 on failure.
inline pid_t start_test(std::string program, const std::string& name,
                        const posix_spawn_file_actions_t* actions = nullptr) {
  std::string filter = "--gtest_filter=" + name, disabled = "--gtest_also_run_disabled_tests",
              no_file = "--gtest_output=";
  char* const arguments[] = {program.data(), filter.data(), disabled.data(), no_file.data(), nullptr};
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, program.c_str(), actions, nullptr, arguments, environ), 0);
  return child;
}
constexpr char kThisProgram[] = "/proc/self/exe";

enum class Ends { well, early };  // early: the test ends its process by itself, with code 0

// Runs one test of this program in a new process; prints its output if it fails.
inline void run_alone(const std::string& name, std::chrono::seconds limit = std::chrono::seconds(120),
                      Ends ends = Ends::well) {
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

#define TEST_ALONE(fixture, name)                                              \
  TEST(fixture##Alone, name) { test::run_alone(#fixture ".DISABLED_" #name); } \
  TEST_F(fixture, DISABLED_##name)
