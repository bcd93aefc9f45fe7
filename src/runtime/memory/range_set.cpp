// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/range_set.h"

#include <algorithm>
#include <iterator>

namespace clcuda {
namespace {

// The range that begins at or before a byte and ends at or behind it, or the first one behind the byte.
auto first_touching(auto& ranges, std::size_t byte) {
  const auto behind = ranges.upper_bound(byte);
  if (behind == ranges.begin()) return behind;
  const auto before = std::prev(behind);
  return before->second >= byte ? before : behind;
}

}  // namespace

bool RangeSet::contains(ByteRange range) const {
  if (range.empty()) return true;
  const auto found = first_touching(ranges_, range.begin);
  return found != ranges_.end() && found->first <= range.begin && range.end <= found->second;
}

void RangeSet::add(ByteRange range) {
  if (range.empty()) return;
  auto joined = first_touching(ranges_, range.begin);
  if (joined == ranges_.end() || joined->first > range.begin)
    joined = ranges_.emplace_hint(joined, range.begin, range.end);
  std::size_t& end = joined->second;
  end = std::max(end, range.end);
  for (auto next = std::next(joined); next != ranges_.end() && next->first <= end; next = ranges_.erase(next))
    end = std::max(end, next->second);
}

void RangeSet::remove(ByteRange range) {
  if (range.empty()) return;
  split(range.end);
  split(range.begin);
  ranges_.erase(ranges_.lower_bound(range.begin), ranges_.lower_bound(range.end));
}

// Makes two ranges of the one around that byte.
void RangeSet::split(std::size_t at) {
  const auto around = first_touching(ranges_, at);
  if (around == ranges_.end() || around->first >= at || around->second == at) return;
  ranges_.emplace_hint(std::next(around), at, around->second);
  around->second = at;
}

std::vector<ByteRange> RangeSet::inside(ByteRange range) const {
  std::vector<ByteRange> parts;
  if (range.empty()) return parts;
  for (auto next = first_touching(ranges_, range.begin); next != ranges_.end() && next->first < range.end;
       ++next) {
    const ByteRange part{std::max(next->first, range.begin), std::min(next->second, range.end)};
    if (!part.empty()) parts.push_back(part);
  }
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
