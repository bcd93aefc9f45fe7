// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace clcuda {

// Bytes [begin, end).
struct ByteRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
  bool empty() const { return begin >= end; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// A set of bytes as sorted ranges that do not touch. There may be many thousands, if several devices work on parts of a buffer.
class RangeSet {
 public:
  bool empty() const { return ranges_.empty(); }
  bool contains(ByteRange range) const;
  void add(ByteRange range);
  void remove(ByteRange range);
  // The parts of `range` that are in the set, and those that are not.
  std::vector<ByteRange> inside(ByteRange range) const;
  std::vector<ByteRange> missing(ByteRange range) const;

 private:
  void split(std::size_t at);

  std::map<std::size_t, std::size_t> ranges_;  // from their begins to their ends
};

}  // namespace clcuda
