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

}  // namespace

void SlowCompletions::add(Ref<Watched> command) {
  static Line& line = *new Line;
  MutexLock lock(line.mutex);
  line.commands.push_back(std::move(command));
  if (line.served) return;
  try {
    HostWorkerPool::post([] { serve(line); });
  } catch (...) {
    line.commands.pop_back();
    throw;
  }
  line.served = true;
}

}  // namespace clcuda
