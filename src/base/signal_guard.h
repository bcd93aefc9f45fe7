// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstdint>

namespace clcuda {

// Where a thread goes on when code that we run but did not write (a kernel, a compiler) accesses memory that
// it must not, or executes what the processor cannot, or what lies between functions (int3). While one is
// armed on a thread, SIGSEGV, SIGBUS, SIGILL, SIGTRAP and SIGFPE of that thread end there; all other signals
// go to whoever handled them before.
//
//   prepare_thread_for_signals();
//   SignalGuard guard;
//   if (sigsetjmp(guard.jump, 1) == 0) { guard.arm(); …foreign code…; guard.disarm(); } else { guard.number …
//   }
//
// No destructor runs between the fault and the jump.
struct SignalGuard {
  sigjmp_buf jump;
  int number = 0;  // the signal, and its si_code and si_addr
  int code = 0;
  std::uint64_t address = 0;

  ~SignalGuard() { disarm(); }
  void arm();
  void disarm();

  // The one armed on this thread, or null.
  static SignalGuard* armed();
};

// Installs the handlers, once per process, and gives the calling thread a stack to run them on.
void prepare_thread_for_signals();

}  // namespace clcuda
