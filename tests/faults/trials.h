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

// What the programs share in which one thing after another fails once: the n-th call of the driver, or the n-th allocation of memory. A
// Case has `n` and text(), which no other case's text contains.
namespace faults {

using Voice = Child::Voice;

constexpr std::chrono::seconds kSilence(test::kSanitized ? 120 : 40);

void require_sound(const std::string& when, const Voice& voice, const Scenario& scenario);

// Does `run`, and finds what there is more of then of the driver's things (faulty_driver.h), if there is more every time that it is done again:
// pools grow now and then, leaks always. A run ends with a sound one, which needs what was lost.
void require_nothing_lost(const Voice& voice, const std::function<void()>& run);

// How many things there are (a property of the test) that can fail in a run without a fault, which `run` does and answers: the first of a
// process, or one after others.
std::uint64_t things_of_a_run(bool first, const Scenario& scenario,
                              const std::function<std::uint64_t(const Voice&, Verdict&)>& run);

// `count` at random; or as CLCUDA_TEST_FAULTS says: all of them, or those with that n.
template <class Case>
std::vector<Case> chosen(std::vector<Case> cases, std::size_t count) {
  const char* wish = std::getenv("CLCUDA_TEST_FAULTS");
  const std::string which = wish ? wish : "";
  if (which == "all") return cases;
  if (!which.empty()) {
    std::erase_if(cases, [n = std::stoull(which)](const Case& one) { return one.n != n; });
    return cases;
  }
  std::vector<Case> some;
  std::ranges::sample(cases, std::back_inserter(some), static_cast<std::ptrdiff_t>(count),
                      test::random_engine());
  return some;
}

// In one process as long as it lives; then in another, from the case behind the one at which it ended.
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

// Each in a process of its own.
template <class Case, class Body>
void try_alone(const std::vector<Case>& cases, const Body& body) {
  for (const Case& which : cases) {
    const Child::Result result = Child::run([&](const Voice& voice) { body(which, voice); }, kSilence);
    EXPECT_TRUE(result.complaints.empty()) << result.complaints;
  }
}

}  // namespace faults
