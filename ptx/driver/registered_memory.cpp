// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/registered_memory.h"

#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/host_page.h"
#include "base/read_file.h"
#include "ptx/driver/driver_error.h"

namespace clcuda::ptx::driver {
namespace {

CUdeviceptr first_page(const Allocation& allocation) { return allocation.address / host_page(); }
CUdeviceptr last_page(const Allocation& allocation) {
  return (allocation.address + allocation.size - 1) / host_page();
}

// Whether the program may access [begin, end) so ("r", "rw"): proc_pid_maps(5) lists its mappings in the order of addresses.
bool is_accessible(CUdeviceptr begin, CUdeviceptr end, const char* access) {
  std::istringstream maps(read_file("/proc/self/maps", kLargestReport).value_or(""));
  CUdeviceptr first = 0, last = 0;
  char dash = 0;
  std::string permissions;
  while (begin < end && maps >> std::hex >> first >> dash >> last >> permissions) {
    maps.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    if (last <= begin) continue;
    if (first > begin || !permissions.starts_with(access)) return false;
    begin = last;
  }
  return begin >= end;
}

}  // namespace

void RegisteredMemory::add(CUdeviceptr address, std::size_t size, bool writable, Ref<Context> context) {
  require(address != 0 && size > 0 && size <= ~address);
  Allocation added{address, size, MemoryKind::host, 0, std::move(context), {}, 0};
  require(is_accessible(first_page(added) * host_page(), (last_page(added) + 1) * host_page(),
                        writable ? "rw" : "r"));
  MutexLock lock(mutex_);
  const auto next = registrations_.upper_bound((last_page(added) + 1) * host_page() - 1);
  require(next == registrations_.begin() || last_page(std::prev(next)->second) < first_page(added),
          CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  added.id = next_id_++;
  registrations_.emplace(address, std::move(added));
  count_.store(registrations_.size(), std::memory_order_relaxed);
}

std::optional<Allocation> RegisteredMemory::find(CUdeviceptr address) const {
  if (count_.load(std::memory_order_relaxed) == 0) return std::nullopt;
  MutexLock lock(mutex_);
  const auto next = registrations_.upper_bound(address);
  if (next == registrations_.begin()) return std::nullopt;
  const Allocation& found = std::prev(next)->second;
  return found.contains(address, 1) ? std::optional(found) : std::nullopt;
}

bool RegisteredMemory::remove(CUdeviceptr address, std::uint64_t id) {
  Allocation removed;  // its references are released after the lock
  MutexLock lock(mutex_);
  const auto found = registrations_.find(address);
  if (found == registrations_.end() || found->second.id != id) return false;
  removed = std::move(found->second);
  registrations_.erase(found);
  count_.store(registrations_.size(), std::memory_order_relaxed);
  return true;
}

void RegisteredMemory::remove_all_of(const Context& context) {
  std::vector<Allocation> removed;
  MutexLock lock(mutex_);
  for (auto entry = registrations_.begin(); entry != registrations_.end();) {
    if (entry->second.context.get() != &context) {
      ++entry;
      continue;
    }
    removed.push_back(std::move(entry->second));
    entry = registrations_.erase(entry);
  }
  count_.store(registrations_.size(), std::memory_order_relaxed);
}

}  // namespace clcuda::ptx::driver
