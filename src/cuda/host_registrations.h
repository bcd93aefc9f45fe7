// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "cuda/context.h"
#include "cuda/pointer.h"

namespace clcuda::cuda {

// Host memory of the application that is registered with the driver (cuMemHostRegister), so that all devices access it at the host's
// address. Thread-safe.
//
// The driver registers whole pages, a page only once, and refuses to copy or fill a range that ends beyond its registration. Imported
// memory therefore consists of pieces, which imports share. The first and the last page are pieces of their own unless the memory fills
// them: other imported memory may lie there, too, with another lifetime. Memory that the application has registered is used as it is.
//
// Unregistering waits for the devices, and meanwhile holds up every other thread that calls the driver. Unused pieces therefore stay
// registered until unregister_unused(). Before that, the application may free their memory and get other pages at these addresses, while
// devices still access the old ones. may_be_stale() detects such pieces, and an import registers them anew.
class HostRegistrations {
 public:
  enum class Access : std::uint8_t { read, write };

  HostRegistrations() = default;
  HostRegistrations(const HostRegistrations&) = delete;
  HostRegistrations& operator=(const HostRegistrations&) = delete;

  // Makes the memory accessible to these devices until release(). No context need be current. Throws Error(CL_INVALID_OPERATION) for memory
  // that the process has not, or may not write unless the access is to read, or that shares a page with memory that the application has
  // registered; DriverError.
  void import(std::span<const DeviceContext* const> devices, const void* begin, std::size_t size,
              Access access);
  void release(const void* begin, std::size_t size) noexcept;
  // Waits for the devices.
  void unregister_unused() noexcept;

  bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }
  // Bytes from `address` to the end of its piece; the maximum of std::size_t if it is in no piece.
  std::size_t left_of_piece(std::uintptr_t address) const noexcept;
  // has_piece_in(): whether part of the range is in a piece. may_be_stale(): whether part of it is in a piece that no import uses any more.
  bool has_piece_in(const void* begin, std::size_t size) const noexcept;
  bool may_be_stale(const void* begin, std::size_t size) const noexcept;

 private:
  struct Piece {
    std::uintptr_t end;
    std::size_t users;
    bool ours;      // not registered by the application
    Access access;  // read: the process may not write there
  };
  using Pieces = std::map<std::uintptr_t, Piece>;  // by address; no two overlap

  std::uintptr_t take_piece(std::uintptr_t at, Access access) REQUIRES(changing_);
  std::uintptr_t register_piece(std::uintptr_t at, std::uintptr_t limit, Access access) REQUIRES(changing_);
  CUresult register_pages(std::uintptr_t at, std::size_t size, Access access) const REQUIRES(changing_);
  void add(Pieces& piece) noexcept;
  void unregister(std::uintptr_t begin, std::uintptr_t end) noexcept REQUIRES(changing_);
  void unregister_piece(std::uintptr_t begin) noexcept REQUIRES(changing_);
  std::vector<std::uintptr_t> unused_in(std::uintptr_t begin, std::uintptr_t end) const;
  std::size_t unused_bytes() const;

  // Held while the driver registers and unregisters memory; mutex_ is held only briefly.
  Mutex changing_ LOCK_RANK(host_registrations);
  std::vector<const DeviceContext*> devices_ GUARDED_BY(changing_);  // the devices of all imports
  std::atomic<std::size_t> count_ = 0, unused_ = 0;                  // pieces
  mutable Mutex mutex_ LOCK_RANK(host_registration_pieces);
  Pieces pieces_ GUARDED_BY(mutex_);
};

// The kind of memory in a range (pointer.h). The context is current.
HostMemory host_memory_of(const DeviceContext& context, const void* begin, std::size_t size) noexcept;

}  // namespace clcuda::cuda
