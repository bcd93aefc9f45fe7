// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/signal_guard.h"
#include "ptx/abi/fault.h"

namespace clcuda::ptx {

// Recovers from faults in generated code on the calling thread, and determines what they mean (base/signal_guard.h).
//
//   prepare_thread_for_faults();
//   FaultGuard guard;
//   if (sigsetjmp(guard.jump, 1) == 0) { guard.arm(); …generated code…; guard.disarm(); }
//   else { guard.fault() … }
struct FaultGuard : SignalGuard {
  std::uint64_t local_begin = 0, local_end = 0;  // the block's kept local memory
  Fault raised{};                                // by a function that generated code called

  // The fault for which the jump was taken.
  Fault fault() const;
};

// Installs the handlers and notes the calling thread's stack. To be called on each thread that runs generated code; further calls cost
// nothing.
void prepare_thread_for_faults();

// For functions that generated code calls: ends the running block with a fault. Destructors of the frames up to the guard do not run.
[[noreturn]] void raise_fault(Fault fault);

// True if an address is local memory of the work-item that runs on the calling thread: on its stack, or in the memory kept across
// suspensions.
bool is_local_address(std::uint64_t address);

}  // namespace clcuda::ptx
