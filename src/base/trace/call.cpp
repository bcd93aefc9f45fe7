// SPDX-License-Identifier: Apache-2.0
#include "base/trace/call.h"

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "base/host_time.h"
#include "base/mutex.h"
#include "base/trace/call_ring.h"
#include "base/trace/nvtx.h"
#include "base/trace/thread_track.h"
#include "base/trace/trace.h"
#include "base/trace/writer.h"

namespace clcuda::trace {
namespace {

// The rings of all threads, 32 MB at most. The ring of a thread that has ended is reused for the next new one.
class CallRings {
 public:
  static CallRings& get() {
    static auto& rings = *new CallRings;
    return rings;
  }

  // Null if there are too many.
  CallRing* lend() noexcept {
    try {
      const Track track = thread_track();
      MutexLock lock(mutex_);
      CallRing* ring = nullptr;
      if (!free_.empty()) {
        ring = free_.back();
        free_.pop_back();
      } else if (rings_.size() < kMost) {
        ring = rings_.emplace_back(std::make_unique<CallRing>()).get();
        free_.reserve(rings_.size());
        left_.reserve(rings_.size());
      }
      if (ring) ring->take(track);
      return ring;
    } catch (const std::exception&) {
      return nullptr;
    }
  }
  // The ring is reused once the writer has drained it.
  void give_back(CallRing& ring) noexcept {
    MutexLock lock(mutex_);
    left_.push_back(&ring);
  }

 private:
  static constexpr std::size_t kMost = 240;

  CallRings() {
    add_source([this](EventText& text) { drain(text); });
  }

  void drain(EventText& text) {
    MutexLock lock(mutex_);
    const std::uint64_t now = host_time();
    for (const auto& ring : rings_) ring->drain(text, now);
    free_.insert(free_.end(), left_.begin(), left_.end());
    left_.clear();
  }

  Mutex mutex_ LOCK_RANK(trace_calls);
  std::vector<std::unique_ptr<CallRing>> rings_ GUARDED_BY(mutex_);
  // Rings that no thread has; and those whose threads have ended but that may still hold calls.
  std::vector<CallRing*> free_ GUARDED_BY(mutex_), left_ GUARDED_BY(mutex_);
};

struct Thread {
  CallRing* ring = nullptr;
  bool has_none = false;  // there are too many threads, or this one is ending
  Call* innermost = nullptr;
};
constinit thread_local Thread thread;

// Made with the thread's ring, and destroyed with the thread.
struct RingOfThread {
  ~RingOfThread() {
    thread.has_none = true;
    if (CallRing* ring = std::exchange(thread.ring, nullptr)) CallRings::get().give_back(*ring);
  }
};

CallRing* ring_of_thread() noexcept {
  if (thread.ring || thread.has_none) return thread.ring;
  thread.ring = CallRings::get().lend();
  if (!thread.ring && is_complete()) {
    flush();  // frees the rings of threads that have ended
    thread.ring = CallRings::get().lend();
  }
  thread.has_none = !thread.ring;
  static thread_local const RingOfThread owner;
  (void)owner;
  return thread.ring;
}

// Null if the call is left out, which is counted.
CallRing* ring_for_call() noexcept {
  CallRing* ring = ring_of_thread();
  if (!ring) count_left_out(1);
  return ring && ring->admits() ? ring : nullptr;
}

}  // namespace

Call::Call(const char* function) noexcept : function_(function), annotated_(annotating()) {
  if (annotated_) nvtx::push(function);
  if (!recording()) return;
  ring_ = ring_for_call();
  if (!ring_) return;
  outer_ = std::exchange(thread.innermost, this);
  begin_ = host_time();
  if (!outer_) ring_->open(function, begin_);
}

Call::~Call() {
  if (annotated_) nvtx::pop();
  if (!ring_) return;
  thread.innermost = outer_;
  ring_->push({begin_, host_time(), function_, command_, result_});
  if (!outer_) ring_->close();
}

bool note_command(std::uint64_t number) noexcept {
  if (!thread.innermost || thread.innermost->command_ != 0) return false;
  thread.innermost->command_ = static_cast<std::uint32_t>(number);
  return true;
}

}  // namespace clcuda::trace
