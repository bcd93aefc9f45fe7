// SPDX-License-Identifier: Apache-2.0
#include "base/lock_order.h"

#ifdef CLCUDA_CHECK_LOCK_ORDER

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace clcuda {
namespace {

const char* name(LockRank rank) {
  switch (rank) {
    case LockRank::no_lock:
      break;
#define RANK(name, outer) \
  case LockRank::name:    \
    return #name;
#include "base/lock_order.def"
#undef RANK
  }
  return "none";
}

// The ranks of the locks that a thread holds, in the order in which it took them.
class HeldLocks {
 public:
  const LockRank* begin() const { return ranks_.data(); }
  const LockRank* end() const { return begin() + count_; }
  void add(LockRank rank) {
    if (count_ == ranks_.size()) std::abort();
    ranks_[count_++] = rank;
  }
  // Removes the one of that rank that was taken last.
  void remove(LockRank rank) {
    std::size_t place = count_;
    while (place > 0 && ranks_[place - 1] != rank) --place;
    if (place == 0) std::abort();
    std::copy(ranks_.begin() + static_cast<std::ptrdiff_t>(place),
              ranks_.begin() + static_cast<std::ptrdiff_t>(count_),
              ranks_.begin() + static_cast<std::ptrdiff_t>(place - 1));
    --count_;
  }

 private:
  std::array<LockRank, 32> ranks_{};
  std::size_t count_ = 0;
};
constinit thread_local HeldLocks held;

}  // namespace

void CheckedRank::check() const noexcept {
  if (std::all_of(held.begin(), held.end(), [this](LockRank other) { return other < rank_; })) return;
  std::fprintf(stderr, "lock order (base/lock_order.def): %s is to be taken behind", name(rank_));
  for (const LockRank other : held) std::fprintf(stderr, " %s", name(other));
  std::fputc('\n', stderr);
  std::abort();
}

void CheckedRank::taken() const noexcept { held.add(rank_); }

void CheckedRank::given_back() const noexcept { held.remove(rank_); }

}  // namespace clcuda

#endif
