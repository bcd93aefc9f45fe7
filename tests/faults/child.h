// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

namespace faults {

// Runs a body in a forked process; the body reports its progress and its findings. The parent does not use OpenCL itself, so fork() is
// safe, and the library is uninitialized in each child.
//
//   Child::run([](const Child::Voice& voice) { voice.at("call 17"); … voice.finds("…"); }, 30s);  // the limit between two messages
class Child {
 public:
  class Voice {
   public:
    explicit Voice(int pipe) : pipe_(pipe) {}
    void at(const std::string& place) const { say('@', place); }
    void finds(const std::string& complaint) const { say('!', complaint); }
    void counts(std::uint64_t number) const { say('=', std::to_string(number)); }

   private:
    void say(char kind, const std::string& text) const;
    int pipe_;
  };

  struct Result {
    std::string complaints;  // one per line, with the place; also if the process crashed or hung there
    std::string last_place;
    std::uint64_t number = 0;
    bool ended_well = false;
  };

  static Result run(const std::function<void(const Voice&)>& body, std::chrono::seconds limit);
};

}  // namespace faults
