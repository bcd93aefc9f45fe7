// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/command.h"

#include <algorithm>
#include <optional>

#include "base/host_time.h"
#include "base/log.h"
#include "base/trace/trace.h"
#include "cuda/error.h"
#include "runtime/device/host_worker_pool.h"
#include "runtime/device/slow_completions.h"
#include "runtime/platform/callback_thread.h"
#include "runtime/queue/command_queue.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

Command::Command(CommandQueue& queue, cl_command_type type, Ordering ordering)
    : context_(queue.context()), queue_(queue), type_(type), ordering_(ordering) {
  if (queue.profiling()) times_.queued = host_time();
}

Command::Command(Context& context) : context_(context), type_(CL_COMMAND_USER) {
  if (trace::recording()) number_ = QueueTimeline::next_number();
}

Command::~Command() = default;

std::span<MemoryUse> Command::uses() { return uses_; }

// Called when the command will be neither emitted nor performed again.
void Command::release() noexcept {
  uses_.clear();
  release_resources();
}

cl_int Command::status() noexcept {
  if (poll()) return result();
  if (stage() == Stage::held) {
    if (type_ == CL_COMMAND_USER) return CL_SUBMITTED;
    if (!running_.load(std::memory_order_acquire)) return CL_QUEUED;
  }
  // The start event happens when the preceding work in the stream is done; a host act has not begun before that, either.
  try {
    cuda::Current current(queue_->resources().context());
    if (start_ && start_.query() == CUDA_SUCCESS) return CL_RUNNING;
  } catch (const std::exception& error) {
    queue_->resources().report_error(error);
  }
  return CL_SUBMITTED;
}

bool Command::poll() noexcept {
  const Stage seen = stage();
  if (seen != Stage::submitted) return seen == Stage::complete;
  if (!end_ && !queue_->resources().lost()) return false;  // no end event was needed
  CUresult result = CUDA_SUCCESS;
  try {
    cuda::Current current(queue_->resources().context());
    result = queue_->resources().lost() ? CUDA_ERROR_LAUNCH_FAILED : end_.query();
  } catch (const cuda::DriverError& error) {
    result = error.result();
  }
  if (result == CUDA_ERROR_NOT_READY) return false;
  if (result == CUDA_SUCCESS && has_slow_steps_left() && leave_end()) return complete();
  observe_end(result);
  return complete();
}

// A command that only follows slow ones is polled on, because others may complete those first.
bool Command::completes_elsewhere() const noexcept {
  return slow_epilogue_ && left_.load(std::memory_order_acquire) && !queue_->resources().lost();
}

// Whether an epilogue that may take long is still to be run: its own, or one before it. If a thread has waited for those, the command
// completes at once: after clFinish(), for example, its status must be CL_COMPLETE.
bool Command::has_slow_steps_left() noexcept { return slow_epilogue_ || follows_slow_epilogue(); }

bool Command::follows_slow_epilogue() noexcept {
  if (!ends_slowly_) return false;
  if (queue_->follows_slow_epilogue(*this)) return true;
  MutexLock lock(mutex_);
  return std::ranges::any_of(
      behind_, [](const Ref<Command>& before) { return before->ends_slowly_ && !before->complete(); });
}

// Leaves the steps at completion to a thread that may wait; returns false if there is none.
bool Command::leave_end() noexcept {
  if (left_.exchange(true, std::memory_order_acq_rel)) return true;
  try {
    SlowCompletions::add(Ref<Watched>(*this));
    return true;
  } catch (const std::exception&) {
    left_.store(false, std::memory_order_release);
    return false;
  }
}

bool Command::complete_quickly() noexcept {
  if (follows_slow_epilogue()) return false;
  if (slow_epilogue_) {
    Observed seen = Observed::no;
    if (!observed_.compare_exchange_strong(seen, Observed::looked_at))
      return true;  // a waiting thread completes it
    bool slow = false;
    try {
      slow = is_epilogue_slow();
    } catch (const std::exception&) {
      // The epilogue reports it.
    }
    observed_.store(Observed::no);
    observed_.notify_all();
    if (slow) return false;
  }
  wait();
  return true;
}

Command::End Command::end() const { return {queue_->resources(), stream_, end_sequence_, end_}; }

cl_int Command::wait() noexcept {
  stage_.wait(Stage::held, std::memory_order_acquire);
  if (stage() == Stage::submitted) {
    CUresult result = CUDA_SUCCESS;
    try {
      cuda::Current current(queue_->resources().context());
      result = queue_->resources().lost() ? CUDA_ERROR_LAUNCH_FAILED : end_.wait();
    } catch (const cuda::DriverError& error) {
      result = error.result();
    }
    observe_end(result);
    stage_.wait(Stage::submitted, std::memory_order_acquire);
  }
  return result();
}

