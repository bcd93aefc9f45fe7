// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/range_set.h"

#include <algorithm>

namespace clcuda {

bool RangeSet::contains(ByteRange range) const {
  if (range.empty()) return true;
  return std::ranges::any_of(ranges_,
                             [&](ByteRange r) { return r.begin <= range.begin && range.end <= r.end; });
}

void RangeSet::add(ByteRange range) {
  if (range.empty()) return;
  if (ranges_.size() == 1 && ranges_.front().begin <= range.begin && range.end <= ranges_.front().end) return;
  std::erase_if(ranges_, [&](ByteRange r) {
    if (r.end < range.begin || range.end < r.begin) return false;
    range = {std::min(range.begin, r.begin), std::max(range.end, r.end)};
    return true;
  });
  ranges_.insert(std::ranges::upper_bound(ranges_, range.begin, {}, &ByteRange::begin), range);
}

void RangeSet::remove(ByteRange range) {
  if (range.empty() || ranges_.empty()) return;
  std::vector<ByteRange> left;
  for (const ByteRange r : ranges_) {
    if (r.end <= range.begin || range.end <= r.begin) {
      left.push_back(r);
      continue;
    }
    if (r.begin < range.begin) left.push_back({r.begin, range.begin});
    if (range.end < r.end) left.push_back({range.end, r.end});
  }
  ranges_.swap(left);
}

std::vector<ByteRange> RangeSet::inside(ByteRange range) const {
  std::vector<ByteRange> parts;
  for (const ByteRange r : ranges_) {
    const ByteRange part{std::max(r.begin, range.begin), std::min(r.end, range.end)};
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
