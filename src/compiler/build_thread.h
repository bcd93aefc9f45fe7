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

// Bytes of stack that the running build thread has used, and has in all.
std::size_t build_stack_used();
std::size_t build_stack_size();

}  // namespace clcuda::compiler
