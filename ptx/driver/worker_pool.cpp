// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/thread.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/relax.h"

namespace clcuda::ptx::driver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kShortChunk = 20'000, kLongChunk = 200'000;  // nanoseconds
constexpr std::uint64_t kWorthWaking = 6'000;  // nanoseconds: about the cost of a wake-up to both threads
// Longer than it takes to wake a thread that waits for a result and then launches again; otherwise both threads would go to sleep each
// time.
constexpr auto kSpinTime = std::chrono::microseconds(150);

thread_local const WorkerPool* pool_of_thread = nullptr;

std::int64_t nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

}  // namespace

void WorkerPool::List::push_back(Work& work) {
  work.list_previous_ = back;
  work.list_next_ = nullptr;
  (back ? back->list_next_ : front) = &work;
  back = &work;
}

void WorkerPool::List::erase(Work& work) {
  (work.list_previous_ ? work.list_previous_->list_next_ : front) = work.list_next_;
  (work.list_next_ ? work.list_next_->list_previous_ : back) = work.list_previous_;
}

WorkerPool::Claim WorkerPool::claim(Work& work, std::uint32_t chunk) {
  const std::uint64_t total = work.total_;
  const std::uint64_t begin = work.next_.fetch_add(chunk, std::memory_order_relaxed);
  if (begin >= total) return {};
  const std::uint64_t end = total - begin > chunk ? begin + chunk : total;
  return {begin, end, end == total};
}

void WorkerPool::adapt_chunk(Work& work, std::int64_t nanoseconds, int threads) {
  const std::uint32_t chunk = work.chunk_.load(std::memory_order_relaxed);
  const std::uint64_t claimed = std::min(work.next_.load(std::memory_order_relaxed), work.total_);
  const std::uint64_t share = (work.total_ - claimed) / (2 * static_cast<std::uint64_t>(threads));
  if (chunk > 1 && (nanoseconds > kLongChunk || chunk > share))
    work.chunk_.store(chunk / 2, std::memory_order_relaxed);
  else if (nanoseconds < kShortChunk && chunk * 2 <= share && chunk < (1u << 20))
    work.chunk_.store(chunk * 2, std::memory_order_relaxed);
}

void WorkerPool::ensure_started() {
  MutexLock lock(mutex_);
  if (started_ == 0) require(add_thread(), CUDA_ERROR_OPERATING_SYSTEM);
}

bool WorkerPool::add_thread() {
  if (!start_thread("clcuda-cpu", [this] { loop(); })) return false;
  ++started_;
  return true;
}

void WorkerPool::wake_another() {
  if (sleeping_ > 0)
    wake_.notify_one();
  else if (started_ < limit_)
    add_thread();
}

void WorkerPool::submit(Work& work) noexcept {
  MutexLock lock(mutex_);
  (work.high_priority_ ? high_ : normal_).push_back(work);
  claimable_.fetch_add(1, std::memory_order_release);
  // The spinning thread will take the work and wake others if that is worthwhile. So will a thread of the pool that calls this because it
  // has just completed the preceding work.
  if (!spinner_ && pool_of_thread != this) wake_another();
}

Work* WorkerPool::pick(Claim& claimed) {
  for (List* list : {&high_, &normal_}) {
    for (Work* work = list->front; work; work = work->list_next_) {
      claimed = claim(*work, work->chunk_.load(std::memory_order_relaxed));
      if (claimed.empty())
        continue;  // all pieces are claimed; the claiming thread is about to take the work off the list
      list->erase(*work);
      if (claimed.last)
        claimable_.fetch_sub(1, std::memory_order_relaxed);
      else
        list->push_back(*work);
      return work;
    }
  }
  return nullptr;
}

void WorkerPool::take_off(Work& work) {
  claimable_.fetch_sub(1, std::memory_order_relaxed);
  MutexLock lock(mutex_);
  (work.high_priority_ ? high_ : normal_).erase(work);
}

void WorkerPool::run_claims(Work& work, Claim claimed, WorkerThread& thread) {
  for (;;) {
    const bool timed = work.total_ > 1;
    const Clock::time_point start = timed ? Clock::now() : Clock::time_point();
    work.run(claimed.begin, claimed.end, thread);
    if (timed) adapt_chunk(work, nanoseconds_since(start), limit_);

    std::uint64_t accounted = claimed.end - claimed.begin;
    Claim following;
    if (work.cancelled_.load(std::memory_order_relaxed)) {
      const std::uint64_t next = work.next_.exchange(work.total_, std::memory_order_relaxed);
      if (next < work.total_) {
        take_off(work);
        accounted += work.total_ - next;
      }
    } else if (!claimed.last &&
               claimable_.load(std::memory_order_relaxed) <= 1) {  // otherwise other work may have its turn
      following = claim(work, work.chunk_.load(std::memory_order_relaxed));
      if (following.last) take_off(work);
    }
    // Claimed pieces that are not yet accounted for keep the work alive. Once this thread has none, it must not access the work any more.
    const std::uint64_t total = work.total_;
    if (work.done_.fetch_add(accounted, std::memory_order_acq_rel) + accounted == total) {
      work.finished();
      return;
    }
    if (following.empty()) return;
    claimed = following;
  }
}

void WorkerPool::spin() const {
  const Clock::time_point end = Clock::now() + kSpinTime;
  while (claimable_.load(std::memory_order_acquire) == 0 && Clock::now() < end)
    for (int i = 0; i < 16; ++i) relax();
}

void WorkerPool::sleep(MutexLock& lock) {
  ++sleeping_;
  while (claimable_.load(std::memory_order_relaxed) == 0) wake_.wait(lock.native());
  --sleeping_;
}

void WorkerPool::loop() noexcept {
  WorkerThread thread;
  pool_of_thread = this;
  MutexLock lock(mutex_);
  for (;;) {
    Claim claimed;
    Work* work = pick(claimed);
    if (!work) {
      if (claimable_.load(std::memory_order_relaxed) > 0) {
        // The last piece has just been claimed, and its thread is about to decrement claimable_.
        lock.unlock();
        std::this_thread::yield();
        lock.lock();
        continue;
      }
      if (!spinner_ && limit_ > 1) {
        spinner_ = true;
        lock.unlock();
        spin();
        lock.lock();
        spinner_ = false;
      }
      sleep(lock);  // returns at once if there is work by now
      continue;
    }
    // If there is more to do than one thread should do alone, it wakes the next thread, which wakes another one in turn.
    const bool alone = claimable_.load(std::memory_order_relaxed) == (claimed.last ? 0 : 1);
    const std::uint64_t expected = work->expected_nanoseconds_;
    if (!alone || (!claimed.last && (expected == 0 || expected > kWorthWaking))) wake_another();
    lock.unlock();
    run_claims(*work, claimed, thread);
    lock.lock();
  }
}

}  // namespace clcuda::ptx::driver
