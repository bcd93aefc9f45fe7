// SPDX-License-Identifier: Apache-2.0
#include "base/compiler_thread.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/build_stage.h"
#include "base/fault_scope.h"
#include "base/mutex.h"
#include "base/read_file.h"
#include "base/signal_guard.h"
#include "base/thread.h"
#include "base/trace/thread_track.h"
#include "base/trace/trace.h"
#include "base/work_budget.h"

namespace clcuda {
namespace {

// Tried in this order: address space is cheap, but a process may have little of it.
constexpr std::size_t kStackSizes[] = {std::size_t{1} << 30, std::size_t{256} << 20, std::size_t{64} << 20};
constexpr std::size_t kSmallestStack = kStackSizes[std::size(kStackSizes) - 1];

unsigned long long locked_kib() {
  const std::string status = read_file("/proc/self/status", 64 << 10).value_or("");
  const std::size_t at = status.find("VmLck:");
  return at == std::string::npos ? 0 : std::strtoull(status.c_str() + at + 6, nullptr, 10);
}

// Whether all new memory of the process is locked (mlockall): the whole of a new stack takes memory at once then.
bool locks_memory() {
  const auto before = locked_kib();
  const std::size_t size = std::size_t{1} << 20;
  void* probe = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED) return true;
  const bool locked = locked_kib() > before + 512;
  munmap(probe, size);
  return locked;
}
constexpr int kMostLeftAlone = 4;
std::atomic<int> left_alone = 0;

// Frame addresses, because a sanitizer may keep variables elsewhere.
thread_local const char* stack_bottom = nullptr;
thread_local std::size_t stack_size = 0;

[[noreturn]] void throw_fault(const char* reason, bool out_of_memory) {
  throw CompilerFault{reason ? reason : "unknown", out_of_memory};
}

class Job {
 public:
  explicit Job(std::function<void()> body) : body_(std::move(body)) {}

  void run(std::size_t stack) noexcept {
    stack_bottom = static_cast<const char*>(__builtin_frame_address(0));
    stack_size = stack;
    set_thread();
    std::exception_ptr failure = run_guarded();
    body_ = nullptr;
    MutexLock lock(mutex_);
    failure_ = std::move(failure);
    done_ = true;
    if (waiter_left_) --left_alone;
    changed_.notify_all();
  }

  // Interrupts the job if its thread has used that much processor time, and waits for its end.
  void wait(std::optional<std::chrono::nanoseconds> most) {
    MutexLock lock(mutex_);
    while (!done_) {
      if (!most)
        changed_.wait(lock.native());
      else if (changed_.wait_for(lock.native(), kPause) == std::cv_status::timeout &&
               processor_time() >= *most)
        thread_->interruptible.interrupt();
    }
    rethrow();
  }

  // Returns false if the job is not done when its thread has used that much processor time: a machine that is busy takes longer, but no
  // longer than kMostSlowdown times.
  bool wait_for(std::chrono::nanoseconds patience) {
    const auto begin = std::chrono::steady_clock::now();
    auto end = begin + patience;
    MutexLock lock(mutex_);
    while (!done_) {
      if (changed_.wait_until(lock.native(), end) != std::cv_status::timeout || done_) continue;
      const auto left = patience - processor_time();
      if (left > left.zero() && end < begin + kMostSlowdown * patience) {
        end += std::max<std::chrono::nanoseconds>(left, std::chrono::milliseconds(100));
        continue;
      }
      waiter_left_ = true;
      ++left_alone;
      return false;
    }
    rethrow();
    return true;
  }

 private:
  static constexpr int kMostSlowdown = 10;
  static constexpr std::chrono::milliseconds kPause{500};  // between looks at the thread's time

  struct Thread {
    clockid_t clock;
    InterruptibleThread interruptible;
  };

  void set_thread() {
    clockid_t clock{};
    if (pthread_getcpuclockid(pthread_self(), &clock) != 0) return;
    MutexLock lock(mutex_);
    thread_.emplace(clock, InterruptibleThread());
  }
  // Of the thread, which is there until the job is done.
  std::chrono::nanoseconds processor_time() const REQUIRES(mutex_) {
    timespec time{};
    if (!thread_ || clock_gettime(thread_->clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
  // Moves the exception out of the job: the compiler thread, which may be the job's last owner, must not destroy it while the waiter reads
  // it. (An exception's reference count is in the C++ library, where ThreadSanitizer does not see that it orders the two threads.)
  void rethrow() REQUIRES(mutex_) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  // Some sources make a compiler dereference a null pointer. Such a build fails as after a fatal error of LLVM; what it owned is leaked.
  std::exception_ptr run_guarded() noexcept {
    prepare_thread_for_signals();
    SignalGuard guard;
    if (sigsetjmp(guard.jump, 1) == 0) {
      guard.arm();
      std::exception_ptr failure = run_body();
      guard.disarm();
      return failure;
    }
    WorkBudget::forget();
    return std::make_exception_ptr(
        CompilerFault{guard.number == 0 ? std::string("error: the compiler does not come to an end")
                                        : fmt::format("the compiler failed (signal {})", guard.number)});
  }
  std::exception_ptr run_body() noexcept {
    try {
      FaultScope faults(throw_fault);
      body_();
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  std::function<void()> body_;
  Mutex mutex_ LOCK_RANK(compiler_thread);
  std::condition_variable changed_;
  bool done_ GUARDED_BY(mutex_) = false, waiter_left_ GUARDED_BY(mutex_) = false;
  std::exception_ptr failure_ GUARDED_BY(mutex_);
  std::optional<Thread> thread_ GUARDED_BY(mutex_);  // once it has begun
};

std::shared_ptr<Job> start(std::function<void()> body) {
  auto job = std::make_shared<Job>(std::move(body));
  const std::size_t most = locks_memory() ? kSmallestStack : kStackSizes[0];
  for (const std::size_t size : kStackSizes)
    if (size <= most && start_thread("clcuda-compile", [job, size] { job->run(size); }, size)) return job;
  throw std::bad_alloc();
}

}  // namespace

// The thread's work is shown and counted as that of the thread that waits for it.
void run_on_compiler_thread(const std::function<void()>& body, std::optional<std::chrono::nanoseconds> most) {
  const Uninterruptible waiting;  // the job uses this thread's frames
  const trace::Track track = trace::recording() ? trace::thread_track() : trace::Track{};
  start([&body, track, build = BuildOfThread::current()] {
    const trace::OnTrack on_track(track);
    const BuildOfThread of_thread(build);
    body();
  })->wait(most);
}

void run_and_wait_for(std::chrono::seconds patience, std::function<void()> body) {
  if (left_alone >= kMostLeftAlone)
    throw CompilerFault{"the compiler is still at work on earlier programs that took too long"};
  const std::shared_ptr<Job> job = start(std::move(body));
  if (!job->wait_for(patience))
    throw CompilerFault{fmt::format("the compiler takes more than {} s of processor time", patience.count())};
}

std::size_t compiler_stack_used() {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  return stack_bottom ? static_cast<std::size_t>(stack_bottom - here) : 0;
}

std::size_t compiler_stack_size() { return stack_size; }

}  // namespace clcuda
