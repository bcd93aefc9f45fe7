// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace clcuda::doctor {

// What a child process told, line by line, of tabs between fields, and how it ended.
struct Told {
  enum class End { well, crashed, late };
  End end = End::well;
  std::string how;  // "was ended by signal 11 (Segmentation fault)"; empty if well
  std::vector<std::vector<std::string>> lines;
  std::string errors;  // the last line on its standard error stream

  // The first line that begins with `key`, without it; null if there is none.
  const std::vector<std::string>* find(const std::string& key) const;
  std::string value(const std::string& key) const;
};

class Teller {
 public:
  explicit Teller(int descriptor) : descriptor_(descriptor) {}
  // tell("gpu", name, …)
  template <class... Fields>
  void tell(const Fields&... fields) const {
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
Told ask_child(std::chrono::seconds limit, const std::function<void(const Teller&)>& body);

}  // namespace clcuda::doctor
