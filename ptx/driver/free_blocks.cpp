// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/free_blocks.h"

#include <algorithm>

namespace clcuda::ptx::driver {
namespace {

// A free block is used for a request that fills at least four fifths of it, or leaves at most 8 KB of it unused.
bool fits(std::size_t pages, std::size_t size) {
  return size <= pages && (pages <= size + size / 4 || pages - size <= 8192);
}

}  // namespace

void FreeBlocks::add(Block block) {
  const Number number = ++last_;
  const std::size_t pages = block.memory.pages;
  const Places::iterator place = blocks_.emplace(number, std::move(block)).first;
  try {
    sizes_.emplace(pages, number);
  } catch (...) {
    blocks_.erase(place);
    throw;
  }
}

std::optional<Allocation> FreeBlocks::take(std::size_t size, const Stream& stream) {
  for (auto from = sizes_.lower_bound({size, 0}); from != sizes_.end() && fits(from->first, size);) {
    const auto end = sizes_.upper_bound({from->first, last_});
    for (auto next = end; next != from;) {
      const Places::iterator place = blocks_.find((--next)->second);
      if (place->second.usable_in(stream)) return remove(place);
    }
    from = end;
  }
  return {};
}

std::vector<Allocation> FreeBlocks::take_oldest(std::uint64_t bytes) {
  std::vector<Allocation> taken;
  for (auto next = blocks_.begin(); next != blocks_.end() && bytes > 0;) {
    const auto place = next++;
    if (place->second.freed && !place->second.freed->complete()) continue;
    bytes -= std::min<std::uint64_t>(bytes, place->second.memory.pages);
    taken.push_back(remove(place));
  }
  return taken;
}

Allocation FreeBlocks::remove(Places::iterator place) {
  Allocation memory = std::move(place->second.memory);
  sizes_.erase({memory.pages, place->first});
  blocks_.erase(place);
  return memory;
}

}  // namespace clcuda::ptx::driver
