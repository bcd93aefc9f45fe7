// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <atomic>
#include <csetjmp>
#include <cstdint>

namespace clcuda {

// Recovers from faults in code that the library runs but did not write (a kernel, a compiler): invalid memory accesses and instructions.
// While a guard is armed on a thread, SIGSEGV, SIGBUS, SIGILL, SIGTRAP and SIGFPE raised by that thread jump to its sigsetjmp(); all other
// signals go to the handlers that were installed before.
//
//   prepare_thread_for_signals();
//   SignalGuard guard;
//   if (sigsetjmp(guard.jump, 1) == 0) {
//     guard.arm(); …foreign code…; guard.disarm();
//   } else {
//     … guard.number …
//   }
//
// No destructor runs between the fault and the jump.
struct SignalGuard {
  sigjmp_buf jump;
  int number = 0;  // the signal, and its si_code and si_addr; 0 for an interruption
  int code = 0;
  std::uint64_t address = 0;

  ~SignalGuard() { disarm(); }
  void arm();
  void disarm();

  // The guard that is armed on this thread, or null.
  static SignalGuard* armed();
};

// A thread that another one can make jump to the guard that is armed on it, from wherever it is.
class InterruptibleThread {
 public:
  InterruptibleThread();  // the calling thread

  // Does nothing if no guard is armed, if the thread is Uninterruptible, or if the program has put handlers of its own in place of all of
  // ours.
  // The thread must exist.
  void interrupt() const noexcept;

 private:
  pthread_t thread_;
  std::atomic<bool>*
      wanted_;  // the thread's own: a signal may come without information when too many are queued
};

// While one exists, the calling thread is not interrupted, for example because it holds an allocator's lock. Faults are still caught.
class Uninterruptible {
 public:
  Uninterruptible();
  ~Uninterruptible();
  Uninterruptible(const Uninterruptible&) = delete;
  Uninterruptible& operator=(const Uninterruptible&) = delete;
};

// Installs the handlers, once per process, and gives the calling thread a stack to run them on.
void prepare_thread_for_signals();

}  // namespace clcuda
