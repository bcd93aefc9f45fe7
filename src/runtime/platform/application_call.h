// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace clcuda {

// A call of an application's function (callback, native kernel, destructor function) by a thread of the library. No call begins once exit()
// has been called, because static objects that the function uses may be destroyed by then. exit() waits up to a second for calls that run
// on other threads.
class ApplicationCall {
 public:
  ApplicationCall() noexcept;  // registers the call, unless exit() has begun
  ~ApplicationCall();
  ApplicationCall(const ApplicationCall&) = delete;
  ApplicationCall& operator=(const ApplicationCall&) = delete;
  explicit operator bool() const { return allowed_; }  // whether the function may be called

 private:
  bool allowed_;
};

// Registers the exit handler that prevents further calls and waits. To be called before the application can pass a callback.
void stop_application_calls_at_process_end();

// Calls the function; returns false, without calling it, if exit() has begun.
template <class Function>
bool call_application(const Function& function) noexcept {
  const ApplicationCall call;
  if (call) function();
  return static_cast<bool>(call);
}

// Blocks the calling thread, which must be one of the library, until the process has ended. The thread keeps its references: releasing the
// last one to a queue, program or context would call a driver that is shutting down.
[[noreturn]] void wait_for_process_end() noexcept;

}  // namespace clcuda
