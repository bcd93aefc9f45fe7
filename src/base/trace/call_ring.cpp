// SPDX-License-Identifier: Apache-2.0
#include "base/trace/call_ring.h"

#include <fmt/format.h>

namespace clcuda::trace {
namespace {

constexpr std::uint64_t kLong = 100'000'000;

}  // namespace

void CallRing::drain(EventText& text, std::uint64_t now) {
  const std::uint32_t end = pushed_.load(std::memory_order_acquire);
  for (std::uint32_t at = drained_.load(std::memory_order_relaxed); at != end; ++at) {
    write(text, records_[at % kSize]);
    drained_.store(at + 1, std::memory_order_release);
  }
  write_open_call(text, now);
  if (const std::uint64_t calls = allowance_.refill())
    text.add_note(track_, now, fmt::format("{} calls left out", calls));
}

void CallRing::write(EventText& text, const CallRecord& record) {
  Arguments arguments;
  if (record.result != 0) arguments.add("result", std::int64_t{record.result});
  const Slice slice{.track = track_,
                    .category = "api",
                    .name = record.function,
                    .begin = record.begin,
                    .end = record.end,
                    .flow = record.command,
                    .causes = true,
                    .arguments = arguments.text()};
  if (record.begin != shown_begin_) return text.add(slice);
  text.add_end(slice);
  shown_begin_ = 0;
  if (record.command == 0) return;
  // No arrow can begin at an end event, so one begins at a short slice within the call.
  text.add({.track = track_,
            .category = "api",
            .name = "enqueued",
            .begin = record.end - 1,
            .end = record.end,
            .flow = record.command,
            .causes = true});
}

// open_begin_ is read before and after the name: if both values are equal, the name is that of the same call.
void CallRing::write_open_call(EventText& text, std::uint64_t now) {
  const std::uint64_t begin = open_begin_.load(std::memory_order_acquire);
  if (begin == 0 || begin == shown_begin_ || now < begin + kLong) return;
  const char* function = open_function_.load(std::memory_order_acquire);
  if (open_begin_.load(std::memory_order_acquire) != begin) return;
  text.add_begin({.track = track_, .category = "api", .name = function, .begin = begin});
  shown_begin_ = begin;
}

}  // namespace clcuda::trace
