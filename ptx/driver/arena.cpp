// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/host_page.h"
#include "base/read_file.h"
#include "ptx/driver/driver_error.h"

namespace clcuda::ptx::driver {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSmallestReserve = std::size_t{1} << 30;
constexpr std::size_t kStaggered = std::size_t{1} << 20;  // allocations above this size are staggered
constexpr std::size_t kComparedFirst = 4096;  // range of the low address bits that processors compare first

constexpr std::size_t rounded_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

// The number of allocations that may take two mappings each.
std::size_t most_guarded() {
  static const std::size_t most = [] {
    constexpr std::size_t kUsual = 65530;
    const std::string text = read_file("/proc/sys/vm/max_map_count", 64).value_or("");
    const std::size_t mappings = std::strtoull(text.c_str(), nullptr, 10);
    return (mappings > 0 ? mappings : kUsual) / 8;
  }();
  return most;
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

Arena::Arena(std::size_t capacity) : capacity_(capacity) {
  // Several times the capacity, so that freed addresses stay unused for long; less if the process may not reserve that much.
  std::size_t size = std::max<std::size_t>(rounded_up(capacity, kHugePage) * 4, std::size_t{64} << 30);
  void* base = MAP_FAILED;
  for (; size >= kSmallestReserve && base == MAP_FAILED; size /= 2)
    base = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return;  // an empty range: every allocation is refused
  begin_ = reinterpret_cast<CUdeviceptr>(base);
  end_ = begin_ + size * 2;       // the loop has halved `size` once more after its success
  fresh_ = begin_ + host_page();  // a guard page below the first allocation, too
}

std::size_t Arena::used() const {
  MutexLock lock(mutex_);
  return used_;
}

// Large allocations begin at different offsets within a page, if there is a page to spare. With equal offsets, as for buffers of one size,
// a processor that compares the low 12 bits of addresses first would let loads from one buffer wait for stores to another.
CUdeviceptr Arena::start_within(CUdeviceptr pages_begin, std::size_t pages, std::size_t size) {
  const std::size_t room = pages - rounded_up(size, kAlignment);
  const bool staggered = size > kStaggered && room >= kComparedFirst;
  return pages_begin + room - (staggered ? turn_++ % (kComparedFirst / kAlignment) * kAlignment : 0);
}

CUdeviceptr Arena::pages_begin(const Allocation& allocation) {
  return rounded_up(allocation.address + rounded_up(allocation.size, kAlignment), host_page()) -
         allocation.pages;
}

Allocation Arena::allocate(std::size_t size, MemoryKind kind, Ref<Context> context, Ref<RefCounted> pool) {
  require(size > 0);
  require(size <= capacity_, CUDA_ERROR_OUT_OF_MEMORY);
  std::size_t pages = rounded_up(size, host_page());
  MutexLock lock(mutex_);
  const std::size_t left = capacity_ - std::min(used_, capacity_);
  require(pages <= left, CUDA_ERROR_OUT_OF_MEMORY);
  if (size > kStaggered && left - pages >= host_page()) pages += host_page();
  const std::size_t guard = guarded_ < most_guarded() ? host_page() : 0;
  const bool is_huge = guard > 0 && pages >= kHugePage;
  const CUdeviceptr begin = take_range(pages + guard, is_huge ? kHugePage : host_page());
  commit({begin, pages}, guard);
  // Large allocations are accessed as a whole sooner or later. Huge pages reduce the number of page faults by a factor of hundreds.
  if (is_huge) madvise(pointer(begin), pages, MADV_HUGEPAGE);
  Allocation allocation{start_within(begin, pages, size),
                        size,
                        kind,
                        next_id_++,
                        std::move(context),
                        std::move(pool),
                        pages,
                        guard};
  allocations_.emplace(allocation.address, allocation);
  used_ += pages;
  return allocation;
}

void Arena::commit(Range range, std::size_t guard) {
  const bool closes = guard > 0 && frees_are_accessible_;
  if (mprotect(pointer(range.begin), range.size, PROT_READ | PROT_WRITE) != 0 ||
      (closes && mprotect(pointer(range.begin + range.size), guard, PROT_NONE) != 0)) {
    frees_are_accessible_ = true;  // a part of it may be
    add_free({range.begin, range.size + guard});
    refuse(CUDA_ERROR_OUT_OF_MEMORY);
  }
  guarded_ += guard > 0;
}

CUdeviceptr Arena::take_range(std::size_t size, std::size_t alignment) {
  const CUdeviceptr begin = rounded_up(fresh_, alignment);
  if (begin <= end_ && size <= end_ - begin) {
    if (begin != fresh_) add_free({fresh_, begin - fresh_});
    fresh_ = begin + size;
    return begin;
  }
  if (std::optional<CUdeviceptr> found = take_from_free(size, alignment)) return *found;
  while (!quarantine_.empty()) {
    add_free(quarantine_.front());
    quarantine_.pop_front();
    if (std::optional<CUdeviceptr> found = take_from_free(size, alignment)) return *found;
  }
  refuse(CUDA_ERROR_OUT_OF_MEMORY);
}

std::optional<CUdeviceptr> Arena::take_from_free(std::size_t size, std::size_t alignment) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const CUdeviceptr range_begin = range->first, range_end = range_begin + range->second;
    const CUdeviceptr begin = rounded_up(range_begin, alignment);
    if (begin > range_end || size > range_end - begin) continue;
    free_.erase(range);
    if (begin != range_begin) free_.emplace(range_begin, begin - range_begin);
    if (begin + size != range_end) free_.emplace(begin + size, range_end - begin - size);
    return begin;
  }
  return std::nullopt;
}