// Called when the command's end event has happened, or never will.
void Command::observe_end(CUresult outcome) noexcept {
  cl_int result = queue_->resources().report_error(outcome, "cuEventQuery");
  if (result == CL_SUCCESS) settle_those_before();
  if (!take_observation()) {
    // Another thread completes the command. Waits for it, unless that may take long: a caller that knows that the device is done must not
    // see the command as running.
    if (!slow_epilogue_) stage_.wait(Stage::submitted, std::memory_order_acquire);
    return;
  }
  if (result == CL_SUCCESS) {
    stream_->note_completed(end_sequence_);
    try {
      require_success_elsewhere();
      if (has_epilogue()) epilogue();
    } catch (const std::exception& error) {
      result = queue_->resources().report_error(error);
      queue_->notify_context(error.what());
    }
    take_times();
    queue_->note_done(kernels_noted_);
  }
  if (has_epilogue()) release();
  ReadyCommands ready;
  finish(result, ready);
  submit_ready(ready);
}

// Called before this command is submitted; `awaited` is in its wait list and submitted.
void Command::await_elsewhere(const Command& awaited) {
  const auto add = [this](const Elsewhere& place) {
    // If this command's own device is lost, it fails anyway.
    if (place.resources == &queue_->resources() || place.stream->completed() >= place.recorded) return;
    const auto known = std::ranges::find(awaited_elsewhere_, place.stream, &Elsewhere::stream);
    if (known == awaited_elsewhere_.end())
      awaited_elsewhere_.push_back(place);
    else
      known->recorded = std::max(known->recorded, place.recorded);
  };
  add({&awaited.queue_->resources(), awaited.stream_, awaited.end_sequence_});
  for (const Elsewhere& place : awaited.awaited_elsewhere_) add(place);
}

// Section 5.11: a command fails if one in its wait list does. If that was in another device's stream, this one may have run nevertheless:
// work goes on behind the events of a context that has failed. What was not seen to complete before its device was lost has failed.
void Command::require_success_elsewhere() const {
  for (const Elsewhere& place : awaited_elsewhere_) {
    if (place.stream->completed() >= place.recorded) continue;
    if (!place.resources->lost()) {
      const cuda::Current current(place.resources->context());
      const CUresult state = place.stream->query();
      if (state != CUDA_ERROR_NOT_READY) place.resources->report_error(state, "cuStreamQuery");
    }
    if (place.resources->lost())
      throw Error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                  "a command failed, because one of another device in its wait list did");
  }
}

// Returns whether it is for this thread to run the steps at completion. Waits for one that looks at them: it may leave them to a thread
// that waits for this one.
bool Command::take_observation() noexcept {
  for (Observed seen = Observed::no; !observed_.compare_exchange_strong(seen, Observed::yes);
       seen = Observed::no) {
    if (seen == Observed::yes) return false;
    observed_.wait(Observed::looked_at);
  }
  return true;
}

// The times of a stream act, measured on the device.
void Command::take_times() noexcept {
  if (!start_) return;
  const cl_ulong now = host_time();
  times_.started = times_.submitted;
  times_.ended = now;
  try {
    cuda::Current current(queue_->resources().context());
    const auto span = queue_->resources().clock().host_span_of(start_, end_, times_.submitted, now);
    times_.started = span.began;
    times_.ended = span.ended;
  } catch (const std::exception& error) {
    queue_->resources().report_error(error);
  }
}

// The times of a host act that has ended. It started when the preceding work in its stream was done, or later. If the device worked at it,
// the times are those of that work.
void Command::take_host_times(cl_ulong began) noexcept {
  times_.started = began;
  times_.ended = host_time();
  if (!timed_) return;
  try {
    DeviceClock& clock = queue_->resources().clock();
    const DeviceSpan* span = device_span();
    const cuda::Event& start = span ? span->begin : start_;
    if (start.query() != CUDA_SUCCESS) return;
    const auto reached = clock.host_time_of(start);
    if (!reached) return;
    times_.started = std::clamp(*reached, began, times_.ended);
    if (!span) return;
    const double cost = std::min(clock.event_cost(), span->nanoseconds);
    times_.ended = std::min(times_.ended, times_.started + static_cast<cl_ulong>(span->nanoseconds - cost));
  } catch (const std::exception& error) {
    queue_->resources().report_error(error);
  }
}

