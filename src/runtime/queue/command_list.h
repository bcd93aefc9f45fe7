// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "base/ref.h"

namespace clcuda {

class Command;

// Commands one after another, each in one such list at a time: adding one takes no memory, so that no end of a command can fail for want
// of it.
class CommandList {
 public:
  CommandList() = default;
  CommandList(CommandList&& other) noexcept
      : first_(std::move(other.first_)), last_(std::exchange(other.last_, nullptr)) {}
  CommandList& operator=(CommandList&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(last_, other.last_);
    return *this;
  }
  ~CommandList();

  bool empty() const { return !last_; }
  void push_back(Ref<Command> command) noexcept;
  Ref<Command> pop_front() noexcept;

 private:
  Ref<Command> first_;
  Command* last_ = nullptr;
};

}  // namespace clcuda
