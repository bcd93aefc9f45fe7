// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "ptx/abi/device_launches.h"
#include "ptx/abi/fault.h"
#include "ptx/executor/code_object.h"

namespace clcuda::ptx {

// A launch as its blocks see it.
struct Launch {
  const Kernel* kernel;
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::uint32_t dynamic_shared_bytes;
  // `kernel->description().parameter_bytes` of them, alive until the launch is complete.
  const std::byte* parameters;
  DeviceLaunches* launches;
  std::uint64_t number = 0;  // %gridid: no two launches of a process have the same
};

// The memory of one thread that runs blocks: shared memory, live values, local memory. Reused from block to block.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  // Runs block number `index` (x fastest) of the launch on the calling thread, to its end or to a fault.
  std::optional<Fault> run_block(const Launch& launch, std::uint64_t index);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clcuda::ptx
