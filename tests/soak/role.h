// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace soak {

// What a process of a soak is told on its command line.
struct Role {
  std::string name;  // empty: the supervisor
  std::uint64_t seed = 0;
  std::string episode;  // the only one, if it is named
  bool repeats_programs =
      false;  // out of a few, which the program cache comes to have; otherwise each is new
  unsigned threads = 2, processes = 2;
  unsigned seconds = 25;
  long leak =
      0;  // KiB that each process that is measured loses at each rest, so that it can be seen that this is found
};
// The process's own.
Role& role();

// The roles; each gives the process's exit code.
int supervise();  // starts processes of all other roles, measures them, ends them, and says what came of it
int work();    // threads that run episodes until the supervisor has enough, with rests in which it measures
int lose();    // loses its device by a kernel of its own
int leave();   // ends while its commands are under way
int repeat();  // one episode, whose seed is the process's

// Of a program with numbers in it.
std::uint64_t any_program_number();

}  // namespace soak
