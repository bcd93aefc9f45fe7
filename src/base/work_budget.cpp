// SPDX-License-Identifier: Apache-2.0
#include "base/work_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <thread>

namespace clcuda {
namespace {

// Limits are checked only after so many allocations or bytes, because reading the clock takes a third of a microsecond.
constexpr unsigned kAllocationsBetweenLooks = 512;
constexpr std::int64_t kBytesBetweenLooks = 1 << 20;

std::int64_t thread_time() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

WorkBudget::WorkBudget(const Limits& limits)
    : limits_(within_what_is_left(limits)), processors_(std::max(2u, std::thread::hardware_concurrency())) {}

WorkBudget::~WorkBudget() {
  const std::int64_t bytes = bytes_.load(std::memory_order_relaxed);
  if (leaves_behind_.load(std::memory_order_relaxed) && bytes > 0)
    left_behind_.fetch_add(static_cast<std::size_t>(bytes), std::memory_order_relaxed);
}

WorkBudget::Limits WorkBudget::within_what_is_left(Limits limits) noexcept {
  constexpr std::size_t kMostLeftBehind = 4;  // times the limit
  const std::size_t most = kMostLeftBehind * limits.bytes;
  const std::size_t left = left_behind_.load(std::memory_order_relaxed);
  limits.bytes = std::min(limits.bytes, most - std::min(most, left));
  return limits;
}

thread_local constinit WorkBudget::Share* WorkBudget::current_ = nullptr;

WorkBudget::Share::Share(WorkBudget& budget)
    : budget_(budget), outer_(current_), begin_(thread_time()), settled_time_(begin_) {
  current_ = this;
}

WorkBudget::Share::~Share() {
  current_ = outer_;
  settle(0);
}

std::chrono::nanoseconds WorkBudget::Share::time() const {
  return std::chrono::nanoseconds(thread_time() - begin_);
}

bool WorkBudget::Share::settle(std::size_t wanted) noexcept {
  const std::int64_t now = thread_time();
  const std::int64_t time =
      budget_.nanoseconds_.fetch_add(now - settled_time_, std::memory_order_relaxed) + now - settled_time_;
  const std::int64_t bytes = budget_.bytes_.fetch_add(open_bytes_, std::memory_order_relaxed) + open_bytes_;
  settled_time_ = now;
  open_bytes_ = 0;
  open_allocations_ = 0;
  const std::size_t held = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  if (wanted > budget_.limits_.bytes || held > budget_.limits_.bytes - wanted) budget_.exceed(Limit::memory);
  // Threads on several processors run at the same time, so all together may use the limit once for each processor.
  const std::chrono::nanoseconds most = budget_.limits_.time;
  if (std::chrono::nanoseconds(now - begin_) > most ||
      std::chrono::nanoseconds(time) > most * budget_.processors_)
    budget_.exceed(Limit::time);
  return !budget_.exceeded();
}

// Allocations fail only when the limits are checked, so that code that handles such a failure can allocate a little.
bool WorkBudget::admits(std::size_t bytes) noexcept {
  Share* share = current_;
  if (!share) return true;
  const bool looks = ++share->open_allocations_ >= kAllocationsBetweenLooks ||
                     share->open_bytes_ > kBytesBetweenLooks || bytes > std::size_t{kBytesBetweenLooks};
  return !looks || share->settle(bytes);
}

void WorkBudget::allocated(std::size_t bytes) noexcept {
  if (current_) current_->open_bytes_ += static_cast<std::int64_t>(bytes);
}

void WorkBudget::freed(std::size_t bytes) noexcept {
  if (current_) current_->open_bytes_ -= static_cast<std::int64_t>(bytes);
}

std::chrono::nanoseconds WorkBudget::time_of_this_thread() {
  return current_ ? current_->time() : std::chrono::nanoseconds(0);
}

void WorkBudget::exceed(Limit limit) noexcept {
  Limit none = Limit::none;
  exceeded_.compare_exchange_strong(none, limit, std::memory_order_relaxed);
}

std::string WorkBudget::reason() const {
  switch (exceeded_.load(std::memory_order_relaxed)) {
    case Limit::time:
      return fmt::format("more than {} s of processor time (CLCUDA_BUILD_TIME)", limits_.time.count());
    case Limit::memory:
      return fmt::format("more than {} MB of memory (CLCUDA_BUILD_MEMORY){}", limits_.bytes >> 20,
                         left_behind_ ? ", beside what builds hold that could not be brought to an end" : "");
    default:
      return {};
  }
}

}  // namespace clcuda
