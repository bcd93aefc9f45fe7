// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/queue/command.h"

namespace clcuda {

// Markers and barriers: the act is nothing, the waiting is the queue's.
class Synchronize final : public Command {
 public:
  Synchronize(CommandQueue& queue, cl_command_type type, bool waits_for_all, bool barrier)
      : Command(queue, type), waits_for_all_(waits_for_all), barrier_(barrier) {}

 private:
  bool waits_for_all() const override { return waits_for_all_; }
  bool is_barrier() const override { return barrier_; }

  const bool waits_for_all_, barrier_;
};

}  // namespace clcuda
