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

// At a time, besides those in functions of the application; and with those.
constexpr int kMaxThreads = 32, kMostThreads = 4096;

// Never destroyed: threads may wait here when the process exits.
struct Pool {
  Mutex mutex LOCK_RANK(host_worker_pool);
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs GUARDED_BY(mutex);
  int threads GUARDED_BY(mutex) = 0;
  int idle GUARDED_BY(mutex) = 0;
  int outside GUARDED_BY(mutex) = 0;
};
Pool& pool() {
  static Pool& pool = *new Pool;
  return pool;
}

thread_local bool is_worker = false;

void run(Pool& pool) noexcept {
  is_worker = true;
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

// Returns false if a job needs a thread and there is none.
bool provide_thread(Pool& pool) REQUIRES(pool.mutex) {
  const bool is_room = pool.threads - pool.outside < kMaxThreads && pool.threads < kMostThreads;
  if (static_cast<int>(pool.jobs.size()) <= pool.idle || !is_room) return true;
  if (start_thread("clcuda-worker", [&pool] { run(pool); })) ++pool.threads;
  return pool.threads > 0;
}

}  // namespace

void HostWorkerPool::post(std::function<void()> job) {
  Pool& pool = clcuda::pool();
  MutexLock lock(pool.mutex);
  pool.jobs.push_back(std::move(job));
  if (!provide_thread(pool)) {
    pool.jobs.pop_back();
    throw Error(CL_OUT_OF_RESOURCES, "no thread for what is done on the host");
  }
  pool.changed.notify_one();
}

bool HostWorkerPool::is_crowded() noexcept {
  Pool& pool = clcuda::pool();
  MutexLock lock(pool.mutex);
  const int at_work = pool.threads - pool.idle - pool.outside;
  return at_work + static_cast<int>(pool.jobs.size()) >= kMaxThreads / 2;
}

HostWorkerPool::Outside::Outside() noexcept {
  if (!is_worker) return;
  Pool& pool = clcuda::pool();
  MutexLock lock(pool.mutex);
  ++pool.outside;
  (void)provide_thread(pool);
  pool.changed.notify_one();
}

HostWorkerPool::Outside::~Outside() {
  if (!is_worker) return;
  MutexLock lock(pool().mutex);
  --pool().outside;
}

}  // namespace clcuda
