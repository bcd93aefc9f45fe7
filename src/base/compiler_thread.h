// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace clcuda {

// A compiler gave up: LLVM reported a fatal error, memory or the time for the work ran out, or the compiler
// read where it must not. Thrown through LLVM's and Clang's frames, which are built without exceptions but
// with unwind tables: their destructors do not run, so what they owned is leaked (the owners in our code
// release it on purpose rather than destroy half-built objects).
struct CompilerFault {
  std::string reason;
  bool out_of_memory = false;
};

// Runs `body` on a new thread with a large stack, and waits for it. LLVM's fatal errors (FaultScope), and
// signals that the body's own faults raise, become a CompilerFault; whatever leaves `body` is thrown again
// here.
void run_on_compiler_thread(const std::function<void()>& body);

// The same for code that may take very long and cannot be stopped: once `patience` is over the thread is left
// to itself with what `body` owns, and this throws a CompilerFault; at once, where too many are still at it.
void run_on_compiler_thread(std::function<void()> body, std::chrono::seconds patience);

// Bytes of stack that the running compiler thread has used, and has in all.
std::size_t compiler_stack_used();
std::size_t compiler_stack_size();

}  // namespace clcuda
