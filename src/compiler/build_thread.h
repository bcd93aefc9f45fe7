// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/compiler_thread.h"

namespace clcuda::compiler {

// A compiler thread (base/compiler_thread.h), with LLVM ready for PTX. Its stack is large enough for anything
// that passes the bounds of source_limits.h.
void run_on_build_thread(const std::function<void()>& body);

// Clang continues deep recursion on threads of its own once it has used nearly 8 MB below the point it noted
// as the bottom of the stack. No exception could leave those threads, and the recursion would not be ours to
// bound. More than 8 MB away from that point Clang takes the stack for one that it does not understand and
// leaves it alone; this makes it note a point far below. To be called inside Clang's action, whose start
// notes the real one.
void keep_recursion_on_this_stack();

}  // namespace clcuda::compiler
