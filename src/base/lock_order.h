// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/thread_safety.h"

namespace clcuda {

// The order of all locks, stated once in lock_order.def: a thread that holds a lock must not take one of the same rank, or of a rank
// further up in that file. Two checks enforce it:
// - Clang's (-Wthread-safety-beta), in all builds, for locks that one function takes;
// - at run time, in builds with CLCUDA_CHECK_LOCK_ORDER (those for debugging and those with sanitizers), for all locks of a thread.
//
//   Mutex mutex_ LOCK_RANK(queue);
enum class LockRank : std::uint8_t {
  no_lock,
#define RANK(name, outer) name,
#include "base/lock_order.def"
#undef RANK
};

#define RANK(name, outer) \
  static_assert(static_cast<int>(LockRank::name) == static_cast<int>(LockRank::outer) + 1);
#include "base/lock_order.def"
#undef RANK

// For Clang's analysis, which only orders declarations: a mutex is acquired after the border above its rank, and before the one below.
namespace lock_order {
class CAPABILITY("lock rank") Border {};
inline constexpr Border below_no_lock{};
#define RANK(name, outer)                                               \
  inline constexpr Border above_##name ACQUIRED_AFTER(below_##outer){}; \
  inline constexpr Border below_##name ACQUIRED_AFTER(above_##name){};
#include "base/lock_order.def"
#undef RANK
}  // namespace lock_order

#define LOCK_RANK(name) \
  ACQUIRED_AFTER(lock_order::above_##name) ACQUIRED_BEFORE(lock_order::below_##name) { LockRank::name }

// The rank of a mutex, for the check at run time.
class CheckedRank {
 public:
#ifdef CLCUDA_CHECK_LOCK_ORDER
  explicit constexpr CheckedRank(LockRank rank) noexcept : rank_(rank) {}
  // Called before the thread waits for the mutex. Ends the process if the order does not allow it.
  void check() const noexcept;
  void taken() const noexcept;
  void given_back() const noexcept;

 private:
  LockRank rank_;
#else
  explicit constexpr CheckedRank(LockRank) noexcept {}
  void check() const noexcept {}
  void taken() const noexcept {}
  void given_back() const noexcept {}
#endif
};

}  // namespace clcuda
