// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/compilation_limits.h"

namespace clcuda {

// A failure of a compiler: LLVM reported a fatal error, memory or the time limit was exceeded, or the compiler raised a signal such as
// SIGSEGV. It is thrown through frames of LLVM and Clang, which are compiled without exceptions but with unwind tables: their destructors
// do not run, so what they own is leaked. Owners in this project's code release half-built objects instead of destroying them.
struct CompilerFault {
  std::string reason;
  bool out_of_memory = false;
};

// Runs `body` on a new thread with a large stack and waits for it. LLVM's fatal errors (FaultScope) and signals that faults in `body`
// raise are thrown here as CompilerFault, exceptions that leave `body` as they are. Throws std::bad_alloc if no thread can be started.
//
//   run_on_compiler_thread([&] { module = compile(source); });
//
// A thread that has used `most` of processor time is interrupted, as if by a fault, and CompilerFault is thrown. This is for code that is
// bounded by a WorkBudget of less: if it is still at work, it does not allocate, so it is in an endless loop.
// (Clang 22 parses the expression `(:::int)1` for ever.)
void run_on_compiler_thread(const std::function<void()>& body,
                            std::optional<std::chrono::nanoseconds> most = longest_compilation());

// The same for code that may take very long and cannot be interrupted. Once the thread has used `patience` of processor time, it throws a
// CompilerFault and no longer waits for the thread, which keeps what `body` owns. Therefore `body` must not refer to objects of the
// caller. Throws immediately if too many such threads are still running.
void run_and_wait_for(std::chrono::seconds patience, std::function<void()> body);

// The used and the total size, in bytes, of the calling compiler thread's stack.
std::size_t compiler_stack_used();
std::size_t compiler_stack_size();

}  // namespace clcuda
