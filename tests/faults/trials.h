// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "child.h"
#include "scenarios.h"
#include "support/opencl.h"
#include "support/sanitized.h"

// Shared by the programs that make one thing after another fail: the n-th driver call, or the n-th memory allocation. A Case has `n` and
// text(); the text is not a substring of another case's text.
namespace faults {

using Voice = Child::Voice;

constexpr std::chrono::seconds kSilence(test::kSanitized ? 120 : 40);

void require_sound(const std::string& when, const Voice& voice, const Scenario& scenario);

// Calls `run`, and reports each kind of driver object (faulty_driver.h) of which more exist afterwards, if the number grows at every
// repetition: pools grow occasionally, leaks always. `run` ends with a run without a fault, which reuses cached objects.
void require_nothing_lost(const Voice& voice, const std::function<void()>& run);

// The number of things (a property of the test) that can fail in a run without a fault, as counted by `run`: either in the first run of a
// process, or after another run.
std::uint64_t things_of_a_run(bool first, const Scenario& scenario,
                              const std::function<std::uint64_t(const Voice&, Verdict&)>& run);

// `count` cases at random, or a third as many under sanitizers, which take several times as long; or those that CLCUDA_TEST_FAULTS selects:
// all, or those with that n.
template <class Case>
std::vector<Case> chosen(std::vector<Case> cases, std::size_t count) {
  const char* wish = std::getenv("CLCUDA_TEST_FAULTS");
  const std::string which = wish ? wish : "";
  if (which == "all") return cases;
  if (!which.empty()) {
    std::erase_if(cases, [n = std::stoull(which)](const Case& one) { return one.n != n; });
    return cases;
  }
  if (test::kSanitized) count = (count + 2) / 3;
  std::vector<Case> some;
  std::ranges::sample(cases, std::back_inserter(some), static_cast<std::ptrdiff_t>(count),
                      test::random_engine());
  return some;
}

// Runs the cases in one process. If it crashes or hangs, another process continues after the case that caused it.
template <class Case, class Body>
void try_among_others(std::vector<Case> cases, const Body& body) {
  while (!cases.empty()) {
    const Child::Result result = Child::run([&](const Voice& voice) { body(cases, voice); }, kSilence);
    EXPECT_TRUE(result.complaints.empty()) << result.complaints;
    if (result.ended_well) return;
    const auto is_last = [&](const Case& which) {
      return result.last_place.find(which.text()) != std::string::npos;
    };
    const auto last = std::ranges::find_if(cases, is_last);
    cases.erase(cases.begin(), last == cases.end() ? last : last + 1);
  }
}

// Runs each case in its own process.
template <class Case, class Body>
void try_alone(const std::vector<Case>& cases, const Body& body) {
  for (const Case& which : cases) {
    const Child::Result result = Child::run([&](const Voice& voice) { body(which, voice); }, kSilence);
    EXPECT_TRUE(result.complaints.empty()) << result.complaints;
  }
}

}  // namespace faults
