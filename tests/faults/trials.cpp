// SPDX-License-Identifier: Apache-2.0
#include "trials.h"

namespace faults {
namespace {

// Two devices, and programs that are compiled each time, whatever this program is started with.
[[maybe_unused]] const bool kEnvironmentIsSet = [] {
  setenv("CLCUDA_DEVICES", "cpu,cpu", 1);
  setenv("CLCUDA_CPU_THREADS", "2", 1);
  setenv("CLCUDA_CACHE", "0", 1);
  return true;
}();

}  // namespace

void require_sound(const std::string& when, const Voice& voice, const Scenario& scenario) {
  const Verdict sound = run(scenario.body);
  if (!sound.complaint.empty()) voice.finds(when + ": " + sound.complaint);
  if (sound.told) voice.finds(when + " a sound run fails");
}

std::uint64_t things_of_a_run(bool first, const Scenario& scenario,
                              const std::function<std::uint64_t(const Voice&, Verdict&)>& run) {
  const auto body = [&](const Voice& voice) {
    voice.at("without a fault");
    if (!first) require_sound("at first", voice, scenario);
    Verdict result;
    const std::uint64_t count = run(voice, result);
    if (!result.complaint.empty()) voice.finds(result.complaint);
    if (result.told) voice.finds("fails");
    voice.counts(count);
  };
  const Child::Result counted = Child::run(body, kSilence);
  EXPECT_TRUE(counted.complaints.empty()) << counted.complaints;
  EXPECT_GT(counted.number, 10u);
  return counted.number;
}

}  // namespace faults
