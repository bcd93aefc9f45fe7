// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace clcuda::compiler {

// Something outside of its arguments that the result of a build rests on: what #include looked for, and what was there. The
// result serves again only where all of them still hold, so that an edited header is noticed, and one that now comes first.
struct FileDependency {
  enum class Kind : std::uint8_t { absent, folder, file, content, working_folder };
  Kind kind = Kind::absent;
  std::string path;
  Digest content;  // of Kind::content
  friend bool operator==(const FileDependency&, const FileDependency&) = default;
};
using FileDependencies = std::vector<FileDependency>;

bool holds(const FileDependency& dependency);

// Whether a text could make the preprocessor look at files: it has a word of such a directive, perhaps in a comment.
bool may_look_at_files(std::string_view text);
// Whether a text names the time of its translation, so that no other build has the same result.
bool names_the_time(std::string_view text);

}  // namespace clcuda::compiler
