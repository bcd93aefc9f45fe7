// SPDX-License-Identifier: Apache-2.0
// Makes each memory allocation of the library fail once. The scenario must then succeed or end with an error code that the specification
// allows. The process must not terminate or hang, no driver resource may leak, and the next scenario must succeed.
//
// Each run tries a random sample. CLCUDA_TEST_FAULTS=all: every allocation; a number: only that one.
#include "faulty_allocation.h"
#include "trials.h"

namespace faults {
namespace {

struct Case {
  std::uint64_t n;  // of the allocation, counted from 1

  std::string text() const { return "allocation " + std::to_string(n) + "."; }
};

std::uint64_t run_with(std::uint64_t n, const Scenario& scenario, Verdict& result) {
  allocation::arm(n);
  result = run(scenario.body);
  return allocation::disarm().allocations;
}

void try_one(const Case& which, const Voice& voice, const Scenario& scenario) {
  voice.at(which.text());
  Verdict result;
  run_with(which.n, scenario, result);
  if (!result.complaint.empty()) voice.finds(result.complaint);
  voice.at(which.text() + " after it");
  require_sound("after it", voice, scenario);
}

std::vector<Case> all_cases(std::uint64_t allocations) {
  std::vector<Case> cases;
  for (std::uint64_t n = 1; n <= allocations; ++n) cases.push_back({n});
  return cases;
}

class AllocationFaults : public testing::TestWithParam<Scenario> {
 protected:
  static std::uint64_t allocations(bool first) {
    return things_of_a_run(first, GetParam(),
                           [](const Voice&, Verdict& result) { return run_with(0, GetParam(), result); });
  }
};

TEST_P(AllocationFaults, OfARunAmongOthers) {
  try_among_others(chosen(all_cases(allocations(false)), 20), [](const auto& cases, const Voice& voice) {
    voice.at("before");
    require_sound("before", voice, GetParam());
    for (const Case& which : cases) require_nothing_lost(voice, [&] { try_one(which, voice, GetParam()); });
  });
}

TEST_P(AllocationFaults, OfAFirstRun) {
  try_alone(chosen(all_cases(allocations(true)), 5),
            [](const Case& which, const Voice& voice) { try_one(which, voice, GetParam()); });
}

// The first allocations of a process are the same in all scenarios: those that read the environment and find the devices.
TEST(AllocationFaultsAtStart, AreReported) {
  std::vector<Case> first;
  for (std::uint64_t n = 1; n <= 10; ++n) first.push_back({n});
  const auto objects = std::ranges::find(kScenarios, std::string_view("Objects"), &Scenario::name);
  ASSERT_NE(objects, std::ranges::end(kScenarios));
  try_alone(first, [&](const Case& which, const Voice& voice) { try_one(which, voice, *objects); });
}

INSTANTIATE_TEST_SUITE_P(Of, AllocationFaults, testing::ValuesIn(kScenarios),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace faults
