// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::trace {

class CallRing;

// Records a call of an entry point from its construction to its destruction, on the calling thread; made by icd/traced_call.h. `function`
// is not copied.
//
//   trace::Call call("clFinish"); … call.set_result(result);
class Call {
 public:
  explicit Call(const char* function) noexcept;
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void set_result(std::int32_t result) noexcept { result_ = result; }

 private:
  friend bool note_command(std::uint64_t) noexcept;

  const char* const function_;
  const bool annotated_;
  CallRing* ring_ = nullptr;  // null: not in the timeline
  Call* outer_ = nullptr;     // the enclosing call, if a callback makes this one
  std::uint64_t begin_ = 0;
  std::uint32_t command_ = 0;
  std::int32_t result_ = 0;
};

// Notes that the calling thread's innermost call has enqueued the command with this number, so that an arrow in the timeline leads from the
// call to the command. Returns false if the call is not in the timeline or already has a command.
bool note_command(std::uint64_t number) noexcept;

}  // namespace clcuda::trace
