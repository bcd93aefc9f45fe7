// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>

#include "base/mutex.h"
#include "cuda/memory.h"
#include "cuda/stream.h"

namespace clcuda {

// Owns page-locked blocks until the streams have completed the work that reads or writes them. Thread-safe.
class BlocksInFlight {
 public:
  BlocksInFlight() = default;
  BlocksInFlight(const BlocksInFlight&) = delete;
  BlocksInFlight& operator=(const BlocksInFlight&) = delete;

  // Keeps the block until the work now in `stream` has completed. If this throws, the block is not kept.
  void keep(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block);
  // Releases blocks whose work has completed; returns whether any remain. The context is current.
  bool release();

 private:
  struct Kept {
    const cuda::Stream* stream;
    cuda::Event reached;
    std::uint64_t before, after;  // marks_ before and after `reached` was recorded
    std::shared_ptr<cuda::PinnedBlock> block;
  };

  bool release_up_to(std::size_t last) REQUIRES(mutex_);

  std::atomic<std::uint64_t> marks_ = 0;
  Mutex mutex_ LOCK_RANK(blocks_in_flight);
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda
