// SPDX-License-Identifier: Apache-2.0
#include "compiler/file_dependency.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/read_file.h"

namespace clcuda::compiler {
namespace {

namespace fs = std::filesystem;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool has_content(const std::string& path, const Digest& content) {
  const auto bytes = read_file(path, kLargestFile);
  return bytes && digest(*bytes) == content;
}

// Translation phase 2: a backslash at the end of a line joins it to the next. Clang allows white space
// between.
std::string without_line_splices(std::string_view text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t next = i + 1;
    if (text[i] == '\\') {
      while (next < text.size() && (text[next] == ' ' || text[next] == '\t' || text[next] == '\r')) ++next;
      if (next < text.size() && text[next] == '\n') {
        i = next;
        continue;
      }
    }
    joined += text[i];
  }
  return joined;
}

}  // namespace

bool holds(const FileDependency& dependency) {
  std::error_code error;
  switch (dependency.kind) {
    case FileDependency::Kind::absent:
      return !fs::exists(dependency.path, error);
    case FileDependency::Kind::folder:
      return fs::is_directory(dependency.path, error);
    case FileDependency::Kind::file:
      return fs::exists(dependency.path, error) && !fs::is_directory(dependency.path, error);
    case FileDependency::Kind::content:
      return has_content(dependency.path, dependency.content);
    case FileDependency::Kind::working_folder:
      return fs::current_path(error) == dependency.path;
  }
  return false;
}

bool may_look_at_files(std::string_view text) {
  const auto mentions = [](std::string_view one) {
    return has_any(one, {"include", "import", "embed", "?\?/"});
  };
  return mentions(text) || (text.find('\\') != text.npos && mentions(without_line_splices(text)));
}

}  // namespace clcuda::compiler
