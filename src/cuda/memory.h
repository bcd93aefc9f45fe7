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

// A CUDA memory pool, made when it is first asked for, as that takes half a millisecond and half a megabyte of the host's memory.
class DriverPool {
 public:
  CUmemoryPool get(const DeviceContext& context);  // the context is current
  CUmemoryPool if_made() const noexcept { return pool_.load(std::memory_order_acquire); }

 private:
  std::atomic<CUmemoryPool> pool_ = nullptr;
  Mutex making_ LOCK_RANK(driver_pool);  // held while pool_ is made
};

// Device memory from CUDA memory pools of our own, allocated and freed in stream order: neither call waits for the device.
// What is freed stays with the pool until trim().
class MemoryPool {
 public:
  // What a chip is fastest with: the driver's plain memory first, and all but small blocks begin at pages (page.h). Or blocks as they are asked for.
  enum class Style : std::uint8_t { exact, for_chips };
  MemoryPool(const DeviceContext& context, Style style);  // the context is current, here and below
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  enum class Sharing : std::uint8_t { own_device, peers };  // which devices are to reach it
  CUdeviceptr allocate(std::size_t size, Stream& stream, Sharing sharing = Sharing::own_device);
  void free(CUdeviceptr address, Stream& stream);
  // Lets another device reach what is for peers, if there is a way between them. Without, copies go through the host.
  void open_to(const DeviceContext& other) noexcept;
  // Gives back to the driver what no allocation uses, but for so many bytes of each pool. Waits for the device.
  void trim(std::size_t keep = 0) noexcept;

 private:
  const DeviceContext& context_;
  const DriverTable& driver_;
  DriverPool pool_;
  DriverPool small_;  // for chips: of blocks smaller than a page, which would displace others
  std::optional<BootstrapAllocator> early_;  // for chips
};

class PinnedPool;

// A piece of page-locked host memory lent by a pool, to which it returns when it goes. A large one brings along what is needed to note it
// as unused.
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

// Page-locked memory in free lists, because freeing it waits for the device. Blocks are rounded up to a power
// of two below 1 MiB (carved from slabs of that size) and to whole MiB above.
class PinnedPool {
 public:
  explicit PinnedPool(const DeviceContext& context) : driver_(context.driver()) {}
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  PinnedBlock take(std::size_t size);  // the context is current; throws DriverError
  // Of what is not lent, nor part of a slab of which some is: how much it is, and freeing it, which waits for the device.
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
  using Slabs = std::map<void*, Slab>;  // by where they begin

  void give_back(PinnedBlock& block) noexcept;
  void* allocate(std::size_t size);
  PinnedBlock allocate_large(std::size_t size);
  void* take_unused(std::size_t size) REQUIRES(mutex_);
  void add_slab(std::size_t block_size);

  const DriverTable& driver_;
  mutable Mutex mutex_ LOCK_RANK(pinned_pool);
  Slabs slabs_ GUARDED_BY(mutex_);
  std::array<std::vector<Slab*>, 8> open_
      GUARDED_BY(mutex_);                        // by size of their blocks: those with unused ones
  PinnedBlock::Unused free_ GUARDED_BY(mutex_);  // of whole MiB
  std::size_t unused_ GUARDED_BY(mutex_) = 0;
};

// What the driver makes of a pointer to host memory. Of pageable memory it copies in its own time. What is page-locked, by whomever, it reads and
// writes in a stream's order; and so what is shared, managed memory for instance, which kernels reach at the same address.
enum class HostMemory : std::uint8_t { pageable, page_locked, shared };
HostMemory host_memory_at(const DriverTable& driver, const void* byte) noexcept;

// An allocation of device memory (managed memory is that, too), whoever made it.
struct DeviceMemoryRange {
  CUdeviceptr begin;
  std::size_t size;
  CUdevice device;
  CUcontext context;  // null where it is of no single one, as pools are
};
// That which has the byte; none if there is none. The driver has been initialised.
std::optional<DeviceMemoryRange> device_memory_at(const DriverTable& driver, CUdeviceptr byte) noexcept;

}  // namespace clcuda::cuda
