// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/grid.h"

#include <chrono>
#include <limits>
#include <utility>

#include "base/log.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {
namespace {

CUresult error_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::illegal_address:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FaultKind::misaligned_address:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FaultKind::illegal_instruction:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case FaultKind::invalid_call:
      return CUDA_ERROR_INVALID_PC;
    case FaultKind::trap:
    case FaultKind::stack_overflow:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Parameters::Parameters(std::size_t size) {
  if (size > sizeof inline_) heap_.resize((size + sizeof(Line) - 1) / sizeof(Line));
}

bool is_launchable(const Function& function, const Shape& shape) {
  const auto& [grid, block, shared] = shape;
  if (grid[0] < 1 || grid[1] < 1 || grid[2] < 1) return false;
  if (grid[0] > std::numeric_limits<std::int32_t>::max() || grid[1] > 65535 || grid[2] > 65535) return false;
  if (block[0] > kMaxBlockThreads || block[1] > kMaxBlockThreads || block[2] > 64) return false;
  if (!function.allows(std::uint64_t{block[0]} * block[1] * block[2], shared)) return false;
  const auto& fixed = function.description().required_block;
  return fixed[0] == 0 || fixed == block;
}

Grid::Grid(Ref<Function> function, const Shape& shape, WorkerPool& pool, bool high_priority)
    : Work(high_priority),
      function_(std::move(function)),
      pool_(pool),
      high_priority_(high_priority),
      parameters_(function_->description().parameter_bytes),
      launch_{&function_->kernel(), shape.grid, shape.block,  shape.dynamic_shared_bytes,
              parameters_.data(),   this,       next_number()} {
  const std::uint64_t blocks = std::uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2];
  const std::uint64_t each = function_->block_nanoseconds();
  set_pieces(blocks, blocks < std::numeric_limits<std::uint32_t>::max() ? each * blocks : 0);
}

Grid::~Grid() = default;

void Grid::start() noexcept { pool_.submit(*this); }

void Grid::run(std::uint64_t begin, std::uint64_t end, WorkerThread& thread) noexcept {
  const bool measured = begin == 0, quick = function_->kernel().tier() == Tier::quick;
  if (!measured && !quick) return run_blocks(begin, end, thread.worker());
  const auto start = std::chrono::steady_clock::now();
  run_blocks(begin, end, thread.worker());
  const auto taken =
      static_cast<std::uint64_t>((std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1));
  if (measured) function_->set_block_nanoseconds(taken / (end - begin) + 1);
  if (quick && function_->kernel().spend(taken)) Process::get().tier_up_compiler().request(function_);
}

void Grid::run_blocks(std::uint64_t begin, std::uint64_t end, Worker& worker) noexcept {
  Context& context = function_->context();
  for (std::uint64_t index = begin; index < end; ++index) {
    if (context.failed()) return cancel();
    if (const std::optional<Fault> fault = worker.run_block(launch_, index)) {
      log::error("kernel {}, block {}: fault at address {:#x}", function_->description().name, index,
                 fault->address);
      const CUresult error = error_of(fault->kind);
      if (context.fail(error))
        log::error("device {} has failed: error {}", context.device().ordinal(), static_cast<int>(error));
      return cancel();
    }
  }
}

// Completes this grid and all ancestors that are thereby complete. A loop, because kernels may be nested more deeply than the stack allows
// recursion.
void Grid::child_complete() noexcept {
  for (Grid* grid = this; grid && grid->open_.fetch_sub(1, std::memory_order_acq_rel) == 1;) {
    if (ChildGrid* next = grid->next_tail()) return next->start();
    grid = grid->complete();
  }
}

// To be called when nothing else of the grid is running.
ChildGrid* Grid::next_tail() noexcept {
  MutexLock lock(mutex_);
  prepared_.clear();
  if (tails_.empty()) return nullptr;
  ChildGrid* next = tails_.front().release();
  tails_.pop_front();
  open_.store(1, std::memory_order_relaxed);
  return next;
}

void* Grid::parameter_buffer(std::uint64_t address, const std::array<std::uint32_t, 3>& grid,
                             const std::array<std::uint32_t, 3>& block, std::uint32_t shared) noexcept {
  const Ref<Module>& module = function_->module();
  const Kernel* kernel = module->kernel_at(address);
  if (!kernel) return nullptr;
  const Shape shape{grid, block, shared};
  try {
    auto function = Ref<Function>::adopt(new Function(module, *kernel));
    if (!is_launchable(*function, shape)) return nullptr;
    auto child = std::make_unique<ChildGrid>(*this, std::move(function), shape);
    if (!child->may_wait()) return nullptr;
    void* parameters = child->parameters();
    MutexLock lock(mutex_);
    prepared_[parameters] = std::move(child);
    return parameters;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

bool Grid::launch(void* parameters, bool tail) noexcept {
  std::unique_ptr<ChildGrid> child;
  {
    MutexLock lock(mutex_);
    const auto found = prepared_.find(parameters);
    if (found == prepared_.end()) return false;
    child = std::move(found->second);
    prepared_.erase(found);
    if (tail) {
      tails_.push_back(std::move(child));
      return true;
    }
  }
  open_.fetch_add(1, std::memory_order_relaxed);
  child.release()->start();
  return true;
}

const KernelDescription* Grid::description(std::uint64_t address) const noexcept {
  const Kernel* kernel = function_->module()->kernel_at(address);
  return kernel ? &kernel->description() : nullptr;
}

ChildGrid::ChildGrid(Grid& parent, Ref<Function> function, const Shape& shape)
    : Grid(std::move(function), shape, parent.pool_, parent.high_priority_),
      parent_(parent),
      counted_(parent.function_->context().begin_device_launch()) {}

ChildGrid::~ChildGrid() {
  if (counted_) parent_.function_->context().end_device_launch();
}

Grid* ChildGrid::complete() noexcept {
  Grid* parent = &parent_;
  delete this;
  return parent;
}

}  // namespace clcuda::ptx::driver
