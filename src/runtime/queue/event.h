// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/object.h"
#include "runtime/queue/command.h"

namespace clcuda {

// cl_event: the handle to a command, or to a user event.
class Event final : public Object {
 public:
  using Handle = cl_event;
  static constexpr ObjectType kType = ObjectType::event;
  static constexpr cl_int kInvalid = CL_INVALID_EVENT;

  explicit Event(Ref<Command> command) : Object(kType, command->context()), command_(std::move(command)) {}

  Command& command() const { return *command_; }

 private:
  const Ref<Command> command_;
};

// The command of a user event: it has no queue and no act, and is completed by clSetUserEventStatus.
class UserCommand final : public Command {
 public:
  explicit UserCommand(Context& context) : Command(context) {}
  // Throws Error(CL_INVALID_OPERATION) if the status was set before.
  void set_status(cl_int status);

 private:
  std::atomic<bool> set_ = false;
};

}  // namespace clcuda
