// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace clcuda::doctor {

// What a child process has written, lines of fields with tabs between them, and how it ended.
struct ChildReport {
  enum class End { well, crashed, late };
  End end = End::well;
  std::string how;  // "was ended by signal 11 (Segmentation fault)"; empty if well
  std::vector<std::vector<std::string>> lines;
  std::string errors;  // the last line on its standard error stream

  // The first line that begins with `key`, without it; null if there is none.
  const std::vector<std::string>* find(const std::string& key) const;
  std::string value(const std::string& key) const;
};

// The child's end of that.
class ReportWriter {
 public:
  explicit ReportWriter(int descriptor) : descriptor_(descriptor) {}
  // write("gpu", name, …)
  template <class... Fields>
  void write(const Fields&... fields) const {
    std::string line;
    ((line += field(fields), line += '\t'), ...);
    line.back() = '\n';
    send(line);
  }

 private:
  static std::string field(std::string text);
  void send(const std::string& line) const;
  int descriptor_;
};

// No child has longer from here on, whatever its own limit is.
void limit_children(std::chrono::seconds most);

// Runs `body` in a child process, which may crash or hang: whatever runs code of others. The child and its
// children are gone afterwards.
ChildReport ask_child(std::chrono::seconds limit, const std::function<void(const ReportWriter&)>& body);

}  // namespace clcuda::doctor
