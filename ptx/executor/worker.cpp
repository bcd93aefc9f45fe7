// SPDX-License-Identifier: Apache-2.0
#include "ptx/executor/worker.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "ptx/execute/fault_guard.h"
#include "ptx/executor/loaded_kernel.h"

namespace clcuda::ptx {

namespace {

// Memory that grows and is not cleared: as on a device, a block writes what it needs before it reads it.
class Buffer {
 public:
  ~Buffer() { std::free(memory_); }
  std::byte* of_size(std::size_t bytes) {
    if (bytes > size_) {
      std::free(memory_);
      memory_ = nullptr;
      size_ = 0;
      const std::size_t rounded = (bytes + 4095) / 4096 * 4096;
      memory_ = static_cast<std::byte*>(std::aligned_alloc(4096, rounded));
      if (!memory_) throw std::bad_alloc();
      size_ = rounded;
    }
    return memory_;
  }

 private:
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

struct Worker::State {
  Scheduler scheduler;
  FaultGuard guard;
  Block block{};
  Buffer shared, local, slots, states, operands, results;

  void prepare(const LoadedKernel& kernel, const Launch& launch, std::uint64_t index);
  bool run_guarded(const KernelEntry& entry);
};

Worker::Worker() : state_(std::make_unique<State>()) {
  static std::atomic<std::uint32_t> workers = 0;
  state_->block.worker = workers.fetch_add(1, std::memory_order_relaxed) % 1024;  // below %nsmid
}
Worker::~Worker() = default;

void Worker::State::prepare(const LoadedKernel& kernel, const Launch& launch, std::uint64_t index) {
  std::uint32_t items = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    block.block_size[axis] = launch.block[axis];
    block.grid_size[axis] = launch.grid[axis];
    items *= launch.block[axis];
  }
  block.block_index[0] = static_cast<std::uint32_t>(index % launch.grid[0]);
  block.block_index[1] = static_cast<std::uint32_t>(index / launch.grid[0] % launch.grid[1]);
  block.block_index[2] = static_cast<std::uint32_t>(index / launch.grid[0] / launch.grid[1]);
  block.parameters = launch.parameters;
  block.launches = launch.launches;
  block.grid_number = launch.number;
  block.globals = kernel.globals;
  block.address_zero = nullptr;
  block.item_stride = (items + 63) / 64 * 64;
  block.dynamic_shared_offset = kernel.dynamic_shared_offset;
  block.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  block.static_shared_bytes = launch.kernel->description().static_shared_bytes;
  block.shared = shared.of_size(std::size_t{kernel.dynamic_shared_offset} + launch.dynamic_shared_bytes + 64);
  if (kernel.entry.waits.empty()) return;
  const std::size_t local_bytes = std::size_t{items} * kernel.kept_local_bytes;
  block.local = local.of_size(local_bytes);
  guard.local_begin = reinterpret_cast<std::uint64_t>(block.local);
  guard.local_end = guard.local_begin + local_bytes;
  block.slots = slots.of_size(std::size_t{block.item_stride} * kernel.slot_bytes);
  block.state = reinterpret_cast<std::uint32_t*>(states.of_size(std::size_t{block.item_stride} * 4));
  block.operands =
      reinterpret_cast<std::uint64_t*>(operands.of_size(std::size_t{block.item_stride} * 8 * kWaitOperands));
  block.results = reinterpret_cast<std::uint64_t*>(results.of_size(std::size_t{block.item_stride} * 8));
}

// A fault jumps back here over frames of generated code and of the scheduler. None of these owns resources while generated code runs.
bool Worker::State::run_guarded(const KernelEntry& entry) {
  guard.number = 0;
  guard.raised = {};
  // The handler runs with the thread's own signal mask (SA_NODEFER). So no mask has to be saved and restored, which would take a system
  // call for each block.
  if (sigsetjmp(guard.jump, 0) != 0) return false;
  guard.arm();
  const bool finished = scheduler.run(entry, block);
  guard.disarm();
  if (!finished) guard.raised = {FaultKind::illegal_instruction, 0};
  return finished;
}

std::optional<Fault> Worker::run_block(const Launch& launch, std::uint64_t index) {
  prepare_thread_for_faults();
  const LoadedKernel& kernel = launch.kernel->code();
  state_->prepare(kernel, launch, index);
  if (state_->run_guarded(kernel.entry)) return std::nullopt;
  return state_->guard.fault();
}

}  // namespace clcuda::ptx
