// SPDX-License-Identifier: Apache-2.0
// Random calls with random arguments: handles of every type, released and foreign ones; arbitrary sizes, flags and names. Each call must
// return a code that the specification lists for the function, and the process must survive. CLCUDA_TEST_SEED repeats a run (as far as
// threads allow), CLCUDA_TEST_SECONDS makes it longer, CLCUDA_TEST_TRACE prints each call before it is made.
#include <chrono>
#include <cstdlib>
#include <set>
#include <string>

#include "api/random_calls/application_races.h"
#include "api/random_calls/caller.h"
#include "support/crash_report.h"

extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return test::kApplicationRaces;
}

namespace {

class RandomCalls : public test::OpenCL {
 public:
  static void SetUpTestSuite() { test::report_crashes(); }
};

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
