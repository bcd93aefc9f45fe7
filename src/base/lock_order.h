// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/thread_safety.h"

namespace clcuda {

// The order of all locks, stated once in lock_order.def: whoever holds a lock takes none of the same rank or
// of one further up there. Two checks hold that:
// - Clang's (-Wthread-safety-beta), of all builds, where one function sees both locks;
// - the running program's, in builds with CLCUDA_CHECK_LOCK_ORDER (those for debugging and those with sanitizers), whoever calls whom.
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

// For Clang, which knows an order between declarations: a mutex comes after what is above its rank, and
// before what is below it.
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

// A mutex's rank, as the running program checks it.
class CheckedRank {
 public:
#ifdef CLCUDA_CHECK_LOCK_ORDER
  explicit constexpr CheckedRank(LockRank rank) noexcept : rank_(rank) {}
  // Of the calling thread, which is about to wait for the mutex: ends the process where it must not.
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
