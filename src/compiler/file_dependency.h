// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace clcuda::compiler {

// A dependency of a build on the file system: what #include searched for, and what was there. A cached result
// is valid only while all of its dependencies hold, so that edited headers are noticed, and new ones that now
// come first in the search.
struct FileDependency {
  enum class Kind : std::uint8_t { absent, folder, file, content, working_folder };
  Kind kind = Kind::absent;
  std::string path;
  Digest content;  // of Kind::content
  friend bool operator==(const FileDependency&, const FileDependency&) = default;
};
using FileDependencies = std::vector<FileDependency>;

// No program's source is larger, in bytes.
constexpr std::uint64_t kLargestFile = 64 << 20;

// Whether the file system still is as the dependency describes it.
bool holds(const FileDependency& dependency);

// Whether source could make the preprocessor access files: it contains the name of such a directive, possibly
// in a comment.
bool may_look_at_files(std::string_view text);

}  // namespace clcuda::compiler
