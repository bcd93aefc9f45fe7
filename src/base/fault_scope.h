// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace clcuda {

// What a fatal error of a library means on this thread. LLVM has one handler per process, but the compiler
// and the executor both use LLVM, each on its own threads and with its own idea of a failure. Both therefore
// install handlers that call raise(), and whichever handler is in place, the scope of the running thread
// decides:
//
//   FaultScope faults([](const char* reason, bool out_of_memory) { throw MyFault{reason}; });
//
// Outside any scope raise() returns, and the library goes on to end the process.
class FaultScope {
 public:
  using Raise = void (*)(const char* reason, bool out_of_memory);

  explicit FaultScope(Raise raise) : outer_(current_) { current_ = raise; }
  ~FaultScope() { current_ = outer_; }
  FaultScope(const FaultScope&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;

  static void raise(const char* reason, bool out_of_memory) {
    if (current_) current_(reason, out_of_memory);
  }
  // As LLVM's two kinds of handlers are called.
  static void on_fatal_error(void*, const char* reason, bool) { raise(reason, false); }
  static void on_bad_alloc(void*, const char* reason, bool) { raise(reason, true); }

 private:
  static inline thread_local Raise current_ = nullptr;
  Raise outer_;
};

}  // namespace clcuda