bool Command::add_dependent(Command& dependent, Need need, bool propagates) {
  // Usually the command is submitted already; then its stream or CUDA event orders the dependent.
  if (need == Need::order && stage() == Stage::submitted) return false;
  if (need == Need::completion && !complete()) context_->watcher().start();
  bool watch = false;
  {
    MutexLock lock(mutex_);
    const Stage seen = stage();
    if (seen == Stage::complete) {
      if (propagates && result() < 0) dependent.dependency_failed_.store(true, std::memory_order_release);
      return false;
    }
    if (seen == Stage::submitted) {
      if (need == Need::order) return false;
    }
    (need == Need::order ? behind_order_ : behind_completion_).push_back({Ref(dependent), propagates});
    dependent.blockers_.fetch_add(1, std::memory_order_relaxed);
    if (seen == Stage::submitted) watch = !std::exchange(watched_, true);
  }
  if (watch) context_->watcher().add(Ref<Watched>(*this));
  return true;
}

void Command::wait_for_those_before() {
  std::vector<Ref<Command>> all;
  {
    MutexLock lock(mutex_);
    all = behind_;
  }
  for (const Ref<Command>& before : all) before->add_dependent(*this, Need::completion, false);
}

void Command::order_after(const Ref<Command>& before) {
  // If `before` has no epilogue to wait for, a short behind_ list is copied from it, so that chains of commands do not become chains of
  // such lists.
  constexpr std::size_t kTakenOver = 4;
  std::vector<Ref<Command>> all;
  {
    MutexLock lock(before->mutex_);
    if (before->complete()) return;
    const bool source = before->has_epilogue() || before->follows_epilogues_;
    if (!source && before->behind_.empty()) return;
    if (!source && before->behind_.size() <= kTakenOver) all = before->behind_;
  }
  if (all.empty()) all.push_back(before);
  ends_on_host_ = true;
  ends_slowly_ |= before->ends_slowly_;
  MutexLock lock(mutex_);
  // Duplicates are harmless and usually close together, so only the end of a long list is searched for them.
  constexpr std::ptrdiff_t kNear = 16;
  for (Ref<Command>& command : all) {
    const auto near = behind_.size() > kNear ? behind_.end() - kNear : behind_.begin();
    if (!command->complete() && std::find(near, behind_.end(), command) == behind_.end())
      behind_.push_back(std::move(command));
  }
}

// An incomplete command with an epilogue that comes before this one's: of its queue, or of behind_. Empty if there is none.
Ref<Command> Command::one_before() noexcept {
  if (Ref<Command> first = queue_->first_epilogue_before(*this)) return first;
  if (!ends_on_host_) return {};
  MutexLock lock(mutex_);  // deferred_deletion.h: commands are deleted after it is released
  while (!behind_.empty() && behind_.back()->complete()) behind_.pop_back();
  return behind_.empty() ? Ref<Command>() : behind_.back();
}

// Completes the commands whose epilogues come before this one's; their work on the device is done. Depth first, but without recursion,
// because chains may be long: wait() finds nothing more to do before its command.
void Command::settle_those_before() noexcept {
  std::vector<Ref<Command>> path;
  for (;;) {
    if (const Ref<Command> next = path.empty() ? one_before() : path.back()->one_before()) {
      try {
        path.push_back(next);
      } catch (const std::exception&) {
        next->wait();  // builds a path of its own
      }
      continue;
    }
    if (path.empty()) return;
    path.back()->wait();
    path.pop_back();
  }
}

void Command::blocker_gone(bool failed, ReadyCommands& ready) noexcept {
  if (failed) dependency_failed_.store(true, std::memory_order_release);
  if (blockers_.fetch_sub(1, std::memory_order_acq_rel) == 1) ready.push_back(Ref(*this));
}

void Command::mark_submitted(ReadyCommands& ready) noexcept {
  std::vector<Dependent> ordered;
  std::vector<CallbackEntry> told;
  bool watch = false;
  {
    MutexLock lock(mutex_);
    if (stage() != Stage::held) return;
    stage_.store(Stage::submitted, std::memory_order_release);
    ordered.swap(behind_order_);
    told.swap(submission_callbacks_);
    if (!behind_completion_.empty() || !callbacks_.empty()) watch = !std::exchange(watched_, true);
  }
  stage_.notify_all();
  for (const Dependent& dependent : ordered) dependent.command->blocker_gone(false, ready);
  for (CallbackEntry& entry : told) call_back(std::move(entry), CL_SUBMITTED);
  if (watch) context_->watcher().add(Ref<Watched>(*this));
}

void Command::tell_submission() noexcept {
  std::vector<CallbackEntry> told;
  {
    MutexLock lock(mutex_);
    told.swap(submission_callbacks_);
  }
  for (CallbackEntry& entry : told) call_back(std::move(entry), CL_SUBMITTED);
}

