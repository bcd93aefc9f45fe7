// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstdint>

#include "ptx/execute/image.h"

namespace clcuda::ptx {

// Where a thread goes on when generated code faults. While one is armed on a thread, SIGSEGV, SIGBUS and
// SIGFPE there end the block; everywhere else they go to whoever handled them before.
//
//   FaultGuard guard;
//   if (sigsetjmp(guard.jump, 1) == 0) { guard.arm(); …generated code…; guard.disarm(); } else { guard.fault
//   … }
struct FaultGuard {
  sigjmp_buf jump;
  Fault fault{};
  std::uint64_t local_begin = 0, local_end = 0;  // the block's kept local memory

  void arm();
  void disarm();
};

// Installs the handlers, once per process, and gives the calling thread a stack to run them on.
void prepare_thread_for_faults();

// Ends the running block, from a function that generated code called.
[[noreturn]] void raise_fault(Fault fault);

// Whether an address is local memory of the work-item that runs on this thread: its stack or what is kept of
// it.
bool is_local_address(std::uint64_t address);

}  // namespace clcuda::ptx
