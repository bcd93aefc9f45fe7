// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/dependency_arrows.h"

#include <algorithm>

namespace clcuda {
namespace {

constexpr std::size_t kRemembered = 16'384;

template <class Map>
void forget_oldest(Map& map) {
  while (map.size() > kRemembered) map.erase(map.begin());
}

}  // namespace

void DependencyArrows::add(trace::EventText& text, std::uint64_t number, const Place& place,
                           std::span<const std::uint64_t> waits_for) {
  for (const std::uint64_t awaited : waits_for) {
    if (const auto from = placed_.find(awaited); from != placed_.end())
      write(text, from->second, place);
    else
      awaited_.emplace(awaited, place);
  }
  const auto [first, last] = awaited_.equal_range(number);
  for (auto waiting = first; waiting != last; ++waiting) write(text, place, waiting->second);
  awaited_.erase(first, last);
  placed_.emplace(number, place);
  forget_oldest(placed_);
  forget_oldest(awaited_);
}

// An arrow from the end of one command, just inside its slice, to the beginning of the other. Viewers would drop an arrow that leads back
// in time, which the error of the device's clock might cause.
void DependencyArrows::write(trace::EventText& text, const Place& from, const Place& to) {
  const std::uint64_t leaves = std::max(from.begin, std::min(from.end - 1, to.begin));
  text.add_arrow("wait list", ++arrows_, {from.track, leaves}, {to.track, std::max(leaves, to.begin)});
}

}  // namespace clcuda
