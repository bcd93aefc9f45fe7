// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

namespace faults {

// A process in which a body runs that says where it is and what it finds. This one does not use OpenCL
// itself, so it can be forked, and every child begins with a library that nothing has used.
//
//   Child child([](Child::Voice& voice) { voice.at("call 17"); … voice.finds("…"); });
//   child.wait(30s);  // between one word and the next
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
    std::string complaints;  // a line each, with the place; also that it died or hung there
    std::string last_place;
    std::uint64_t number = 0;
    bool ended_well = false;
  };

  static Result run(const std::function<void(const Voice&)>& body, std::chrono::seconds limit);
};

}  // namespace faults
