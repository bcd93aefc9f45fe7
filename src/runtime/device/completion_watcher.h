// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/device/watched.h"

namespace clcuda {

// A thread that observes the completion of commands and calls their poll(). It is started when first needed and runs no code of the
// application.
//
// It is notified through side streams, where a wait for the command's event is followed by a host function that only signals. Commands
// of one stream complete in order and share a side stream. One that is added after a later command of its stream has a side stream of its
// own, or, if there are many such commands, is polled every few milliseconds. In addition, all watched commands are polled now and then,
// because a lost device no longer calls host functions.
class CompletionWatcher {
 public:
  CompletionWatcher();
  ~CompletionWatcher();  // may run on the thread itself; commands still watched are released
  CompletionWatcher(const CompletionWatcher&) = delete;
  CompletionWatcher& operator=(const CompletionWatcher&) = delete;

  // Starts the thread, so that add() cannot fail. Called while the operation that needs the thread can still fail. Throws
  // Error(CL_OUT_OF_RESOURCES).
  void start();
  // Watches a submitted command until it is complete.
  void add(Ref<Watched> command) noexcept;

 private:
  struct State;
  struct Entry;
  class Round;
  static void run(const std::shared_ptr<State>& state) noexcept;

  const std::shared_ptr<State> state_;
};

}  // namespace clcuda
