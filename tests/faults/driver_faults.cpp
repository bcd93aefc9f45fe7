// SPDX-License-Identifier: Apache-2.0
// Makes each driver call of the library fail once, with each kind of error that occurs in practice. The scenario must then succeed or end
// with an error code that the specification allows. Nothing may hang or leak, and the next scenario must succeed.
//
// Each run tries a random sample. CLCUDA_TEST_FAULTS=all: every call; a number: only that one.
#include <gtest/gtest.h>

#include <thread>

#include "faulty_driver.h"
#include "trials.h"

namespace faults {
namespace {

struct Error {
  const char* name;
  CUresult code;
  bool loses_device;  // for the whole process: all later calls fail too
};
constexpr Error kErrors[] = {
    {"out of memory", CUDA_ERROR_OUT_OF_MEMORY, false},
    {"not supported", CUDA_ERROR_NOT_SUPPORTED, false},
    {"file not found", CUDA_ERROR_FILE_NOT_FOUND, false},
    {"launch failed", CUDA_ERROR_LAUNCH_FAILED, true},
    {"unknown", CUDA_ERROR_UNKNOWN, true},
};

struct Case {
  std::uint64_t n;  // of the call, counted from 1
  const Error* error;

  std::string text() const { return "call " + std::to_string(n) + ", " + error->name; }
  driver::Fault fault() const { return {n, error->code, error->loses_device}; }
};

const Voice* voice_of_strike = nullptr;
std::string place_of_strike;

driver::Outcome run_with(const driver::Fault& fault, const std::string& place, const Voice& voice,
                         const Scenario& scenario, Verdict& result) {
  voice_of_strike = &voice;
  place_of_strike = place;
  driver::when_it_strikes([](const char* name) { voice_of_strike->at(place_of_strike + ", " + name); });
  voice.at(place);
  driver::arm(fault);
  result = run(scenario.body);
  return driver::disarm();
}

// All cases in one process.
void try_in_turn(const std::vector<Case>& cases, const Voice& voice, const Scenario& scenario) {
  voice.at("before");
  require_sound("before", voice, scenario);
  for (const Case& which : cases) {
    require_nothing_lost(voice, [&] {
      Verdict result;
      run_with(which.fault(), which.text(), voice, scenario, result);
      if (!result.complaint.empty()) voice.finds(result.complaint);
      require_sound("after it", voice, scenario);
    });
  }
}

void try_first(const Case& which, const Voice& voice, const Scenario& scenario) {
  Verdict result;
  run_with(which.fault(), which.text(), voice, scenario, result);
  if (!result.complaint.empty()) voice.finds(result.complaint);
  if (!which.error->loses_device) return require_sound("after it", voice, scenario);
  // The device stays lost, and the application gets an error.
  driver::arm({.call = 1, .error = which.error->code, .lasting = true});
  result = run(scenario.body);
  if (!result.complaint.empty()) voice.finds("after it: " + result.complaint);
  if (!result.told) voice.finds("after it: all seems well");
}

std::vector<Case> all_cases(std::uint64_t calls, bool with_losses) {
  std::vector<Case> cases;
  for (std::uint64_t call = 1; call <= calls; ++call)
    for (const Error& error : kErrors)
      if (with_losses || !error.loses_device) cases.push_back({call, &error});
  return cases;
}

class DriverFaults : public testing::TestWithParam<Scenario> {
 protected:
  static std::uint64_t calls(bool first) {
    return things_of_a_run(first, GetParam(), [](const Voice& voice, Verdict& result) {
      return run_with({}, "without a fault", voice, GetParam(), result).calls;
    });
  }
};

TEST_P(DriverFaults, OfARunAmongOthers) {
  try_among_others(chosen(all_cases(calls(false), false), 6),
                   [](const auto& cases, const Voice& voice) { try_in_turn(cases, voice, GetParam()); });
}

TEST_P(DriverFaults, OfAFirstRun) {
  try_alone(chosen(all_cases(calls(true), true), 3),
            [](const Case& which, const Voice& voice) { try_first(which, voice, GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Of, DriverFaults, testing::ValuesIn(kScenarios),
                         [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace faults
