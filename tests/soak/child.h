// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "soak/link.h"

namespace soak {

using Clock = std::chrono::steady_clock;

// A process that runs this program in another role.
class Child {
 public:
  struct Start {
    std::vector<std::string> options;
    std::map<std::string, std::string> environment;  // besides this process's
  };
  explicit Child(const Start& start);
  ~Child();  // kills it if it has not ended
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t id() const { return id_; }
  Clock::time_point started() const { return started_; }
  int descriptor() const { return link_; }
  void order(Order order) const;
  // Reads its messages, and keeps the last number of each word.
  void listen();
  // The number that was received with that word since the last call.
  std::optional<long> take(const char* word);
  const Counts& counts() const { return counts_; }
  // Its exit code, 128 + the signal that ended it, or nothing while it runs.
  std::optional<int> exit_code();
  void kill();

 private:
  void take_line(const std::string& line);

  pid_t id_ = 0;
  int link_ = -1;
  Clock::time_point started_ = Clock::now();
  std::string rest_of_line_;
  std::map<std::string, long> said_;
  Counts counts_{};
  std::optional<int> code_;
};

}  // namespace soak
