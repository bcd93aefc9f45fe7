// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace clcuda {

// In bytes. Until it is used, a stack takes address space only.
constexpr std::size_t kUsualStack = std::size_t{8} << 20;

// Starts a detached thread in the application's process. All asynchronous signals are blocked on it, because they are for the application;
// the floating-point environment is the default one, whatever the calling thread has set; the stack size does not depend on the process's
// limit. `main` must not throw. Returns false if the thread cannot be started. `name` is shown by debuggers, has at most 15 characters, and
// is not copied.
//
//   start_thread("clcuda-watcher", [this] { loop(); });
bool start_thread(const char* name, std::function<void()> main,
                  std::size_t stack_bytes = kUsualStack) noexcept;

}  // namespace clcuda
