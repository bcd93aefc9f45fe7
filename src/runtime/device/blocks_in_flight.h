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

// Page-locked memory that the streams of a device have still to read or write, and that nobody else keeps.
class BlocksInFlight {
 public:
  BlocksInFlight() = default;
  BlocksInFlight(const BlocksInFlight&) = delete;
  BlocksInFlight& operator=(const BlocksInFlight&) = delete;

  // Keeps the block from being used again before `stream` has done what it holds now. Throws, with the block
  // not kept.
  void keep(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block);
  // Lets go of those that the streams are done with; true if others remain. The context is current.
  bool release();

 private:
  struct Kept {
    const cuda::Stream* stream;
    cuda::Event reached;
    std::uint64_t before, after;  // the time on marks_ before `reached` was recorded, and after
    std::shared_ptr<cuda::PinnedBlock> block;
  };

  bool release_up_to(std::size_t last) REQUIRES(mutex_);

  std::atomic<std::uint64_t> marks_ = 0;
  Mutex mutex_ LOCK_RANK(blocks_in_flight);
  std::deque<Kept> kept_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace clcuda
