// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>

namespace clcuda::doctor {
namespace {

struct Row {
  const char* id;
  Severity severity;
  const char *message, *remedy;
};
constexpr Row kRows[] = {
#define FINDING(id, severity, message, remedy) {#id, Severity::severity, message, remedy},
#include "findings.def"
#undef FINDING
};
constexpr const char* kSeverities[] = {"ok", "note", "problem"};

const char* name_of(Severity severity) { return kSeverities[static_cast<int>(severity)]; }
const Row& row_of(Finding finding) { return kRows[static_cast<std::size_t>(finding)]; }

std::string id_of(const Row& row) {
  std::string id = row.id;
  std::ranges::replace(id, '_', '-');
  return id;
}

// Replaces control characters, so that the contents of a file or variable become one line of text.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return text;
}

// The length in bytes of the UTF-8 character at the beginning; 0 if it is not valid UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                       ? 1
                             : byte(0) >= 0xC2 && byte(0) <= 0xDF ? 2
                             : (byte(0) & 0xF0) == 0xE0           ? 3
                             : byte(0) >= 0xF0 && byte(0) <= 0xF4 ? 4
                                                                  : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

// A string of JSON (RFC 8259); bytes that are not UTF-8 become question marks.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0)
      result += '?';
    else if (text[0] == '"' || text[0] == '\\')
      (result += '\\') += text[0];
    else
      result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + '"';
}

}  // namespace

void Report::add_formatted(Finding finding, fmt::format_args arguments) {
  const Row& row = row_of(finding);
  entries_.push_back({row.severity, id_of(row), printable(fmt::vformat(row.message, arguments)),
                      printable(fmt::vformat(row.remedy, arguments))});
}

std::size_t Report::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(entries_, severity, &Entry::severity));
}

bool Report::has(Finding finding) const {
  return std::ranges::find(entries_, id_of(row_of(finding)), &Entry::id) != entries_.end();
}

std::string Report::as_text() const {
  std::string text;
  for (const Entry& entry : entries_) {
    text += fmt::format("{:<8} {}: {}\n", name_of(entry.severity), entry.id, printable(entry.text));
    if (!entry.remedy.empty()) text += fmt::format("         → {}\n", entry.remedy);
  }
  return text;
}

std::string Report::as_json(std::string_view version) const {
  std::string text =
      fmt::format("{{\n  \"version\": {},\n  \"problems\": {},\n  \"notes\": {},\n  \"findings\": [",
                  quoted(version), count(Severity::problem), count(Severity::note));
  const char* separator = "\n";
  for (const Entry& entry : entries_) {
    text += fmt::format("{}    {{\"severity\": \"{}\", \"id\": {}, \"text\": {}, \"remedy\": {}}}", separator,
                        name_of(entry.severity), quoted(entry.id), quoted(printable(entry.text)),
                        quoted(entry.remedy));
    separator = ",\n";
  }
  return text + "\n  ]\n}\n";
}

std::string list_of_findings() {
  std::string text;
  for (const Row& row : kRows) text += id_of(row) + '\n';
  return text;
}

}  // namespace clcuda::doctor
