// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace soak {

// A process's role and options, from its command line.
struct Role {
  std::string name;  // empty: the supervisor
  std::uint64_t seed = 0;
  std::string episode;  // the only one to run, if not empty
  bool repeats_programs =
      false;  // out of a few, which the program cache comes to have; otherwise each is new
  unsigned threads = 2, processes = 2;
  unsigned seconds = 25;
  long leak =
      0;  // KiB that each process that is measured loses at each rest, so that it can be seen that this is found
};
// The role of this process.
Role& role();

// A variable in the environment of processes whose commands access the same memory at the same time, which is their own error. It is no
// option, because ThreadSanitizer asks for its suppressions before a process has its options.
constexpr const char* kHasRacesOfItsOwn = "CLCUDA_SOAK_HAS_RACES";

// The functions of the roles; each returns the process's exit code.
int supervise();  // starts, measures and ends processes of all other roles, and reports
int work();       // threads that run episodes, and pause when the supervisor measures
int lose();       // loses its device through its own kernel
int leave();      // ends while its commands are in flight
int repeat();     // runs one episode, with the process's seed

// For a program that contains numbers.
std::uint64_t any_program_number();

}  // namespace soak
