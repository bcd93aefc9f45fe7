// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace clcuda {

// A call of a function of the application's by a thread of ours: of a callback, a native kernel, a
// destructor. Once the process ends none begins any more, as what such a function uses may be destroyed by
// then; and exit() waits a second for those that have begun, on other threads than the one that called it,
// which may be in one itself.
class ApplicationCall {
 public:
  ApplicationCall() noexcept;
  ~ApplicationCall();
  ApplicationCall(const ApplicationCall&) = delete;
  ApplicationCall& operator=(const ApplicationCall&) = delete;
  explicit operator bool() const { return allowed_; }

 private:
  bool allowed_;
};

// To be called before there can be such a function.
void stop_application_calls_at_process_end();

// False where the process ends and the function was not called.
template <class Function>
bool call_application(const Function& function) noexcept {
  const ApplicationCall call;
  if (call) function();
  return static_cast<bool>(call);
}

// Has the calling thread, which is ours, wait until the process is gone, with all that it holds: what goes
// with the last reference to a queue, a program or a context has the driver at work, which is not to be while
// that goes down with the process.
[[noreturn]] void wait_for_process_end() noexcept;

}  // namespace clcuda
