// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace clcuda::compiler {

// The compiler gave up: LLVM reported a fatal error, memory ran out or the source passed a bound. Thrown
// through LLVM's and Clang's frames, which are built without exceptions but with unwind tables: their
// destructors do not run, so what they owned is leaked (the owners in our code release it on purpose rather
// than destroy half-built objects).
struct CompilerFault {
  std::string reason;
  bool out_of_memory = false;
};

// Runs `body` on a new thread whose stack is large enough for anything that passes the bounds of
// source_limits.h, and waits for it. LLVM's fatal errors inside become a CompilerFault; whatever leaves
// `body` is thrown again here.
void run_on_build_thread(const std::function<void()>& body);

// Clang continues deep recursion on threads of its own once it has used nearly 8 MB below the point it noted
// as the bottom of the stack. No exception could leave those threads, and the recursion would not be ours to
// bound. More than 8 MB away from that point Clang takes the stack for one that it does not understand and
// leaves it alone; this makes it note a point far below. To be called inside Clang's action, whose start
// notes the real one.
void keep_recursion_on_this_stack();

// Bytes of stack that the running build thread has used, and has in all.
std::size_t build_stack_used();
std::size_t build_stack_size();

}  // namespace clcuda::compiler
