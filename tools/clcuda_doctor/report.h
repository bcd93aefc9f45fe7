// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace clcuda::doctor {

enum class Severity { ok, note, problem };

enum class Finding {
#define FINDING(id, severity, message, remedy) id,
#include "findings.def"
#undef FINDING
};

struct Entry {
  Severity severity = Severity::ok;
  std::string id;  // of what is well: its topic
  std::string text, remedy;
};

// What was found, in order.
//
//   report.ok("loader", "{}: {}", path, name);
//   report.add(Finding::icd_library_missing, file, library);
class Report {
 public:
  template <class... Args>
  void ok(std::string_view topic, fmt::format_string<Args...> format, Args&&... args) {
    entries_.push_back(
        {Severity::ok, std::string(topic), fmt::format(format, std::forward<Args>(args)...), {}});
  }
  template <class... Args>
  void add(Finding finding, const Args&... args) {
    add_formatted(finding, fmt::make_format_args(args...));
  }
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t count(Severity severity) const;
  bool has(Finding finding) const;

  std::string as_text() const;
  std::string as_json(std::string_view version) const;

 private:
  void add_formatted(Finding finding, fmt::format_args arguments);
  std::vector<Entry> entries_;
};

// "icd-library-missing" and so on, a line each.
std::string list_of_findings();

}  // namespace clcuda::doctor
