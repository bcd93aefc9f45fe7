// SPDX-License-Identifier: Apache-2.0
// Each allocation of memory that the library makes fails once: what applications do goes on or ends with an error code of the
// specification's, nothing ends the process or hangs, and the next application finds all in order.
//
// Each run tries some at random. CLCUDA_TEST_FAULTS=all: every one; a number: that one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "child.h"
#include "faulty_allocation.h"
#include "scenarios.h"
#include "support/sanitized.h"

namespace faults {
namespace {

using std::chrono::seconds;
using Voice = Child::Voice;

// Two devices, and programs that are compiled each time, whatever this program is started with.
[[maybe_unused]] const bool kEnvironmentIsSet = [] {
  setenv("CLCUDA_DEVICES", "cpu,cpu", 1);
  setenv("CLCUDA_CPU_THREADS", "2", 1);
  setenv("CLCUDA_CACHE", "0", 1);
  return true;
}();

constexpr seconds kSilence(test::kSanitized ? 120 : 40);
constexpr std::size_t kTried = 20;

std::string text(std::uint64_t n) { return "allocation " + std::to_string(n); }

allocation::Outcome run_with(std::uint64_t n, const Scenario& scenario, Verdict& result) {
  allocation::arm(n);
  result = run(scenario.body);
  return allocation::disarm();
}

void require_sound(const Voice& voice, const Scenario& scenario) {
  const Verdict sound = run(scenario.body);
  if (!sound.complaint.empty()) voice.finds("in a sound run: " + sound.complaint);
  if (sound.told) voice.finds("a sound run fails");
}

void try_in_turn(const std::vector<std::uint64_t>& cases, const Voice& voice, const Scenario& scenario) {
  voice.at("before");
  require_sound(voice, scenario);
  for (const std::uint64_t n : cases) {
    voice.at(text(n) + ".");
    Verdict result;
    run_with(n, scenario, result);
    if (!result.complaint.empty()) voice.finds(result.complaint);
    voice.at(text(n) + ". after it");
    require_sound(voice, scenario);
  }
}

std::vector<std::uint64_t> chosen(std::uint64_t count) {
  const char* wish = std::getenv("CLCUDA_TEST_FAULTS");
  const std::string which = wish ? wish : "";
  if (!which.empty() && which != "all") return {std::stoull(which)};
  std::vector<std::uint64_t> cases(count), some;
  for (std::uint64_t i = 0; i < count; ++i) cases[i] = i + 1;
  if (which == "all") return cases;
  std::ranges::sample(cases, std::back_inserter(some), kTried, test::random_engine());
  return some;
}

class AllocationFaults : public testing::TestWithParam<Scenario> {
 protected:
  // How many there are in a run: the first of a process, or one after others.
  static std::uint64_t allocations(bool first) {
    const Child::Result counted = Child::run(
        [first](const Voice& voice) {
          voice.at("without a fault");
          if (!first) require_sound(voice, GetParam());
          Verdict result;
          const allocation::Outcome outcome = run_with(0, GetParam(), result);
          if (!result.complaint.empty()) voice.finds(result.complaint);
          if (result.told) voice.finds("fails");
          voice.counts(outcome.allocations);
        },
        kSilence);
    EXPECT_TRUE(counted.complaints.empty()) << counted.complaints;
    EXPECT_GT(counted.number, 10u);
    return counted.number;
  }
};

TEST_P(AllocationFaults, OfARunAmongOthers) {
  std::vector<std::uint64_t> cases = chosen(allocations(false));
  while (!cases.empty()) {
    const auto body = [&](const Voice& voice) { try_in_turn(cases, voice, GetParam()); };
    const Child::Result result = Child::run(body, kSilence);
    EXPECT_TRUE(result.complaints.empty()) << result.complaints;
    if (result.ended_well) return;
    // What comes behind the case at which the process ended.
    const auto is_last = [&](std::uint64_t n) { return result.last_place.starts_with(text(n) + "."); };
    const auto last = std::ranges::find_if(cases, is_last);
    cases.erase(cases.begin(), last == cases.end() ? last : last + 1);
  }
}

TEST_P(AllocationFaults, OfAFirstRun) {
  std::vector<std::uint64_t> cases = chosen(allocations(true));
  if (!std::getenv("CLCUDA_TEST_FAULTS")) cases.resize(std::min<std::size_t>(cases.size(), 5));
  for (const std::uint64_t n : cases) {
    const auto body = [&](const Voice& voice) {
      voice.at(text(n));
      Verdict result;
      run_with(n, GetParam(), result);
      if (!result.complaint.empty()) voice.finds(result.complaint);
      require_sound(voice, GetParam());
    };
    const Child::Result result = Child::run(body, kSilence);
    EXPECT_TRUE(result.complaints.empty()) << result.complaints;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, AllocationFaults, testing::ValuesIn(kScenarios),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace faults
