// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "cuda/context.h"

namespace clcuda::cuda {

// Memory with one address for host and devices: managed memory if the host may access it concurrently with the device (an attribute of the
// device), otherwise page-locked memory, which devices access over the bus.
//
// Freed memory is kept, because freeing it waits for the device, until trim(). All allocations together do not exceed the device's memory,
// and a new one does not exceed what is free of it.
class SharedPool {
  using Unused = std::multimap<std::size_t, std::byte*>;  // by size

 public:
  // A block, with its node of the list of unused blocks, so that give_back() allocates no memory.
  class Block {
   public:
    std::byte* data() const { return node_.mapped(); }
    std::size_t size() const { return node_.key(); }

   private:
    friend class SharedPool;
    explicit Block(Unused::node_type node) : node_(std::move(node)) {}
    Unused::node_type node_;
  };

  explicit SharedPool(const DeviceContext& context);
  SharedPool(const SharedPool&) = delete;
  SharedPool& operator=(const SharedPool&) = delete;

  // Whether pages migrate between host and device when accessed.
  bool migrates() const { return managed_; }

  // At least `size` bytes, aligned to 512. The context is current; throws DriverError.
  Block take(std::size_t size);
  void give_back(Block block) noexcept;
  std::size_t unused() const;  // bytes
  // Frees unused memory. Waits for the device; the context is current.
  void trim() noexcept;

 private:
  std::byte* allocate(std::size_t size) REQUIRES(mutex_);

  const DriverTable& driver_;
  const bool managed_;
  mutable Mutex mutex_ LOCK_RANK(shared_pool);
  Unused free_ GUARDED_BY(mutex_);
  std::size_t allocated_ GUARDED_BY(mutex_) = 0, unused_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda::cuda
