// SPDX-License-Identifier: Apache-2.0
#include "base/compiler_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace clcuda {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A machine that is busy with other work gives a compiler thread less of its time.
TEST(CompilerThread, WaitingTakesNoneOfItsPatience) {
  bool done = false;
  EXPECT_NO_THROW(run_on_compiler_thread(
      [&] {
        std::this_thread::sleep_for(milliseconds(2500));
        done = true;
      },
      seconds(1)));
  EXPECT_TRUE(done);
}

TEST(CompilerThread, WorkTakesItsPatience) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  const auto work = [stop] {
    while (!*stop) {
    }
  };
  EXPECT_THROW(run_on_compiler_thread(work, seconds(1)), CompilerFault);
  *stop = true;
}

}  // namespace
}  // namespace clcuda
