// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cuda/bootstrap_allocator.h"
#include "cuda/stream.h"

namespace clcuda::cuda {

// A CUDA memory pool, created on first use, because that takes half a millisecond and half a megabyte of host memory.
class DriverPool {
 public:
  CUmemoryPool get(const DeviceContext& context);  // the context is current
  // Null if get() has not been called.
  CUmemoryPool if_made() const noexcept { return pool_.load(std::memory_order_acquire); }

 private:
  std::atomic<CUmemoryPool> pool_ = nullptr;
  Mutex making_ LOCK_RANK(driver_pool);  // held while pool_ is made
};

// Device memory from CUDA memory pools that clcuda creates. It is allocated and freed in stream order: neither call waits for the device.
// Freed memory stays in the pool until trim().
class MemoryPool {
 public:
  // for_chips (GPUs): uses a BootstrapAllocator first, and aligns all but small blocks to pages (page.h). exact (the executor): blocks of
  // the requested size.
  enum class Style : std::uint8_t { exact, for_chips };
  MemoryPool(const DeviceContext& context, Style style);  // the context is current, here and below
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  enum class Sharing : std::uint8_t { own_device, peers };  // which devices access it
  // Memory for work submitted to `stream` from now on. Throws DriverError.
  CUdeviceptr allocate(std::size_t size, Stream& stream, Sharing sharing = Sharing::own_device);
  // Frees the memory after the work now in `stream`, which need not be the stream of allocate().
  void free(CUdeviceptr address, Stream& stream);
  // Enables peer access to memory allocated for peers, if the hardware supports it. Otherwise copies go through the host.
  void open_to(const DeviceContext& other) noexcept;
  // Returns unused memory to the driver, except for this many bytes of each pool. Waits for the device.
  void trim(std::size_t keep = 0) noexcept;
  // The bytes of the driver's pools, used or not. The bootstrap allocator's are not counted.
  std::uint64_t reserved() const noexcept;

 private:
  const DeviceContext& context_;
  const DriverTable& driver_;
  DriverPool pool_;
  DriverPool small_;  // for_chips: blocks smaller than a page, which would misalign others
  std::optional<BootstrapAllocator> early_;  // of Style::for_chips
};

class PinnedPool;

// A block of page-locked host memory, returned to its pool on destruction. A large block owns its node of the pool's list of unused blocks,
// so that returning it allocates no memory.
class PinnedBlock {
 public:
  PinnedBlock() = default;
  PinnedBlock(PinnedBlock&& other) noexcept
      : pool_(std::exchange(other.pool_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        size_(other.size_),
        node_(std::move(other.node_)) {}
  PinnedBlock& operator=(PinnedBlock&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    node_.swap(other.node_);
    return *this;
  }
  ~PinnedBlock();
  explicit operator bool() const { return data_ != nullptr; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t size() const { return size_; }

 private:
  friend class PinnedPool;
  using Unused = std::multimap<std::size_t, void*>;  // by size
  PinnedBlock(PinnedPool& pool, void* data, std::size_t size) : pool_(&pool), data_(data), size_(size) {}
  PinnedBlock(PinnedPool& pool, Unused::node_type node)
      : pool_(&pool), data_(node.mapped()), size_(node.key()), node_(std::move(node)) {}
  PinnedPool* pool_ = nullptr;
  void* data_ = nullptr;
  std::size_t size_ = 0;
  Unused::node_type node_;
};

// Page-locked memory, kept in free lists because freeing it waits for the device. Blocks are rounded up to a power
// of two below 1 MiB (carved from slabs of that size) and to whole MiB above.
class PinnedPool {
 public:
  explicit PinnedPool(const DeviceContext& context) : driver_(context.driver()) {}
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  PinnedBlock take(std::size_t size);                  // the context is current; throws DriverError
  PinnedBlock take_unused(std::size_t size) noexcept;  // no block if there is none of about this size
  // unused(): bytes of unused memory; slabs count only if all of their blocks are unused. trim() frees this memory and waits for the
  // device.
  std::size_t unused() const;
  void trim() noexcept;

 private:
  friend class PinnedBlock;
  // A megabyte cut into blocks of one size.
  struct Slab {
    std::size_t block_size;
    std::vector<void*> unused;
    bool whole() const;
  };
  using Slabs = std::map<void*, Slab>;  // by address

  void give_back(PinnedBlock& block) noexcept;
  void* allocate(std::size_t size);
  PinnedBlock allocate_large(std::size_t size);
  void* take_from_slab(std::size_t block_size) REQUIRES(mutex_);
  void add_slab(std::size_t block_size);

  const DriverTable& driver_;
  mutable Mutex mutex_ LOCK_RANK(pinned_pool);
  Slabs slabs_ GUARDED_BY(mutex_);
  std::array<std::vector<Slab*>, 8> open_ GUARDED_BY(mutex_);  // slabs with unused blocks, by block size
  PinnedBlock::Unused free_ GUARDED_BY(mutex_);                // blocks of whole MiB
  std::size_t unused_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda::cuda