bool Command::has_running_callbacks() noexcept {
  MutexLock lock(mutex_);
  return std::ranges::find(callbacks_, CL_RUNNING, &CallbackEntry::at) != callbacks_.end();
}

void Command::tell_running() noexcept {
  std::vector<CallbackEntry> told;
  {
    MutexLock lock(mutex_);
    told_running_ = true;
    for (CallbackEntry& entry : callbacks_)
      if (entry.at == CL_RUNNING) told.push_back(std::move(entry));
    std::erase_if(callbacks_, [](const CallbackEntry& entry) { return entry.at == CL_RUNNING; });
  }
  for (CallbackEntry& entry : told) call_back(std::move(entry), CL_RUNNING);
}

void Command::finish(cl_int result, ReadyCommands& ready) noexcept {
  std::vector<Dependent> ordered, dependents;
  std::vector<CallbackEntry> at_submission, callbacks;
  std::vector<Ref<Command>> behind, waits;
  Before before;
  {
    MutexLock lock(mutex_);
    if (stage() == Stage::complete) return;
    behind.swap(behind_);
    if (stage() == Stage::held) {  // the command will not be begun any more
      waits.swap(wait_list_);
      std::swap(before, before_);
    }
    result_.store(result, std::memory_order_relaxed);
    stage_.store(Stage::complete, std::memory_order_release);
    ordered.swap(behind_order_);
    dependents.swap(behind_completion_);
    at_submission.swap(submission_callbacks_);
    callbacks.swap(callbacks_);
  }
  stage_.notify_all();
  for (const std::vector<Dependent>* all : {&ordered, &dependents})
    for (const Dependent& dependent : *all)
      dependent.command->blocker_gone(result < 0 && dependent.propagates, ready);
  // Section 5.11: callbacks for statuses that were not reached are called with the error.
  for (CallbackEntry& entry : at_submission) call_back(std::move(entry), result < 0 ? result : CL_SUBMITTED);
  for (const cl_int at : {CL_RUNNING, CL_COMPLETE})
    for (CallbackEntry& entry : callbacks)
      if (entry.keeps_event && entry.at == at) call_back(std::move(entry), result < 0 ? result : at);
}

void Command::add_callback(cl_event event, Ref<Object> keeps_event, cl_int at, Callback function,
                           void* user) {
  CallbackEntry entry{event, std::move(keeps_event), at, function, user};
  bool watch = false;
  if (!complete()) context_->watcher().start();
  {
    MutexLock lock(mutex_);
    const Stage seen = stage();
    // Section 5.11.1: a user event is submitted from the beginning.
    const bool submitted =
        seen == Stage::submitted || type_ == CL_COMMAND_USER || running_.load(std::memory_order_acquire);
    const bool reached = (submitted && at == CL_SUBMITTED) || (told_running_ && at == CL_RUNNING);
    if (seen != Stage::complete && !reached) {
      (at == CL_SUBMITTED ? submission_callbacks_ : callbacks_).push_back(std::move(entry));
      if (seen == Stage::submitted) watch = !std::exchange(watched_, true);
      lock.unlock();
      if (watch) context_->watcher().add(Ref<Watched>(*this));
      return;
    }
  }
  const cl_int told = complete() && result() < 0 ? result() : at;
  call_back(std::move(entry), told);
}

void Command::call_back(CallbackEntry entry, cl_int status) noexcept {
  context_->callback_thread().post_or_call([context = context_, entry = std::move(entry), status] {
    entry.function(entry.event, status, entry.user);
  });
}

namespace {

// Submits commands on a thread that may wait for room. Returns false if there is no such thread.
bool submit_elsewhere(ReadyCommands& commands) noexcept {
  try {
    const auto all = std::make_shared<ReadyCommands>();
    *all = std::move(commands);
    try {
      HostWorkerPool::post([all] { submit_ready(*all, true); });
      return true;
    } catch (const std::exception&) {
      commands = std::move(*all);
    }
  } catch (const std::bad_alloc&) {
    // They are submitted here, where there may be no room.
  }
  return false;
}

}  // namespace

void submit_ready(ReadyCommands& ready, bool may_wait) noexcept {
  ReadyCommands without_room;
  while (!ready.empty()) {
    const Ref<Command> command = ready.pop_front();
    if (may_wait) {
      command->wait_for_room();
    } else if (!command->has_room()) {
      without_room.push_back(command);
      continue;
    }
    command->queue()->release(command, ready);
  }
  if (without_room.empty() || submit_elsewhere(without_room)) return;
  while (!without_room.empty()) {
    const Ref<Command> command = without_room.pop_front();
    command->queue()->release(command, without_room);
  }
}

}  // namespace clcuda
