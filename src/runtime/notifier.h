// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/ref.h"

namespace clcuda {

class Command;

// A context's one thread for telling: it runs the application's callbacks, with no lock held, and watches commands whose completion
// somebody must be told of. The thread starts when first needed.
//
// A watched command's completion is learnt through a side stream: it waits for the command's event and then calls a host function
// that only signals. Besides, all watched commands are asked after twice a second, because host functions do not run any more
// on a lost device.
class Notifier {
 public:
  Notifier();
  ~Notifier();  // may run on the thread itself; jobs left over are dropped
  Notifier(const Notifier&) = delete;
  Notifier& operator=(const Notifier&) = delete;

  // Each job keeps the context alive by what it captures.
  void post(std::function<void()> job) noexcept;
  // A submitted command that has a CUDA event.
  void watch(Ref<Command> command) noexcept;

 private:
  struct State;
  struct Watched;
  static void run(std::shared_ptr<State> state) noexcept;
  static void begin(const std::shared_ptr<State>& state, Ref<Command> command,
                    std::vector<std::shared_ptr<Watched>>& watched) noexcept;
  static void look_at(std::vector<std::shared_ptr<Watched>>& watched, bool all) noexcept;
  void start_thread() noexcept;

  const std::shared_ptr<State> state_;
};

std::shared_ptr<Notifier> make_notifier();

}  // namespace clcuda
