// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace clcuda {

// What a device has taken over from others, so that a command of its can write to memory objects: their contents are no longer valid on the
// other devices, although these still have them. If the command is refused, give_back() makes them valid there again.
class Takeovers {
 public:
  // Called before the contents are taken. `give_back` does not throw.
  void add(std::function<void()> give_back) { all_.push_back(std::move(give_back)); }
  // To be called when the work that was submitted nevertheless has ended.
  void give_back() noexcept {
    for (; !all_.empty(); all_.pop_back()) all_.back()();
  }

 private:
  std::vector<std::function<void()>> all_;
};

}  // namespace clcuda
