// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/blocks_in_flight.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace clcuda {
namespace {

// What is kept before keep() looks for completed blocks.
constexpr std::size_t kMostBlocks = 16, kMostBytes = 4 << 20;

}  // namespace

void BlocksInFlight::keep(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block) {
  const std::uint64_t before = marks_.fetch_add(1);
  cuda::Event reached = stream.mark();
  const std::uint64_t after = marks_.fetch_add(1);
  MutexLock lock(mutex_);
  const std::size_t size = block->size();
  kept_.push_back({&stream, std::move(reached), before, after, std::move(block)});
  bytes_ += size;
  // Querying an event is the most expensive step here, so it is done only once there are many blocks or much memory.
  const bool many = kept_.size() >= kMostBlocks || bytes_ > kMostBytes;
  if (many && !release_up_to(kept_.size() / 2)) release_up_to(0);
}

// If the event of block `last` has happened, releases it and the blocks whose events come before it in its stream. Since several threads
// may record into a stream, the order of the list is not the order in the stream; `before` and `after` are compared instead.
bool BlocksInFlight::release_up_to(std::size_t last) {
  if (kept_[last].reached.query() == CUDA_ERROR_NOT_READY) return false;
  const auto is_done = [stream = kept_[last].stream, before = kept_[last].before](const Kept& kept) {
    return kept.stream == stream && (kept.after <= before || kept.before == before);
  };
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
  for (auto kept = kept_.begin(); kept != end; ++kept)
    if (is_done(*kept)) bytes_ -= kept->block->size();
  kept_.erase(std::remove_if(kept_.begin(), end, is_done), end);
  return true;
}

// Begins with the latest block, whose completion implies that of earlier ones in its stream. While events of a stream have not happened,
// ever more blocks are skipped between two queries, so that the number of driver calls is logarithmic in the number of blocks.
bool BlocksInFlight::release() {
  struct Asking {
    std::size_t left_out = 0, passed = 0;
  };
  std::unordered_map<const cuda::Stream*, Asking> busy;
  MutexLock lock(mutex_);
  for (std::size_t i = kept_.size(); i-- > 0;) {
    if (i >= kept_.size()) continue;
    Asking& asking = busy[kept_[i].stream];
    if (asking.passed++ < asking.left_out || release_up_to(i)) continue;
    asking = {.left_out = 2 * asking.left_out + 1, .passed = 0};
  }
  return !kept_.empty();
}

}  // namespace clcuda
