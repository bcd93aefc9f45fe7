// SPDX-License-Identifier: Apache-2.0
#include "base/lock_order.h"

#include <gtest/gtest.h>

#include "base/mutex.h"

namespace clcuda {
namespace {

class LockOrder : public ::testing::Test {
 protected:
  // Hides from the compiler's static analysis that two locks are held, as in most functions of the library.
  template <class Then>
  static void with(Mutex& mutex, const Then& then) {
    const MutexLock lock(mutex);
    then();
  }
  void SetUp() override {
#ifndef CLCUDA_CHECK_LOCK_ORDER
    GTEST_SKIP() << "this build does not check it";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }

  Mutex queue_{LockRank::queue}, other_queue_{LockRank::queue}, command_{LockRank::command},
      resources_{LockRank::device_memory};
};

TEST_F(LockOrder, LetsInnerLocksBeTakenBehindOuterOnes) {
  int taken = 0;
  with(queue_, [&] { with(command_, [&] { with(resources_, [&] { ++taken; }); }); });
  with(queue_, [&] { with(resources_, [&] { ++taken; }); });
  EXPECT_EQ(taken, 2);
}

TEST_F(LockOrder, EndsAProcessThatTakesAnOuterLockBehindAnInnerOne) {
  EXPECT_DEATH(with(resources_, [&] { with(queue_, [] {}); }), "queue is to be taken behind device_memory");
  EXPECT_DEATH(with(queue_, [&] { with(resources_, [&] { with(command_, [] {}); }); }),
               "command is to be taken behind queue device_memory");
}

// Two locks of the same rank have no order.
TEST_F(LockOrder, EndsAProcessThatTakesTwoLocksOfOneRank) {
  EXPECT_DEATH(with(queue_, [&] { with(other_queue_, [] {}); }), "queue is to be taken behind queue");
}

TEST_F(LockOrder, ForgetsLocksThatWereGivenBack) {
  MutexLock outer(queue_);
  MutexLock inner(resources_);
  inner.unlock();
  with(command_, [] {});
  inner.lock();
  outer.unlock();  // not in reverse order
  EXPECT_DEATH(with(command_, [] {}), "command is to be taken behind device_memory");
  inner.unlock();
  with(queue_, [] {});
}

// try_lock() cannot deadlock, but locks taken after it are checked against it.
TEST_F(LockOrder, LetsALockBeTriedBehindAnyOther) {
  MutexLock inner(resources_);
  if (!queue_.try_lock()) FAIL() << "nobody has it";
  {
    const MutexLock outer(queue_, std::adopt_lock);
    EXPECT_DEATH(with(command_, [] {}), "command is to be taken behind device_memory queue");
  }
  inner.unlock();
  with(queue_, [] {});
}

}  // namespace
}  // namespace clcuda
