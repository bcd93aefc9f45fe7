// SPDX-License-Identifier: Apache-2.0
#include "cuda/host_registrations.h"

#include <CL/cl.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "base/host_page.h"
#include "base/log.h"
#include "cuda/error.h"

namespace clcuda::cuda {
namespace {

// The most bytes of unused pieces. Beyond that, an import waits for the devices and unregisters unused pieces, so that the locked memory is
// bounded even if a device is never idle.
constexpr std::size_t kMostUnused = 256 << 20;

std::uintptr_t rounded_down(std::uintptr_t address) { return address & ~(host_page() - 1); }
std::uintptr_t rounded_up(std::uintptr_t address) { return rounded_down(address + host_page() - 1); }
std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// The end of the piece that begins at `at`, for an import of the bytes from `begin` to `end`.
std::uintptr_t end_of_piece(std::uintptr_t at, std::uintptr_t begin, std::uintptr_t end) {
  if (begin % host_page() && at < rounded_up(begin)) return rounded_up(begin);
  return end % host_page() && at < rounded_down(end) ? rounded_down(end) : rounded_up(end);
}

// The first piece that ends after the address.
auto first_in(auto& pieces, std::uintptr_t address) {
  const auto next = pieces.upper_bound(address);
  return next != pieces.begin() && std::prev(next)->second.end > address ? std::prev(next) : next;
}

constexpr char kNotWritable[] = "the process has no such memory, or may not write there";

[[noreturn]] void refuse(const char* reason) { throw Error(CL_INVALID_OPERATION, reason); }

}  // namespace

void HostRegistrations::import(std::span<const DeviceContext* const> devices, const void* memory,
                               std::size_t size, Access access) {
  const std::uintptr_t begin = address_of(memory), end = begin + size;
  if (end < begin || rounded_up(end) < end) refuse("more memory than there are addresses");
  const Current current(*devices.front());
  MutexLock lock(changing_);
  for (const DeviceContext* device : devices)
    if (std::ranges::find(devices_, device) == devices_.end()) devices_.push_back(device);
  unregister(rounded_down(begin), rounded_up(end));
  if (unused_bytes() > kMostUnused) unregister(0, std::numeric_limits<std::uintptr_t>::max());
  if (may_be_stale(memory, size))
    throw Error(CL_OUT_OF_RESOURCES, "the driver does not unregister what was imported there before");
  std::uintptr_t at = rounded_down(begin);
  try {
    while (at < end) {
      const std::uintptr_t limit = end_of_piece(at, begin, end);
      const std::uintptr_t taken = take_piece(std::max(at, begin), access);
      at = taken ? taken : register_piece(at, limit, access);
    }
  } catch (...) {
    if (at > begin) release(memory, at - begin);
    throw;
  }
}

// Adds a user to the piece that contains the byte, or a piece for what the application has registered there. Returns the end of the piece;
// 0 if there is neither.
std::uintptr_t HostRegistrations::take_piece(std::uintptr_t at, Access access) {
  {
    MutexLock lock(mutex_);
    const auto piece = first_in(pieces_, at);
    if (piece != pieces_.end() && piece->first <= at) {
      if (access == Access::write && piece->second.access == Access::read) refuse(kNotWritable);
      ++piece->second.users;
      return piece->second.end;
    }
  }
  const DriverTable& driver = devices_.front()->driver();
  if (host_memory_at(driver, reinterpret_cast<void*>(at)) != HostMemory::page_locked) return 0;
  const std::optional<AddressRange> range = allocation_at(driver, at);
  if (!range) refuse("the driver does not say which memory is registered there");
  Pieces piece;
  piece.emplace(range->begin, Piece{range->begin + range->size, 1, false, Access::write});
  add(piece);
  return range->begin + range->size;
}

// Registers a piece from `at` up to the limit, or to where something else is registered. Returns its end.
std::uintptr_t HostRegistrations::register_piece(std::uintptr_t at, std::uintptr_t limit, Access access) {
  if (at % host_page()) refuse("part of the memory's page is registered by the application");
  {
    MutexLock lock(mutex_);
    const auto next = pieces_.upper_bound(at);
    if (next != pieces_.end()) limit = std::min(limit, rounded_down(next->first));
  }
  Pieces piece;
  piece.emplace(at, Piece{limit, 1, true, Access::write});
  const DriverTable& driver = devices_.front()->driver();
  for (; limit > at; limit = at + rounded_down((limit - at) / 2)) {
    Access registered = Access::write;
    CUresult result = register_pages(at, limit - at, registered);
    if (result == CUDA_ERROR_INVALID_VALUE && access == Access::read)
      result = register_pages(at, limit - at, registered = Access::read);
    if (result == CUDA_SUCCESS) {
      piece.begin()->second.end = limit;
      piece.begin()->second.access = registered;
      add(piece);
      return limit;
    }
    if (result == CUDA_ERROR_INVALID_VALUE) refuse(kNotWritable);
    if (result != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) check(driver, result, "cuMemHostRegister");
  }
  refuse("part of the memory's page is registered by the application");
}

// Pages that the process may not write must be registered to be read.
CUresult HostRegistrations::register_pages(std::uintptr_t at, std::size_t size, Access access) const {
  unsigned flags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP;
  if (access == Access::read) flags |= CU_MEMHOSTREGISTER_READ_ONLY;
  return devices_.front()->driver().cuMemHostRegister(reinterpret_cast<void*>(at), size, flags);
}

void HostRegistrations::add(Pieces& piece) noexcept {
  MutexLock lock(mutex_);
  pieces_.merge(piece);
  count_.store(pieces_.size(), std::memory_order_relaxed);
}

void HostRegistrations::release(const void* memory, std::size_t size) noexcept {
  const std::uintptr_t begin = address_of(memory), end = begin + size;
  MutexLock lock(mutex_);
  for (auto piece = first_in(pieces_, begin); piece != pieces_.end() && piece->first < end;) {
    const bool unused = --piece->second.users == 0;
    if (unused && piece->second.ours) unused_.fetch_add(1, std::memory_order_relaxed);
    piece = unused && !piece->second.ours ? pieces_.erase(piece) : std::next(piece);
  }
  count_.store(pieces_.size(), std::memory_order_relaxed);
}

void HostRegistrations::unregister_unused() noexcept {
  MutexLock lock(changing_);
  unregister(0, std::numeric_limits<std::uintptr_t>::max());
}

// Unregisters the unused pieces in the range. Waits for the devices, because their work may still use these pieces.
void HostRegistrations::unregister(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (unused_.load(std::memory_order_relaxed) == 0) return;
  try {
    const std::vector<std::uintptr_t> unused = unused_in(begin, end);
    if (unused.empty()) return;
    for (const DeviceContext* device : devices_) {
      const Current current(*device);
      device->driver().cuCtxSynchronize();
    }
    const Current current(*devices_.front());
    for (const std::uintptr_t piece : unused) unregister_piece(piece);
  } catch (const std::exception& error) {
    log::error("imported memory stays registered: {}", error.what());
  }
}

void HostRegistrations::unregister_piece(std::uintptr_t begin) noexcept {
  const DriverTable& driver = devices_.front()->driver();
  const CUresult result = driver.cuMemHostUnregister(reinterpret_cast<void*>(begin));
  if (result != CUDA_SUCCESS) return log::error("{}", describe(driver, result, "cuMemHostUnregister"));
  MutexLock lock(mutex_);
  pieces_.erase(begin);
  count_.store(pieces_.size(), std::memory_order_relaxed);
  unused_.fetch_sub(1, std::memory_order_relaxed);
}

std::vector<std::uintptr_t> HostRegistrations::unused_in(std::uintptr_t begin, std::uintptr_t end) const {
  std::vector<std::uintptr_t> unused;
  MutexLock lock(mutex_);
  for (auto piece = first_in(pieces_, begin); piece != pieces_.end() && piece->first < end; ++piece)
    if (piece->second.users == 0) unused.push_back(piece->first);
  return unused;
}

std::size_t HostRegistrations::unused_bytes() const {
  std::size_t bytes = 0;
  MutexLock lock(mutex_);
  for (const auto& [begin, piece] : pieces_)
    if (piece.users == 0) bytes += piece.end - begin;
  return bytes;
}

std::size_t HostRegistrations::left_of_piece(std::uintptr_t address) const noexcept {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  if (empty()) return kNone;
  MutexLock lock(mutex_);
  const auto piece = first_in(pieces_, address);
  return piece != pieces_.end() && piece->first <= address ? piece->second.end - address : kNone;
}

bool HostRegistrations::has_piece_in(const void* begin, std::size_t size) const noexcept {
  if (empty()) return false;
  MutexLock lock(mutex_);
  const auto piece = first_in(pieces_, address_of(begin));
  return piece != pieces_.end() && piece->first < address_of(begin) + size;
}

bool HostRegistrations::may_be_stale(const void* begin, std::size_t size) const noexcept {
  if (unused_.load(std::memory_order_relaxed) == 0) return false;
  const std::uintptr_t first = address_of(begin), end = first + size;
  MutexLock lock(mutex_);
  for (auto piece = first_in(pieces_, first); piece != pieces_.end() && piece->first < end; ++piece)
    if (piece->second.users == 0) return true;
  return false;
}

HostMemory host_memory_of(const DeviceContext& context, const void* begin, std::size_t size) noexcept {
  using enum HostMemory;
  const auto* first = static_cast<const std::byte*>(begin);
  const auto address = reinterpret_cast<CUdeviceptr>(begin);
  if (context.registrations().may_be_stale(begin, size)) return mixed;
  const HostMemory at_first = host_memory_at(context.driver(), first);
  if (at_first == pageable) {
    const bool all = host_memory_at(context.driver(), first + size - 1) == pageable &&
                     !context.registrations().has_piece_in(begin, size);
    return all ? pageable : mixed;
  }
  const std::optional<AddressRange> range = allocation_at(context.driver(), address);
  return range && address + size <= range->begin + range->size ? at_first : mixed;
}

}  // namespace clcuda::cuda
