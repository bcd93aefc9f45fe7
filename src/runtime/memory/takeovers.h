// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace clcuda {

// What a device has taken over from others, so that a command of its can write to memory objects: their contents are no longer valid on the
// other devices, although these still have them. If the command is refused, the destructor, called during stack unwinding, makes them valid
// there again; the work that was submitted nevertheless has ended by then.
class Takeovers {
 public:
  Takeovers() : exceptions_(std::uncaught_exceptions()) {}
  ~Takeovers() {
    if (std::uncaught_exceptions() > exceptions_)
      for (; !all_.empty(); all_.pop_back()) all_.back()();
    for (const auto& note : at_end_) note();
  }
  Takeovers(const Takeovers&) = delete;
  Takeovers& operator=(const Takeovers&) = delete;

  // Called before the contents are taken. `give_back` does not throw.
  void add(std::function<void()> give_back) { all_.push_back(std::move(give_back)); }
  // To be called in any case, when all of the command's work is in its stream, before other commands can be ordered behind that. It does
  // not throw.
  void at_end(std::function<void()> note) { at_end_.push_back(std::move(note)); }

 private:
  const int exceptions_;
  std::vector<std::function<void()>> all_, at_end_;
};

}  // namespace clcuda
