// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/command_list.h"

#include "runtime/queue/command.h"

namespace clcuda {

CommandList::~CommandList() {
  while (!empty()) pop_front();
}

void CommandList::push_back(Ref<Command> command) noexcept {
  Command* const last = std::exchange(last_, command.get());
  (last ? last->next_ : first_) = std::move(command);
}

Ref<Command> CommandList::pop_front() noexcept {
  Ref<Command> command = std::move(first_);
  first_ = std::exchange(command->next_, {});
  if (!first_) last_ = nullptr;
  return command;
}

}  // namespace clcuda
