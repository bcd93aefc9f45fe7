// SPDX-License-Identifier: Apache-2.0
// Several processes with several threads do random work for any length of time. Some are killed, some exit with commands in flight, and
// some lose their device. Results are checked, and memory must not grow. scripts/soak runs it for longer. The options are those of Role.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "api/random_calls/application_races.h"
#include "soak/episodes.h"
#include "soak/role.h"
#include "support/crash_report.h"
#include "support/sanitized.h"

// Called before ThreadSanitizer is ready for code that it has instrumented.
extern "C" __attribute__((visibility("default"), disable_sanitizer_instrumentation)) const char*
__tsan_default_suppressions() {
  return std::getenv(soak::kHasRacesOfItsOwn) ? test::kApplicationRaces : "";
}

namespace soak {
namespace {

void usage(const char* unknown) {
  std::fprintf(stderr,
               "soak: %s\nusage: soak [--seconds N] [--seed N] [--threads N] [--processes N] [--leak KIB]\n"
               "       soak --episode NAME --seed N [--repeats-programs]\n",
               unknown);
  std::exit(2);
}

template <class T>
void take_number(const char* text, T& number) {
  const char* end = text + std::strlen(text);
  if (std::from_chars(text, end, number).ptr != end || text == end) usage(text);
}

void take_options(int count, char** words) {
  Role& all = role();
  if (const char* seconds = std::getenv("CLCUDA_TEST_SECONDS")) take_number(seconds, all.seconds);
  all.seed = std::random_device{}();
  if (const char* seed = std::getenv("CLCUDA_TEST_SEED")) take_number(seed, all.seed);
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--repeats-programs") {
      all.repeats_programs = true;
      continue;
    }
    if (i + 1 == count) usage(words[i]);
    const char* value = words[++i];
    if (word == "--role")
      all.name = value;
    else if (word == "--episode")
      all.episode = value;
    else if (word == "--seed")
      take_number(value, all.seed);
    else if (word == "--seconds")
      take_number(value, all.seconds);
    else if (word == "--threads")
      take_number(value, all.threads);
    else if (word == "--processes")
      take_number(value, all.processes);
    else if (word == "--leak")
      take_number(value, all.leak);
    else
      usage(words[i - 1]);
  }
}

int run() {
  const std::string& name = role().name;
  if (name == "work") return work();
  if (name == "lose") return lose();
  if (name == "leave") return leave();
  if (!role().episode.empty()) return repeat();
  return supervise();
}

}  // namespace

Role& role() {
  static Role& own = *new Role;  // threads may read it while the process ends
  return own;
}

}  // namespace soak

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  soak::watch_failures();
  soak::take_options(count, words);
  test::report_crashes();
  return soak::run();
}
