// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/event.h"

#include "runtime/queue/queue_timeline.h"

namespace clcuda {

void UserCommand::set_status(cl_int status) {
  // Section 5.11: the status of a user event can be changed once.
  if (set_.exchange(true)) throw Error(CL_INVALID_OPERATION, "the status of this user event was set before");
  if (number()) note_user_event(number());
  ReadyCommands ready;
  finish(status, ready);
  submit_ready(ready, true);
}

}  // namespace clcuda
