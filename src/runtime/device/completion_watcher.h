// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/device/watched.h"

namespace clcuda {

// A thread that observes the ends of commands whose completion somebody must be told of: it starts when first
// needed, and runs no code of the application.
//
// It learns of them through side streams. There, a wait for the command's event is followed by a host
// function that only signals. Commands of one stream end in order, so they share a side stream. Besides, all
// watched commands are asked after now and then, because host functions do not run any more on a lost device.
class CompletionWatcher {
 public:
  CompletionWatcher();
  ~CompletionWatcher();  // may run on the thread itself; what is left is let go of
  CompletionWatcher(const CompletionWatcher&) = delete;
  CompletionWatcher& operator=(const CompletionWatcher&) = delete;

  // Has the thread started, ahead of add(): by whoever can refuse what will have to be watched.
  void start();
  void add(Ref<Watched> command) noexcept;

 private:
  struct State;
  struct Entry;
  class Round;
  static void run(const std::shared_ptr<State>& state) noexcept;

  const std::shared_ptr<State> state_;
};

}  // namespace clcuda
