// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "cuda/context.h"

namespace clcuda::cuda {

// Memory that host and devices reach at one address: managed memory where the host may touch it while the device works (the
// driver says so of the device), otherwise page-locked memory, which devices read and write over the bus.
//
// What is given back stays here, because freeing it waits for the device, until trim() is called at a good
// moment. Allocations together never exceed the device's memory, nor a new one what is free of it.
class SharedPool {
  using Unused = std::multimap<std::size_t, std::byte*>;  // by size

 public:
  // Brings along what is needed to note it as unused.
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

  // Whether blocks move between host and device as they are used.
  bool migrates() const { return managed_; }

  // At least `size` bytes, aligned to 512. The context is current; throws DriverError.
  Block take(std::size_t size);
  void give_back(Block block) noexcept;
  std::size_t unused() const;
  // Frees what was given back. Waits for the device; the context is current.
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
