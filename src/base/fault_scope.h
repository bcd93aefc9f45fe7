// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

namespace clcuda {

// Determines the effect of LLVM's fatal errors on the calling thread. LLVM has one handler per process, but the compiler and the executor
// both use LLVM, each on its own threads and with its own exception for failures. Both therefore install handlers that call raise(). It
// calls the function of the calling thread's innermost scope:
//
//   FaultScope faults([](const char* reason, bool out_of_memory) { throw MyFault{reason}; });
//
// Outside of all scopes raise() throws std::bad_alloc if memory has run out; otherwise it returns, and LLVM ends the process.
class FaultScope {
 public:
  using Raise = void (*)(const char* reason, bool out_of_memory);

  explicit FaultScope(Raise raise) : outer_(current_) { current_ = raise; }
  ~FaultScope() { current_ = outer_; }
  FaultScope(const FaultScope&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;

  static void raise(const char* reason, bool out_of_memory) {
    if (current_) current_(reason, out_of_memory);
    if (out_of_memory) throw std::bad_alloc();
  }
  // Functions to install: LLVM has two kinds of handlers.
  static void on_fatal_error(void*, const char* reason, bool) { raise(reason, false); }
  static void on_bad_alloc(void*, const char* reason, bool) { raise(reason, true); }

 private:
  static inline thread_local Raise current_ = nullptr;
  Raise outer_;
};

}  // namespace clcuda
