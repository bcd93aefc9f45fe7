// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "ptx/driver/function.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

// A copy of a kernel's parameters, taken at the launch. Up to kAlignment bytes are stored without a heap allocation.
class Parameters {
 public:
  explicit Parameters(std::size_t size);
  std::byte* data() { return heap_.empty() ? inline_.bytes : heap_.front().bytes; }

 private:
  static constexpr std::size_t kAlignment = 128;  // of the largest vector type: 16 doubles
  struct alignas(kAlignment) Line {
    std::byte bytes[kAlignment];
  };
  Line inline_;
  std::vector<Line> heap_;
};

// A launch's configuration.
struct Shape {
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::uint32_t dynamic_shared_bytes;
};
// Whether the function can be launched with this configuration.
bool is_launchable(const Function& function, const Shape& shape);

class ChildGrid;

// A launch in execution: its blocks, the grids that they launch (dynamic parallelism), and after all these its tail launches, one after
// another. It is complete when all of them are.
class Grid : private Work, private DeviceLaunches {
 public:
  std::byte* parameters() { return parameters_.data(); }
  // Submits the blocks to the stream's threads.
  void start() noexcept;

 protected:
  Grid(Ref<Function> function, const Shape& shape, WorkerPool& pool, bool high_priority);
  ~Grid() override;
  // Called once, last; may destroy the grid. Returns the parent that waits for this grid, or null.
  virtual Grid* complete() noexcept = 0;
  // One of the grids that this one waits for has completed.
  void child_complete() noexcept EXCLUDES(mutex_);

 private:
  friend class ChildGrid;

  void run(std::uint64_t begin, std::uint64_t end, WorkerThread& thread) noexcept override;
  void run_blocks(std::uint64_t begin, std::uint64_t end, Worker& worker) noexcept;
  void finished() noexcept final { child_complete(); }
  void* parameter_buffer(std::uint64_t function, const std::array<std::uint32_t, 3>& grid,
                         const std::array<std::uint32_t, 3>& block, std::uint32_t shared) noexcept override
      EXCLUDES(mutex_);
  bool launch(void* parameters, bool tail) noexcept override EXCLUDES(mutex_);
  const KernelDescription* description(std::uint64_t function) const noexcept override;
  ChildGrid* next_tail() noexcept EXCLUDES(mutex_);

  const Ref<Function> function_;
  WorkerPool& pool_;
  const bool high_priority_;
  Parameters parameters_;
  const Launch launch_;
  std::atomic<std::uint64_t> open_{1};  // its own blocks, and each grid that they have launched
  Mutex mutex_ LOCK_RANK(executor_grid);
  std::unordered_map<void*, std::unique_ptr<ChildGrid>> prepared_ GUARDED_BY(mutex_);
  std::deque<std::unique_ptr<ChildGrid>> tails_ GUARDED_BY(mutex_);
};

// A grid launched by device code. It owns itself once started.
class ChildGrid final : public Grid {
 public:
  ChildGrid(Grid& parent, Ref<Function> function, const Shape& shape);
  ~ChildGrid() override;
  // Whether the context's limit leaves room for the launch.
  bool may_wait() const { return counted_; }

 private:
  Grid* complete() noexcept override;
  Grid& parent_;
  const bool counted_;
};

}  // namespace clcuda::ptx::driver
