// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/slow_completions.h"

#include <deque>
#include <utility>

#include "base/mutex.h"
#include "runtime/device/host_worker_pool.h"

namespace clcuda {
namespace {

// Never destroyed: a thread may be here when the process exits.
struct Line {
  Mutex mutex LOCK_RANK(slow_completions);
  std::deque<Ref<Watched>> commands GUARDED_BY(mutex);
  bool served GUARDED_BY(mutex) = false;
};

void serve(Line& line) noexcept {
  MutexLock lock(line.mutex);
  while (!line.commands.empty()) {
    Ref<Watched> command = std::move(line.commands.front());
    line.commands.pop_front();
    lock.unlock();
    command->wait();
    command = {};
    lock.lock();
  }
  line.served = false;
}

// Serves the line if no other thread does.
void complete_in_line(const Ref<Watched>& command) noexcept {
  static Line& line = *new Line;
  try {
    MutexLock lock(line.mutex);
    line.commands.push_back(command);
    if (std::exchange(line.served, true)) return;
  } catch (const std::exception&) {
    command->wait();
    return;
  }
  serve(line);
}

}  // namespace

void SlowCompletions::add(Ref<Watched> command) {
  HostWorkerPool::post([command = std::move(command)] {
    if (!command->complete_quickly()) complete_in_line(command);
  });
}

}  // namespace clcuda
