// SPDX-License-Identifier: Apache-2.0
// Any function with any arguments: handles of every kind, dead ones and foreign ones; sizes, flags and names from everywhere. Whatever
// comes, the answer is a code that the specification has for the function, and the process goes on. CLCUDA_TEST_SEED repeats a run (as
// far as threads allow), CLCUDA_TEST_SECONDS makes it longer, CLCUDA_TEST_TRACE says each call before it is made.
#include <chrono>
#include <cstdlib>
#include <set>
#include <string>

#include "api/random_calls/caller.h"

// What commands do to the application's memory, and to that of its buffers and images, is its own affair: here two may well use a place at once,
// which harms nobody but the application. ThreadSanitizer, whose library asks for this function, reports none of those that move the bytes.
// It passes over a race where a pattern is part of any name on either stack: so these are functions that do nothing else, and nothing that
// calls the API is among them. The calls themselves read bytes of their own (Arguments::value).
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "race:ptx/execute/\n"
         "race:ptx/driver/entry_points/copy.cpp\n"
         "race:ptx/driver/entry_points/copy_3d.cpp\n"
         "race:ptx/driver/entry_points/memset.cpp\n"
         "race:clcuda::copy_bytes\n"
         "race:clcuda::fill_bytes\n"
         "race:clcuda::pack\n"
         "race:clcuda::unpack\n";
}

namespace {

using RandomCalls = test::OpenCL;

TEST_F(RandomCalls, AnswerWithADocumentedCode) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const std::chrono::seconds time(wanted ? std::atoi(wanted) : 5);
  test::Caller caller(context, device);
  const auto begin = std::chrono::steady_clock::now();
  std::set<std::string> odd;
  int calls = 0;
  for (; !HasFailure() && std::chrono::steady_clock::now() - begin < time; ++calls)
    if (const std::string complaint = caller.call(); !complaint.empty()) odd.insert(complaint);
  EXPECT_EQ(std::set<std::string>(), odd);
  RecordProperty("calls", calls);
  EXPECT_GT(calls, 100);
}

}  // namespace
