// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/signal_guard.h"
#include "ptx/abi/fault.h"

namespace clcuda::ptx {

// Where a thread goes on when generated code faults.
//
//   FaultGuard guard;
//   if (sigsetjmp(guard.jump, 1) == 0) { guard.arm(); …generated code…; guard.disarm(); }
//   else { guard.fault() … }
struct FaultGuard : SignalGuard {
  std::uint64_t local_begin = 0, local_end = 0;  // the block's kept local memory
  Fault raised{};                                // by a function that generated code called

  // Why the jump was taken.
  Fault fault() const;
};

// Makes the calling thread ready to run generated code.
void prepare_thread_for_faults();

// Ends the running block, from a function that generated code called.
[[noreturn]] void raise_fault(Fault fault);

// Whether an address is local memory of the work-item that runs on this thread: its stack or what is kept of
// it.
bool is_local_address(std::uint64_t address);

}  // namespace clcuda::ptx
