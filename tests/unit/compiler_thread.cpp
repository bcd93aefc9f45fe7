// SPDX-License-Identifier: Apache-2.0
#include "base/compiler_thread.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "base/signal_guard.h"
#include "support/sanitized.h"

namespace clcuda {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A machine that is busy with other work gives a compiler thread less of its time.
TEST(CompilerThread, WaitingTakesNoneOfItsPatience) {
  bool done = false;
  const auto work = [&] {
    std::this_thread::sleep_for(milliseconds(2500));
    done = true;
  };
  EXPECT_NO_THROW(run_and_wait_for(seconds(1), work));
  EXPECT_TRUE(done);
  done = false;
  EXPECT_NO_THROW(run_on_compiler_thread(work, seconds(1)));
  EXPECT_TRUE(done);
}

TEST(CompilerThread, WorkTakesItsPatience) {
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  const auto work = [stop] {
    while (!*stop) {
    }
  };
  EXPECT_THROW(run_and_wait_for(seconds(1), work), CompilerFault);
  *stop = true;
}

TEST(CompilerThread, EndlessLoopIsInterrupted) {
  if (test::kDelaysSignals) GTEST_SKIP() << "the loop makes no call";
  for (int i = 0; i < 2; ++i) {
    std::atomic<bool> begun = false;
    const auto loop = [&] {
      for (;;) begun = true;
    };
    EXPECT_THROW(run_on_compiler_thread(loop, milliseconds(300)), CompilerFault);
    EXPECT_TRUE(begun);
  }
}

// A signal comes without information when the user has too many queued.
TEST(CompilerThread, EndlessLoopIsInterruptedWithoutQueuedSignals) {
  if (test::kDelaysSignals) GTEST_SKIP() << "the loop makes no call";
  struct rlimit before{};
  ASSERT_EQ(0, getrlimit(RLIMIT_SIGPENDING, &before));
  const struct rlimit none{0, before.rlim_max};
  ASSERT_EQ(0, setrlimit(RLIMIT_SIGPENDING, &none));
  std::atomic<bool> begun = false;
  EXPECT_THROW(run_on_compiler_thread(
                   [&] {
                     for (;;) begun = true;
                   },
                   milliseconds(200)),
               CompilerFault);
  EXPECT_EQ(0, setrlimit(RLIMIT_SIGPENDING, &before));
}

// A thread that waits for another one, which uses its frames, is not left; nor one in an allocator.
TEST(CompilerThread, UninterruptibleWorkEndsFirst) {
  if (test::kDelaysSignals) GTEST_SKIP() << "the loop makes no call";
  bool done = false;
  std::atomic<bool> begun = false;
  const auto work = [&] {
    {
      const Uninterruptible here;
      const auto end = std::chrono::steady_clock::now() + milliseconds(1500);
      while (std::chrono::steady_clock::now() < end) begun = true;
      done = true;
    }
    for (;;) begun = true;
  };
  EXPECT_THROW(run_on_compiler_thread(work, milliseconds(200)), CompilerFault);
  EXPECT_TRUE(done);
}

// The program's handler gets no signal that is not for it; the loop ends when the handler is gone.
TEST(CompilerThread, HandlerOfTheProgramSeesNoInterruption) {
  if (test::kDelaysSignals) GTEST_SKIP() << "the loop makes no call";
  EXPECT_NO_THROW(run_on_compiler_thread([] {}, seconds(1)));  // installs the handlers
  static std::atomic<int> calls;
  calls = 0;
  struct sigaction own{}, before{};
  own.sa_handler = [](int) { ++calls; };
  ASSERT_EQ(0, sigaction(SIGILL, &own, &before));
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(1500));
    sigaction(SIGILL, &before, nullptr);
  });
  std::atomic<bool> begun = false;
  const auto loop = [&] {
    for (;;) begun = true;
  };
  EXPECT_THROW(run_on_compiler_thread(loop, milliseconds(200)), CompilerFault);
  later.join();
  EXPECT_EQ(0, calls);
}

}  // namespace
}  // namespace clcuda
