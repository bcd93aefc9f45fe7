// SPDX-License-Identifier: Apache-2.0
// Any function with any arguments: handles of every kind, dead ones and foreign ones; sizes, flags and names from everywhere. Whatever
// comes, the answer is a code that the specification has for the function, and the process goes on. CLCUDA_TEST_SEED repeats a run (as
// far as threads allow), CLCUDA_TEST_SECONDS makes it longer, CLCUDA_TEST_TRACE says each call before it is made.
#include <chrono>
#include <cstdlib>
#include <set>
#include <string>

#include "api/random_calls/caller.h"

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