void Arena::add_free(Range range) {
  auto next = free_.lower_bound(range.begin);
  if (next != free_.end() && range.begin + range.size == next->first) {
    range.size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == range.begin) {
      previous->second += range.size;
      return;
    }
  }
  free_.emplace(range.begin, range.size);
}

void Arena::release_pages(const Allocation& allocation) {
  const CUdeviceptr begin = pages_begin(allocation);
  // A new mapping over the old one releases the pages and removes access to them in one call.
  const bool closed = allocation.guard > 0 &&
                      mmap(pointer(begin), allocation.pages, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
  if (!closed) {
    madvise(pointer(begin), allocation.pages, MADV_DONTNEED);
    frees_are_accessible_ = true;
  }
  used_ -= allocation.pages;
  guarded_ -= allocation.guard > 0;
  quarantine_.push_back({begin, allocation.pages + allocation.guard});
}

bool Arena::free(CUdeviceptr address, std::uint64_t id) {
  Allocation freed;  // its references are released after the lock
  MutexLock lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.id != id) return false;
  freed = std::move(found->second);
  allocations_.erase(found);
  release_pages(freed);
  return true;
}

std::optional<Allocation> Arena::find(CUdeviceptr address) const {
  MutexLock lock(mutex_);
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return std::nullopt;
  const Allocation& candidate = std::prev(after)->second;
  return candidate.contains(address, 1) ? std::optional(candidate) : std::nullopt;
}

std::optional<Allocation> Arena::find_exact(CUdeviceptr address) const {
  MutexLock lock(mutex_);
  const auto found = allocations_.find(address);
  return found != allocations_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<Allocation> Arena::hide(CUdeviceptr address, MemoryKind kind) {
  MutexLock lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.kind != kind) return std::nullopt;
  std::optional<Allocation> hidden(std::move(found->second));
  allocations_.erase(found);
  return hidden;
}

Allocation Arena::show(Allocation hidden, std::size_t size) {
  const CUdeviceptr begin = pages_begin(hidden);
  MutexLock lock(mutex_);
  hidden.address = start_within(begin, hidden.pages, size);
  hidden.size = size;
  hidden.id = next_id_++;
  allocations_.emplace(hidden.address, hidden);
  return hidden;
}

void Arena::release_hidden(const Allocation& hidden) {
  MutexLock lock(mutex_);
  release_pages(hidden);
}

void Arena::free_all_of(const Context& context) {
  std::vector<Allocation> freed;
  MutexLock lock(mutex_);
  for (auto entry = allocations_.begin(); entry != allocations_.end();) {
    if (entry->second.context.get() != &context) {
      ++entry;
      continue;
    }
    freed.push_back(std::move(entry->second));
    entry = allocations_.erase(entry);
    release_pages(freed.back());
  }
}

}  // namespace clcuda::ptx::driver
