// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/application_stream.h"

#include "cuda/error.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

// Converts the driver's errors for an invalid handle, or one of another context, to CL_INVALID_VALUE.
template <class Use>
void with_handle(const char* otherwise, Use&& use) {
  try {
    std::forward<Use>(use)();
  } catch (const cuda::DriverError& error) {
    switch (error.result()) {
      case CUDA_ERROR_INVALID_HANDLE:
      case CUDA_ERROR_INVALID_CONTEXT:
      case CUDA_ERROR_INVALID_VALUE:
      case CUDA_ERROR_CONTEXT_IS_DESTROYED:
        throw Error(CL_INVALID_VALUE, otherwise);
      default:
        throw;
    }
  }
}

constexpr char kNoStream[] = "not a stream of the device's primary context";
constexpr char kNoEvent[] = "not an event of the device's primary context";

// Section 5.11: work that waits for a failed command must not run.
void require_submitted(std::span<const Ref<Command>> commands) {
  for (const Ref<Command>& command : commands) {
    const Command::Stage stage = command->stage();
    if (stage == Command::Stage::held)
      throw Error(CL_INVALID_OPERATION,
                  "an event whose command still waits for a user event or for the host");
    if (stage == Command::Stage::complete && command->result() < 0)
      throw Error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command in the wait list failed");
  }
}

void wait_for(cuda::Stream& stream, std::span<const Ref<Command>> submitted) {
  for (const Ref<Command>& command : submitted)
    if (command->stage() == Command::Stage::submitted) stream.wait(command->end_event());
}

}  // namespace

void acquire_for_stream(CommandQueue& queue, std::vector<MemoryUse>& uses, CUstream stream,
                        std::span<const Ref<Command>> waits) {
  require_submitted(waits);
  // The waits come first: making the objects resident may copy what the awaited commands write.
  const bool done = queue.record_directly({}, {}, [&](cuda::Stream& own) {
    wait_for(own, waits);
    const ResidentUses resident(uses, queue.device_index(), own);
    if (stream != own.handle()) with_handle(kNoStream, [&] { own.hold_back(stream); });
  });
  if (!done)
    throw Error(CL_INVALID_OPERATION,
                "a command ahead of this one in the queue still waits for a user event or for the host");
}

void hold_back(DeviceResources& resources, CUstream stream, std::span<const Ref<Command>> waits) {
  require_submitted(waits);
  const cuda::Current current(resources.context());
  const ScopedStream own(resources);
  wait_for(*own, waits);
  with_handle(kNoStream, [&] { own->hold_back(stream); });
}

ForeignWork::ForeignWork(const CommandQueue& queue, CUstream stream, Objects objects)
    : device_(queue.device_index()), objects_(std::move(objects)) {
  if (queue.in_order() && stream == queue.stream()) {
    stream_ = stream;
    return;
  }
  const cuda::Current current(queue.resources().context());
  end_ = queue.resources().events().take();
  with_handle(kNoStream, [&] { end_.record_in(stream); });
}

// The application may record its event again, so one of ours takes its place.
ForeignWork::ForeignWork(const CommandQueue& queue, CUevent event) : device_(queue.device_index()) {
  const cuda::Current current(queue.resources().context());
  const ScopedStream between(queue.resources());
  with_handle(kNoEvent, [&] { between->wait_for(event); });
  end_ = between->mark();
}

void ForeignWork::hold_back(cuda::Stream& own) {
  if (end_)
    own.wait(end_);
  else
    own.follow_foreign_work();
  for (const Ref<MemoryObject>& object : objects_) object->record_access(device_, own);
  followed_ = true;
}

void ForeignWork::let_go(DeviceResources& resources) noexcept {
  if (!followed_ && !objects_.empty()) {
    try {
      const cuda::Current current(resources.context());
      const ScopedStream between(resources);
      if (!end_) {
        end_ = resources.events().take();
        end_.record_in(stream_);
      }
      hold_back(*between);
    } catch (const std::exception& error) {
      resources.report_error(error);
    }
  }
  objects_.clear();
}

}  // namespace clcuda
