// SPDX-License-Identifier: Apache-2.0
// A process that ends in the middle of things, in each of the ways in which that is allowed.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "soak/episodes.h"
#include "soak/link.h"
#include "soak/printed.h"
#include "soak/random.h"
#include "soak/role.h"
#include "soak/session.h"

namespace soak {

int leave() {
  catch_printed();
  const test::RandomEngineOfThread own(role().seed);
  // Of another thread, which goes on until the process is gone.
  if (chance(50))
    std::thread([seed = mixed(role().seed, 1)] {
      const test::RandomEngineOfThread its(seed);
      for (std::uint64_t i = 0;; ++i) run_episode(any_episode(), mixed(seed, i));
    }).detach();
  auto& session = *new Session;
  for (auto left = 1 + below(60); left > 0; --left) session.step();
  std::this_thread::sleep_for(std::chrono::milliseconds(below(300)));
  tell_counts();
  if (has_failed()) _exit(1);
  switch (below(4)) {
    case 0:
      delete &session;
      return 0;
    case 1:
      std::exit(0);
    case 2:
      std::quick_exit(0);
    default:
      _exit(0);
  }
}

}  // namespace soak
