// SPDX-License-Identifier: Apache-2.0
#include "trials.h"

#include <map>
#include <thread>

#include "faulty_driver.h"

namespace faults {
namespace {

// Two devices without the program cache, regardless of the environment.
[[maybe_unused]] const bool kEnvironmentIsSet = [] {
  setenv("CLCUDA_DEVICES", "cpu,cpu", 1);
  setenv("CLCUDA_CPU_THREADS", "2", 1);
  setenv("CLCUDA_CACHE", "0", 1);
  return true;
}();

// Returns as soon as no more objects exist than before, or after a second, in which the library can free cached ones.
std::map<std::string, long> settled_things(const std::map<std::string, long>& before) {
  const auto more = [&before](const auto& now) {
    return std::ranges::any_of(now, [&](const auto& thing) { return thing.second > before.at(thing.first); });
  };
  auto now = driver::things();
  for (int pauses = 0; more(now) && pauses < 100; ++pauses) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    now = driver::things();
  }
  return now;
}

}  // namespace

void require_sound(const std::string& when, const Voice& voice, const Scenario& scenario) {
  const Verdict sound = run(scenario.body);
  if (!sound.complaint.empty()) voice.finds(when + ": " + sound.complaint);
  if (sound.told) voice.finds(when + " a sound run fails");
}

void require_nothing_lost(const Voice& voice, const std::function<void()>& run) {
  auto before = driver::things();
  run();
  auto now = settled_things(before);
  if (now == before) return;
  constexpr int kTimes = 6;
  std::map<std::string, int> growths;
  for (int i = 0; i < kTimes; ++i) {
    before = std::move(now);
    run();
    now = settled_things(before);
    for (const auto& [kind, count] : now) growths[kind] += count > before[kind];
  }
  std::string kinds;
  for (const auto& [kind, times] : growths)
    if (times == kTimes) kinds += " " + kind;
  if (!kinds.empty()) voice.finds("leaks" + kinds);
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
  testing::Test::RecordProperty("things", std::to_string(counted.number));
  return counted.number;
}

}  // namespace faults
