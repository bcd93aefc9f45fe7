// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::ptx::driver {

class Stream;

// One element of a stream's queue: a whole snapshot, checked when it was enqueued. It is started when it has
// become the head, and destroyed once finished.
class Command {
 public:
  Command() = default;
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  enum class Progress { finished, running };
  // `running`: somebody calls stream.finish_head() later, exactly once (perhaps before this has returned).
  virtual Progress start(Stream& stream) noexcept = 0;
  // Instead of start(), when the context has failed: nothing is executed any more, but nobody must be left
  // waiting.
  virtual void drop() noexcept {}

 private:
  friend class Stream;
  Command* next_ = nullptr;
};

}  // namespace clcuda::ptx::driver
