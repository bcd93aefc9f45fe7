// SPDX-License-Identifier: Apache-2.0
#include "compiler/ptx_modules.h"

namespace clcuda::compiler {
namespace {

constexpr std::string_view kSeparator = "\n//\n// The next module\n//\n";
constexpr std::string_view kEntry = ".entry ";

}  // namespace

std::string join_ptx_modules(const std::vector<std::string>& modules) {
  std::string text;
  for (const std::string& module : modules) {
    if (!text.empty()) text += kSeparator;
    text += module;
  }
  return text;
}

std::vector<std::string_view> ptx_modules(std::string_view text) {
  std::vector<std::string_view> modules;
  for (;;) {
    const std::size_t end = text.find(kSeparator);
    modules.push_back(text.substr(0, end));
    if (end == text.npos) return modules;
    text.remove_prefix(end + kSeparator.size());
  }
}

std::map<std::string_view, std::size_t> ptx_entries(const std::vector<std::string_view>& modules) {
  std::map<std::string_view, std::size_t> entries;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    std::string_view rest = modules[i];
    for (std::size_t at = rest.find(kEntry); at != rest.npos; at = rest.find(kEntry)) {
      rest.remove_prefix(at + kEntry.size());
      entries.emplace(rest.substr(0, rest.find_first_of("( \t\r\n")), i);
    }
  }
  return entries;
}

}  // namespace clcuda::compiler
