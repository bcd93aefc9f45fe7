// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "base/ref.h"
#include "ptx/driver/record.h"
#include "ptx/driver/worker_pool.h"

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

// A command that the device's threads execute.
class WorkCommand : public Command, protected Work {
 public:
  using Work::Work;
  Progress start(Stream& stream) noexcept override;

 protected:
  Stream& stream() const { return *stream_; }

 private:
  void finished() noexcept final;
  Stream* stream_ = nullptr;  // alive as long as it has a head
};

class RecordCommand final : public Command {
 public:
  explicit RecordCommand(Ref<Record> record) : record_(std::move(record)) {}
  Progress start(Stream&) noexcept override {
    record_->set_complete();
    return Progress::finished;
  }
  void drop() noexcept override { record_->set_complete(); }

 private:
  const Ref<Record> record_;
};

class WaitCommand final : public Command {
 public:
  explicit WaitCommand(Ref<Record> record) : record_(std::move(record)) {}
  Progress start(Stream& stream) noexcept override {
    const Ref<Record> record = record_;  // this command may be gone before add_waiter() has returned
    return record->add_waiter(stream) ? Progress::running : Progress::finished;
  }

 private:
  const Ref<Record> record_;
};

}  // namespace clcuda::ptx::driver
