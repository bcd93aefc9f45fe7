// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ptx/driver/arena.h"
#include "ptx/driver/event_record.h"

namespace clcuda::ptx::driver {

class Stream;

// The freed memory of a pool, ordered by size and by time of the free, so that a pool may keep many blocks. Not thread-safe.
class FreeBlocks {
 public:
  struct Block {
    Allocation memory;       // hidden from lookups in the arena
    Ref<EventRecord> freed;  // empty if it was freed without a stream
    const Stream* stream;    // that freed it; only compared, never dereferenced

    bool usable_in(const Stream& other) const { return !freed || freed->complete() || stream == &other; }
  };

  void add(Block block);
  // Removes the smallest block that a request fits into without much waste and that work in `stream` may use; of several, the one that was
  // freed last.
  std::optional<Allocation> take(std::size_t size, const Stream& stream);
  // Removes blocks whose free has been executed, the oldest first, until they have `bytes`, or there are no more.
  std::vector<Allocation> take_oldest(std::uint64_t bytes);
  template <class Use>
  void for_each(const Use& use) const {
    for (const auto& [number, block] : blocks_) use(block.memory);
  }

 private:
  using Number = std::uint64_t;  // increases with time
  using Places = std::map<Number, Block>;
  Allocation remove(Places::iterator place);

  Number last_ = 0;
  Places blocks_;
  std::set<std::pair<std::size_t, Number>> sizes_;  // of the blocks, with their pages
};

}  // namespace clcuda::ptx::driver
