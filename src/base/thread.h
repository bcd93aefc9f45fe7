// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace clcuda {

// Only address space, until it is used.
constexpr std::size_t kUsualStack = std::size_t{8} << 20;

// Starts a thread of ours, which nothing ever joins, in the application's process: all asynchronous signals
// are blocked there, since they are the application's; floating-point arithmetic is as a program finds it,
// whatever mode the calling thread has set; the stack does not depend on the process's limit. False if the
// system refuses.
bool start_thread(const char* name, std::function<void()> main,
                  std::size_t stack_bytes = kUsualStack) noexcept;

}  // namespace clcuda
