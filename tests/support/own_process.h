// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tests that need their own process: those that lose a device, fork, or terminate the process.
//
//   TEST_ALONE(DeviceFault, Wakes) { … }   // a disabled test of the fixture, and one that runs it in a new process
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/types.h>

#include <chrono>
#include <string>

namespace test {

// Waits for a process and returns its exit code, 128 + the signal that ended it, or 124 if it had to be killed.
int exit_code_of(pid_t child, std::chrono::seconds limit);

// The library under test, as configured for the ICD loader; empty if unknown.
std::string library_path();

// Adds sanitizer options for processes that are started later.
void add_options(const char* variable, const std::string& options);

// Starts a process of `program`, which has the same tests as this one, that runs one test, disabled or not; returns 0 on failure.
pid_t start_test(std::string program, const std::string& name,
                 const posix_spawn_file_actions_t* actions = nullptr);
constexpr char kThisProgram[] = "/proc/self/exe";

enum class Ends { well, early };  // early: the test ends its process by itself, with code 0

// Runs one test of this program in a new process; prints its output if it fails.
void run_alone(const std::string& name, std::chrono::seconds limit = std::chrono::seconds(120),
               Ends ends = Ends::well);

}  // namespace test

#define TEST_ALONE(fixture, name)                                              \
  TEST(fixture##Alone, name) { test::run_alone(#fixture ".DISABLED_" #name); } \
  TEST_F(fixture, DISABLED_##name)
