// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "base/mutex.h"
#include "base/ref.h"
#include "ptx/driver/context.h"

namespace clcuda::ptx::driver {

enum class MemoryKind : std::uint8_t { device, pool, module, array, host, managed };

// One allocation, as the functions that take addresses see it. A value.
struct Allocation {
  CUdeviceptr address = 0;
  std::size_t size = 0;  // as asked for
  MemoryKind kind = MemoryKind::device;
  std::uint64_t id = 0;  // never used twice
  Ref<Context> context;
  Ref<RefCounted>
      pool;  // of kind `pool` only: the MemoryPool (MemoryPool::of), which lives as long as its memory
  std::size_t pages = 0;  // bytes committed
  std::size_t guard = 0;  // bytes behind them that nothing may touch

  bool contains(CUdeviceptr begin, std::size_t bytes) const {
    return begin >= address && bytes <= size && begin - address <= size - bytes;
  }
};

// A range of addresses reserved once, from which allocations are cut. Each is committed when it is made, ends
// just before a page that nothing may touch (up to the alignment of 512; within a page if it is large), and
// is inaccessible again once freed; fresh addresses are used before old ones, so that an access to freed
// memory faults, too.
//
// Each of these takes two of the mappings that the system allows a process (vm.max_map_count), of which the
// application needs most. Beyond a quarter of them, allocations have no such page, and stay accessible when freed.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 512;

  explicit Arena(std::size_t capacity);  // capacity: how much may be allocated at a time

  std::size_t capacity() const { return capacity_; }
  std::size_t used() const EXCLUDES(mutex_);
  bool covers(CUdeviceptr address) const { return address >= begin_ && address < end_; }

  // Throws DriverError{CUDA_ERROR_OUT_OF_MEMORY}.
  Allocation allocate(std::size_t size, MemoryKind kind, Ref<Context> context, Ref<RefCounted> pool = {})
      EXCLUDES(mutex_);
  // Gives the memory of an allocation back to the system. False if it is no longer there.
  bool free(CUdeviceptr address, std::uint64_t id) EXCLUDES(mutex_);
  // The allocation that contains an address, or the one that begins there.
  std::optional<Allocation> find(CUdeviceptr address) const EXCLUDES(mutex_);
  std::optional<Allocation> find_exact(CUdeviceptr address) const EXCLUDES(mutex_);

  // For memory pools: takes an allocation out of sight without giving its memory back (empty if none of that
  // kind begins there), and brings it back with another size that fits into its pages; its address then
  // changes, so that it still ends before the guard page.
  std::optional<Allocation> hide(CUdeviceptr address, MemoryKind kind) EXCLUDES(mutex_);
  Allocation show(Allocation hidden, std::size_t size) EXCLUDES(mutex_);
  void release_hidden(const Allocation& hidden) EXCLUDES(mutex_);

  // Frees all that belongs to a context (which is being destroyed, with its work done).
  void free_all_of(const Context& context) EXCLUDES(mutex_);

 private:
  struct Range {
    CUdeviceptr begin;
    std::size_t size;
  };
  CUdeviceptr start_within(CUdeviceptr pages_begin, std::size_t pages, std::size_t size) REQUIRES(mutex_);
  static CUdeviceptr pages_begin(const Allocation& allocation);
  CUdeviceptr take_range(std::size_t size, std::size_t alignment) REQUIRES(mutex_);
  std::optional<CUdeviceptr> take_from_free(std::size_t size, std::size_t alignment) REQUIRES(mutex_);
  void add_free(Range range) REQUIRES(mutex_);
  void commit(Range range, std::size_t guard) REQUIRES(mutex_);
  void release_pages(const Allocation& allocation) REQUIRES(mutex_);

  const std::size_t capacity_;
  CUdeviceptr begin_ = 0, end_ = 0;
  mutable Mutex mutex_ LOCK_RANK(executor_arena);
  CUdeviceptr fresh_ GUARDED_BY(mutex_) = 0;                    // [fresh_, end_) has never been used
  std::deque<Range> quarantine_ GUARDED_BY(mutex_);             // freed, oldest first
  std::map<CUdeviceptr, std::size_t> free_ GUARDED_BY(mutex_);  // out of quarantine, neighbours joined
  std::map<CUdeviceptr, Allocation> allocations_ GUARDED_BY(mutex_);
  std::size_t used_ GUARDED_BY(mutex_) = 0;
  std::size_t guarded_ GUARDED_BY(mutex_) = 0;            // allocations with a guard page
  bool frees_are_accessible_ GUARDED_BY(mutex_) = false;  // some that have been freed
  std::uint64_t next_id_ GUARDED_BY(mutex_) = 1;
  std::uint32_t turn_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda::ptx::driver
