// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace clcuda {

// Limits for work of foreign code, such as a build: `time` limits the processor time of each participating thread, and `time` multiplied by
// the number of processors (at least two) that of all threads together; `bytes` limits the memory of all threads. Foreign code cannot be
// interrupted, but it allocates often: beyond a limit its allocations fail, and it ends as it does when memory has run out. The allocation
// functions of libclcuda.so check the budget (icd/allocation_functions.cpp), for all code that is linked into it.
//
//   WorkBudget budget({.time = std::chrono::seconds(10), .bytes = 1 << 30});
//   try { WorkBudget::Share share(budget); …the work… } catch (const std::bad_alloc&) {}
//   if (budget.exceeded()) … budget.reason() …
//
// Thread-safe. The budget must outlive its shares.
class WorkBudget {
 public:
  struct Limits {
    std::chrono::seconds time;
    std::size_t bytes;
  };

  // The limit on memory is lower if much has been left behind.
  explicit WorkBudget(const Limits& limits);
  ~WorkBudget();
  WorkBudget(const WorkBudget&) = delete;
  WorkBudget& operator=(const WorkBudget&) = delete;

  // What is still allocated in the end is never released, as after a fault in foreign code. Several times that limit at most in a process.
  void leave_behind() noexcept { leaves_behind_.store(true, std::memory_order_relaxed); }

  bool exceeded() const { return exceeded_.load(std::memory_order_relaxed) != Limit::none; }
  bool out_of_memory() const { return exceeded_.load(std::memory_order_relaxed) == Limit::memory; }
  // "more than 10 s of processor time" or "more than 1024 MB of memory"; empty if no limit was exceeded.
  std::string reason() const;

  // During its lifetime, the calling thread's processor time and allocations count for the budget.
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
    // Adds time and memory that are not counted yet to the budget. Returns false if a limit is exceeded, counting a request of `wanted`
    // bytes.
    bool settle(std::size_t wanted) noexcept;

    WorkBudget& budget_;
    Share* const outer_;
    const std::int64_t begin_;
    std::int64_t settled_time_;    // thread's clock at the last settle(), in nanoseconds
    std::int64_t open_bytes_ = 0;  // allocated minus freed since the last settle()
    unsigned open_allocations_ = 0;
  };

  // Whether allocation functions that check budgets are linked; a tool or a sanitized library has none.
  static bool enforced() noexcept { return enforced_; }
  static bool enforce() noexcept { return enforced_ = true; }

  // For the allocation functions: whether the calling thread may allocate, and how much it has allocated or freed. Without a share, all is
  // admitted and nothing is counted.
  static bool admits(std::size_t bytes) noexcept;
  static void allocated(std::size_t bytes) noexcept;
  static void freed(std::size_t bytes) noexcept;
  static bool applies() noexcept { return current_ != nullptr; }
  // Ends the calling thread's shares after a fault has jumped out of the frames that hold them.
  static void forget() noexcept { current_ = nullptr; }
  // Processor time of the calling thread's share; 0 without one.
  static std::chrono::nanoseconds time_of_this_thread();

 private:
  enum class Limit : std::uint8_t { none, time, memory };

  void exceed(Limit limit) noexcept;

  static Limits within_what_is_left(Limits limits) noexcept;

  const Limits limits_;
  const unsigned processors_;
  std::atomic<std::int64_t> bytes_ = 0, nanoseconds_ = 0;
  std::atomic<Limit> exceeded_ = Limit::none;
  std::atomic<bool> leaves_behind_ = false;

  static constinit inline std::atomic<std::size_t> left_behind_ = 0;

  static thread_local constinit Share* current_;
  static constinit inline bool enforced_ = false;
};

}  // namespace clcuda
