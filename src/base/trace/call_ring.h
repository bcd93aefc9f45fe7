// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/trace/allowance.h"
#include "base/trace/event_text.h"

namespace clcuda::trace {

// A call of the application that has returned; times in nanoseconds of host_time().
struct CallRecord {
  std::uint64_t begin, end;
  const char* function;
  std::uint32_t command;  // number of the command that it enqueued; 0: none
  std::int32_t result;
};

// A ring buffer that transfers the calls of one thread (the producer) to the writer (the consumer), so that the calling thread neither
// locks nor waits. Used by call.cpp.
class CallRing {
 public:
  // Larger than the allowance between two writes, because calls are admitted when they begin but recorded when they end, and may be nested.
  static constexpr std::uint32_t kSize = 4096;

  // Sets the row in the timeline of the thread that fills the ring from now on.
  void take(const Track& track) noexcept { track_ = track; }
  const Track& track() const noexcept { return track_; }

  // True if a call that begins now is to be recorded when it ends.
  bool admits() noexcept { return allowance_.take(); }
  void push(const CallRecord& record) noexcept {
    const std::uint32_t at = pushed_.load(std::memory_order_relaxed);
    records_[at % kSize] = record;
    pushed_.store(at + 1, std::memory_order_release);
  }
  // Notes the call that the thread is in (the outermost of nested ones), so that the timeline of a process that hangs shows it.
  void open(const char* function, std::uint64_t begin) noexcept {
    open_function_.store(function, std::memory_order_release);
    open_begin_.store(begin, std::memory_order_release);
  }
  void close() noexcept { open_begin_.store(0, std::memory_order_release); }

  // Called by the writer: writes the calls that have returned since the last time, and the open one if it has taken long.
  void drain(EventText& text, std::uint64_t now);

 private:
  void write(EventText& text, const CallRecord& record);
  void write_open_call(EventText& text, std::uint64_t now);

  // Burst, and refill for each write (every 50 ms): about 20 000 calls in a second.
  Allowance allowance_{2048, 1024};
  Track track_;
  alignas(64) std::atomic<std::uint32_t> pushed_ = 0;
  std::atomic<const char*> open_function_ = nullptr;
  std::atomic<std::uint64_t> open_begin_ = 0;  // 0: in no call
  alignas(64) std::atomic<std::uint32_t> drained_ = 0;
  std::uint64_t shown_begin_ =
      0;  // used by the writer: begin of the call that is in the file without its end
  std::array<CallRecord, kSize> records_;
};

}  // namespace clcuda::trace
