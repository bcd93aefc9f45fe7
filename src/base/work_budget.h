// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace clcuda {

// What a piece of work that foreign code does for us, such as a build, may take: processor time of each thread that shares in it, and of
// all as much for each processor (two at least); memory of all together. Foreign code cannot be interrupted, but it allocates all the
// time: beyond a limit its allocations fail, and it ends as it ends when memory has run out. libclcuda.so has the allocation functions of
// all that it links with ask (icd/allocation_functions.cpp).
//
//   WorkBudget budget({.time = std::chrono::seconds(10), .bytes = 1 << 30});
//   try { WorkBudget::Share share(budget); …the work… } catch (const std::bad_alloc&) {}
//   if (budget.exceeded()) … budget.reason() …
class WorkBudget {
 public:
  struct Limits {
    std::chrono::seconds time;
    std::size_t bytes;
  };

  explicit WorkBudget(const Limits& limits);
  WorkBudget(const WorkBudget&) = delete;
  WorkBudget& operator=(const WorkBudget&) = delete;

  bool exceeded() const { return exceeded_.load(std::memory_order_relaxed) != Limit::none; }
  // "more than 10 s of processor time" or "more than 1024 MB of memory"; empty where no limit was exceeded.
  std::string reason() const;

  // The calling thread shares in the work, for as long as this lives.
  class Share {
   public:
    explicit Share(WorkBudget& budget);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Processor time of this share so far.
    std::chrono::nanoseconds time() const;

   private:
    friend class WorkBudget;
    // Whether the work may go on; to be asked now and then.
    bool settle(std::size_t wanted) noexcept;

    WorkBudget& budget_;
    Share* const outer_;
    const std::int64_t begin_;
    std::int64_t settled_time_;    // nanoseconds of the thread's clock that the budget knows of
    std::int64_t open_bytes_ = 0;  // allocated, less what was freed, since the budget heard of it
    unsigned open_allocations_ = 0;
  };

  // Of the calling thread's share, if it has one: whether it may allocate, what it did, and what it gives back.
  static bool admits(std::size_t bytes) noexcept;
  static void allocated(std::size_t bytes) noexcept;
  static void freed(std::size_t bytes) noexcept;
  static bool applies() noexcept { return current_ != nullptr; }
  // Ends the calling thread's shares, for where a fault has left the frames that hold them.
  static void forget() noexcept { current_ = nullptr; }
  // Processor time of the calling thread's share; 0 without one.
  static std::chrono::nanoseconds time_of_this_thread();

 private:
  enum class Limit : std::uint8_t { none, time, memory };

  void exceed(Limit limit) noexcept;

  const Limits limits_;
  const unsigned processors_;
  std::atomic<std::int64_t> bytes_ = 0, nanoseconds_ = 0;
  std::atomic<Limit> exceeded_ = Limit::none;

  static thread_local constinit Share* current_;
};

// Of each step of a build: to PTX, and from there to machine code. All of a build is to end within 20 s on two processors and 2 GB, which
// only both steps at their limits exceed.
constexpr WorkBudget::Limits kCompilationLimits{.time = std::chrono::seconds(12),
                                                .bytes = std::size_t{1300} << 20};

}  // namespace clcuda
