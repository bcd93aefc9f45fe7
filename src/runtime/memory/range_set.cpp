// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/range_set.h"

#include <algorithm>
#include <iterator>

namespace clcuda {
namespace {

// The ranges that end after `from` and begin before `to`, found by binary search: a buffer may be valid in thousands of ranges if several
// devices work on parts of it.
auto overlapping(auto& ranges, std::size_t from, std::size_t to) {
  const auto first = std::ranges::upper_bound(ranges, from, {}, &ByteRange::end);
  return std::ranges::subrange(first,
                               std::ranges::lower_bound(first, ranges.end(), to, {}, &ByteRange::begin));
}

// The ranges that overlap this one or touch it.
auto touching(auto& ranges, ByteRange range) {
  const auto first = std::ranges::lower_bound(ranges, range.begin, {}, &ByteRange::end);
  return std::ranges::subrange(
      first, std::ranges::upper_bound(first, ranges.end(), range.end, {}, &ByteRange::begin));
}

}  // namespace

bool RangeSet::contains(ByteRange range) const {
  if (range.empty()) return true;
  const auto found = overlapping(ranges_, range.begin, range.end);
  return !found.empty() && found.front().begin <= range.begin && range.end <= found.front().end;
}

void RangeSet::add(ByteRange range) {
  if (range.empty()) return;
  const auto joined = touching(ranges_, range);
  if (joined.empty()) {
    ranges_.insert(joined.begin(), range);
    return;
  }
  ByteRange& first = joined.front();
  first = {std::min(range.begin, first.begin), std::max(range.end, joined.back().end)};
  ranges_.erase(std::next(joined.begin()), joined.end());
}

void RangeSet::remove(ByteRange range) {
  if (range.empty()) return;
  const auto cut = overlapping(ranges_, range.begin, range.end);
  if (cut.empty()) return;
  const ByteRange head{cut.front().begin, range.begin}, tail{range.end, cut.back().end};
  auto place = ranges_.erase(cut.begin(), cut.end());
  if (!tail.empty()) place = ranges_.insert(place, tail);
  if (!head.empty()) ranges_.insert(place, head);
}

std::vector<ByteRange> RangeSet::inside(ByteRange range) const {
  std::vector<ByteRange> parts;
  if (range.empty()) return parts;
  for (const ByteRange r : overlapping(ranges_, range.begin, range.end))
    parts.push_back({std::max(r.begin, range.begin), std::min(r.end, range.end)});
  return parts;
}

std::vector<ByteRange> RangeSet::missing(ByteRange range) const {
  std::vector<ByteRange> parts;
  for (const ByteRange r : inside(range)) {
    if (range.begin < r.begin) parts.push_back({range.begin, r.begin});
    range.begin = r.end;
  }
  if (!range.empty()) parts.push_back(range);
  return parts;
}

}  // namespace clcuda
