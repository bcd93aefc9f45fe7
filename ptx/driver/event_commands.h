// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "base/ref.h"
#include "ptx/driver/command.h"
#include "ptx/driver/event.h"
#include "ptx/driver/event_record.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// cuEventRecord.
class RecordCommand final : public Command {
 public:
  explicit RecordCommand(Ref<EventRecord> record) : record_(std::move(record)) {}
  Progress start(Stream&) noexcept override {
    record_->set_complete();
    return Progress::finished;
  }
  void drop() noexcept override { record_->set_complete(); }

 private:
  const Ref<EventRecord> record_;
};

inline Ref<EventRecord> new_record(const Event& event, Stream& stream) {
  require(&event.context() == &stream.context(), CUDA_ERROR_INVALID_HANDLE);
  return Ref<EventRecord>::adopt(new EventRecord(Ref<Context>(&stream.context())));
}

// Records the event at the stream's end.
inline void record(Event& event, Stream& stream) {
  Ref<EventRecord> record = new_record(event, stream);
  stream.enqueue(std::make_unique<RecordCommand>(record));
  event.set_latest(std::move(record));
}

// cuStreamWaitEvent.
class WaitCommand final : public Command {
 public:
  explicit WaitCommand(Ref<EventRecord> record) : record_(std::move(record)) {}
  Progress start(Stream& stream) noexcept override {
    const Ref<EventRecord> record = record_;  // this command may be gone before add_waiter() has returned
    return record->add_waiter(stream) ? Progress::running : Progress::finished;
  }

 private:
  const Ref<EventRecord> record_;
};

}  // namespace clcuda::ptx::driver
