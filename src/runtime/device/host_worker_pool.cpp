// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/host_worker_pool.h"

#include <CL/cl.h>

#include <condition_variable>
#include <deque>

#include "base/error.h"
#include "base/mutex.h"
#include "base/thread.h"

namespace clcuda {
namespace {

constexpr int kMaxThreads = 32;

// Never destroyed: threads may wait here when the process exits.
struct Pool {
  Mutex mutex LOCK_RANK(host_worker_pool);
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs GUARDED_BY(mutex);
  int threads GUARDED_BY(mutex) = 0;
  int idle GUARDED_BY(mutex) = 0;
};

void run(Pool& pool) noexcept {
  MutexLock lock(pool.mutex);
  for (;;) {
    while (pool.jobs.empty()) {
      ++pool.idle;
      pool.changed.wait(lock.native());
      --pool.idle;
    }
    std::function<void()> job = std::move(pool.jobs.front());
    pool.jobs.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
  }
}

}  // namespace

void HostWorkerPool::post(std::function<void()> job) {
  static Pool& pool = *new Pool;
  MutexLock lock(pool.mutex);
  pool.jobs.push_back(std::move(job));
  if (static_cast<int>(pool.jobs.size()) > pool.idle && pool.threads < kMaxThreads) {
    if (start_thread("clcuda-worker", [] { run(pool); })) {
      ++pool.threads;
    } else if (pool.threads == 0) {
      pool.jobs.pop_back();
      throw Error(CL_OUT_OF_RESOURCES, "no thread for what is done on the host");
    }
  }
  pool.changed.notify_one();
}

}  // namespace clcuda
