// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace clcuda {

// A call of a function of the application's by a thread of ours: of a callback, a native kernel, a destructor. Once the process ends none
// begins any more, as what such a function uses may be destroyed by then; and exit() waits a second for those that have begun, on
// other threads than the one that called it, which may be in one itself.
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

template <class Function>
void call_application(const Function& function) noexcept {
  if (const ApplicationCall call; call) function();
}

}  // namespace clcuda
