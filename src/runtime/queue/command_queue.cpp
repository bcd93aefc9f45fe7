// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/command_queue.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>

#include "base/host_time.h"
#include "base/log.h"
#include "base/trace/call.h"
#include "base/trace/writer.h"
#include "cuda/waiting.h"
#include "runtime/device/host_worker_pool.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/memory/host_transfer.h"
#include "runtime/platform/callback_thread.h"

namespace clcuda {
namespace {

constexpr std::size_t kLanes = 16;

// Waits for all commands before it, and keeps memory until they are complete.
class KeepUntilDone final : public Command {
 public:
  KeepUntilDone(CommandQueue& queue, Ref<RefCounted> memory)
      : Command(queue, CL_COMMAND_MARKER, {.waits_for_all = true}), memory_(std::move(memory)) {}

 private:
  bool has_epilogue() const override { return true; }  // after which the memory is released
  void release_resources() noexcept override { memory_ = {}; }

  Ref<RefCounted> memory_;
};

// Only improves measured times, so errors are ignored: the transfers themselves will report them.
void rehearse(DeviceResources& resources, cuda::Stream& stream) noexcept {
  try {
    rehearse_transfers(resources, stream);
  } catch (const std::exception& error) {
    log::debug("no rehearsal of transfers: {}", error.what());
  }
}

}  // namespace

// Gives a host act a thread once the device has reached it. Watched instead of the act, which is not submitted to the device.
class CommandQueue::HostActStart final : public Watched {
 public:
  // `reached` has been recorded in the act's stream, which has recorded `sequence` then.
  HostActStart(Ref<Command> act, cuda::Event reached, std::uint64_t sequence)
      : act_(std::move(act)), reached_(std::move(reached)), sequence_(sequence) {}

  // If the device is lost, the act has been abandoned, or finds that out.
  bool poll() noexcept override {
    if (complete()) return true;
    try {
      DeviceResources& resources = act_->queue()->resources();
      const cuda::Current current(resources.context());
      if (!resources.lost() && reached_.query() == CUDA_ERROR_NOT_READY) return false;
      if (given_.exchange(true, std::memory_order_acq_rel)) return true;
      HostWorkerPool::post([act = act_] { act->queue()->perform(act); });
      return true;
    } catch (const std::exception& error) {
      log::debug("no thread yet for what is done on the host: {}", error.what());
      given_.store(false, std::memory_order_release);
      return false;
    }
  }
  bool completes_elsewhere() const noexcept override { return false; }
  bool complete_quickly() noexcept override { return poll(); }
  bool complete() const noexcept override { return given_.load(std::memory_order_acquire); }
  cl_int wait() noexcept override {
    reached_.wait();
    return poll() ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
  }
  End end() const override { return {act_->queue()->resources(), act_->stream_, sequence_, reached_}; }

 private:
  const Ref<Command> act_;
  const cuda::Event reached_;
  const std::uint64_t sequence_;
  std::atomic<bool> given_ = false;
};

CommandQueue& CommandQueue::create(Context& context, Device& device, cl_command_queue_properties properties,
                                   std::vector<cl_queue_properties> property_list) {
  auto* queue = new CommandQueue(context, device, properties, std::move(property_list));
  try {
    queue->begin_use();
  } catch (...) {
    queue->release_api();
    throw;
  }
  return *queue;
}

CommandQueue::CommandQueue(Context& context, Device& device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list)
    : Object(kType, context),
      context_(context),
      device_(device),
      resources_(DeviceResources::of(device)),
      device_index_(context.memory_index(device)),
      properties_(properties),
      property_list_(std::move(property_list)),
      timeline_(QueueTimeline::make(resources_, in_order())) {
  MutexLock lock(mutex_);
  lanes_.resize(in_order() ? 1 : kLanes);
  retired_.reserve(lanes_.size());
}

// If this throws, the destructor undoes what has been done. Other threads may hold the queue as soon as it is in a list of users.
void CommandQueue::begin_use() {
  resources_.require_alive();
  {
    MutexLock lock(mutex_);
    cuda::Current current(resources_.context());
    Lane& lane = open(0);
    if (profiling() && device_.idle()) rehearse(resources_, *lane.stream);
  }
  context_->svm().add_user(*this);
  resources_.add_user(*this);
}

CommandQueue::~CommandQueue() {
  context_->svm().remove_user(*this);
  resources_.remove_user(*this);
  MutexLock lock(mutex_);
  for (const Lane& lane : lanes_)
    if (lane.stream) retired_.push_back(lane.stream);
  const std::vector<cuda::Stream*> streams = std::move(retired_);
  const bool busy = busy_;
  lock.unlock();
  for (cuda::Stream* stream : streams) context_->svm().queue_gone(*stream);
  resources_.retire_streams(streams, busy);
}

void CommandQueue::enqueue(const Ref<Command>& command, std::vector<Ref<Command>> wait_list, bool wants_event,
                           Mode mode) {
  Command& c = *command;
  c.wait_for_room();
  const Begun begun = admit(command, std::move(wait_list), wants_event, mode);
  if (begun.failure != CL_SUCCESS) {
    ReadyCommands ready;
    fail(command, begun.failure, ready);
    submit_ready(ready);
    // A kernel can fault before the call that enqueues it returns. The device is lost then, and only the command's status says so.
    if (begun.error && !resources_.lost()) std::rethrow_exception(begun.error);
  }
  if (begun.performs_here) perform(command);
  // What it awaits on another device may still fail, which a blocking call must return.
  const bool lets_caller_go =
      c.stage() == Command::Stage::submitted && c.lets_caller_go() && c.awaited_elsewhere_.empty();
  if (mode == Mode::blocking && !lets_caller_go) {
    const cl_int result = c.wait();
    if (result < 0) throw Error(result, "the command failed");
    if (in_order() || c.ordering_.waits_for_all) note_idle_after(c.sequence_);
  }
}

// Gives the command its place in the queue, and begins it if it has no blockers.
CommandQueue::Begun CommandQueue::admit(const Ref<Command>& command, std::vector<Ref<Command>> wait_list,
                                        bool has_event, Mode mode) {
  Command& c = *command;
  if (mode == Mode::blocking) c.expect_waiting(has_event);
  MutexLock lock(mutex_);
  resources_.require_alive();  // under the lock: a command admitted after abandon() would be held for ever
  note_busy();
  c.sequence_ = ++sequence_;
  c.wait_list_ = std::move(wait_list);
  c.has_event_ = has_event;
  try {
    if (timeline_) put_into_timeline(c);
    c.timed_ = (has_event && profiling()) || c.number_;
    add_blockers(c);
    c.wants_end_event_ =
        has_event || mode == Mode::blocking || c.ends_on_host_ || c.ordering_.is_barrier || c.number_;
    remember(command);
  } catch (const std::exception& error) {
    // The command never becomes ready, because the blocker that stands for the enqueue is not removed.
    return {.failure = resources_.report_error(error), .error = std::current_exception()};
  }
  if (c.blockers_.fetch_sub(1, std::memory_order_acq_rel) > 1) return {};
  Begun begun{.failure = obstacle(c)};
  if (begun.failure != CL_SUCCESS) return begun;
  try {
    begun.performs_here = begin(command, mode);
    if (!c.on_host()) c.stage_.store(Command::Stage::submitted, std::memory_order_release);
    // Otherwise no thread has seen it held. Who waits for the memory of a launch that may print finds it while it is emitted.
    if (c.ends_on_host_) c.stage_.notify_all();
  } catch (const std::exception& error) {
    begun = {.failure = resources_.report_error(error), .error = std::current_exception()};
    // If it is a command in the wait list that has failed, the call succeeds, as it does if that was known before.
    if (c.dependency_failed_.load(std::memory_order_acquire)) begun = {.failure = obstacle(c)};
  }
  return begun;
}

// The error with which a command without blockers must end instead of being begun; CL_SUCCESS if it may be begun.
cl_int CommandQueue::obstacle(const Command& command) const noexcept {
  if (command.failure_ != CL_SUCCESS) return command.failure_;
  if (!command.dependency_failed_.load(std::memory_order_acquire))
    return resources_.lost() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  if (!command.complete()) notify_context(kNotRun);
  return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

// Ends a command that will not run. If it ends on the host, later commands rely on it for their order behind the epilogues before it, so it
// waits for those.
void CommandQueue::fail(const Ref<Command>& command, cl_int failure, ReadyCommands& ready) noexcept {
  command->release();
  if (!hold_failed(*command, failure)) command->finish(failure, ready);
}

// Returns whether the command is held by epilogues before it. A command that could not be admitted is not: nothing follows it.
bool CommandQueue::hold_failed(Command& command, cl_int failure) noexcept {
  if (!command.ends_on_host_ || command.complete() || resources_.lost()) return false;
  MutexLock lock(mutex_);
  if (command.blockers_.load(std::memory_order_acquire) > 0) return false;
  command.failure_ = failure;
  command.blockers_.store(1, std::memory_order_relaxed);
  try {
    if (const auto end = end_of_epilogues_before(command); end != epilogues_.begin())
      (*std::prev(end))->add_dependent(command, Command::Need::completion, false);
    command.wait_for_those_before();
  } catch (const std::exception&) {
    return false;
  }
  return command.blockers_.fetch_sub(1, std::memory_order_acq_rel) > 1;
}

// Records a stream act, or posts a host act to a worker thread; returns true if instead the caller, which waits, must perform the host act.
bool CommandQueue::begin(const Ref<Command>& command, Mode mode) {
  if (!command->on_host()) {
    record(*command);
    return false;
  }
  begin_host_act(*command);
  if (mode == Mode::blocking) return true;
  if (!start_when_reached(command)) HostWorkerPool::post([this, command] { perform(command); });
  return false;
}

// Usually an act has a thread before the device has reached it, so that it can be prepared meanwhile. Acts that wait for the device must
// not take all threads, though, because what the device does may depend on others. Returns whether this one will be given a thread later.
bool CommandQueue::start_when_reached(const Ref<Command>& act) {
  if (!HostWorkerPool::is_crowded()) return false;
  const cuda::Current current(resources_.context());
  cuda::Stream& stream = *act->stream_;
  if (stream.query() != CUDA_ERROR_NOT_READY) return false;
  context_->watcher().start();
  cuda::Event reached = resources_.events().take();
  const std::uint64_t sequence = stream.record(reached);
  context_->watcher().add(Ref<Watched>::adopt(new HostActStart(act, std::move(reached), sequence)));
  return true;
}

// Makes the command wait for those of its wait list, and for earlier commands of the queue as far as the order requires it.
void CommandQueue::add_blockers(Command& command) {
  const auto follow = [&](const Ref<Command>& before, bool propagates) {
    const bool on_host = before->ends_on_host_ || before->follows_epilogues_;
    // Section 5.11: a command must not run if one in its wait list fails.
    const bool completion = (on_host && command.touches_host()) || (propagates && before->can_fail_at_end());
    before->add_dependent(command, completion ? Command::Need::completion : Command::Need::order, propagates);
    if (on_host && !completion && !(in_order() && before->queue() == this)) command.order_after(before);
  };
  for (const Ref<Command>& event : command.wait_list_) follow(event, true);
  if (in_order()) {
    while (!epilogues_.empty() && epilogues_.front()->complete()) epilogues_.pop_front();
    command.follows_epilogues_ = !epilogues_.empty();
    // Each of them follows those before it.
    if (command.follows_epilogues_) command.ends_slowly_ |= epilogues_.back()->ends_slowly_;
    if (tail_ && !tail_->complete()) tail_->add_dependent(command, Command::Need::order, false);
    if (command.touches_host() && !epilogues_.empty())
      epilogues_.back()->add_dependent(command, Command::Need::completion, false);
  } else {
    if (barrier_) follow(barrier_, false);
    if (command.ordering_.waits_for_all) gather(command, follow);
    if (command.blockers_.load(std::memory_order_acquire) > 1) note_those_before(command);
  }
  if (command.has_epilogue()) command.ends_on_host_ = true;
  if (command.has_slow_epilogue()) command.slow_epilogue_ = command.ends_slowly_ = true;
}

// Follows all unsettled commands. The last command that waited for all before it stands for those; otherwise the number of dependencies
// would grow with the square of the number of commands.
template <class Follow>
void CommandQueue::gather(Command& command, const Follow& follow) {
  const bool gathered = gathering_ && (!gathering_->complete() || gathering_->result() >= 0);
  const std::uint64_t settled = gathered ? gathering_->sequence_ : 0;
  const auto follow_in_lane = [&](const Ref<Command>& before) {
    follow(before, false);
    if (before->stream_ || before->complete()) return;
    before->wants_end_event_ = true;
    command.before_.commands.push_back(before);
  };
  if (gathered && gathering_ != barrier_) follow_in_lane(gathering_);
  for (auto other = unsettled_.rbegin(); other != unsettled_.rend() && (*other)->sequence_ > settled; ++other)
    follow_in_lane(*other);
}

void CommandQueue::note_those_before(Command& command) {
  if (barrier_ && !barrier_->complete()) command.before_.commands.push_back(barrier_);
  if (!command.ordering_.waits_for_all) return;
  const cuda::Current current(resources_.context());
  for (const Lane& lane : lanes_)
    if (lane.used) command.before_.work.push_back(lane.stream->mark());
}

// Steps that can throw come first: no command may follow this one unless all of them have succeeded.
void CommandQueue::remember(const Ref<Command>& command) {
  remember_unsettled(command);
  if (in_order()) {
    if (command->ends_on_host_) epilogues_.push_back(command);
    tail_ = command;
    return;
  }
  if (command->ordering_.is_barrier) barrier_ = command;
  if (command->ordering_.waits_for_all) gathering_ = command;
}

void CommandQueue::remember_unsettled(const Ref<Command>& command) {
  const bool held = command->blockers_.load(std::memory_order_acquire) > 1;
  if (!held && !command->on_host() && !command->ends_on_host_) return;
  if (unsettled_.size() >= sweep_at_) {
    std::erase_if(unsettled_, [](const Ref<Command>& c) {
      return c->complete() || (c->stage() == Command::Stage::submitted && !c->ends_on_host_);
    });
    sweep_at_ = std::max<std::size_t>(32, 2 * unsettled_.size());
  }
  unsettled_.push_back(command);
}

void CommandQueue::wait_for(const DirectEnd& end) {
  cuda::Current current(resources_.context());
  const CUresult result = resources_.lost() ? CUDA_ERROR_LAUNCH_FAILED : end.event.wait();
  if (const cl_int code = resources_.report_error(result, "cuEventQuery"))
    throw Error(code, "the command failed");
  note_done(end.kernels_noted);
  if (in_order()) note_idle_after(end.sequence);
}

void CommandQueue::record(Command& command) {
  cuda::Current current(resources_.context());
  Lane& lane = enter_lane(command);
  command.prepare();
  // The time of making buffers resident (allocation, contents from another device) is not counted as the command's.
  const ResidentUses resident(command.uses(), device_index_, *lane.stream);
  note_kernel(command.details().kernel);
  command.kernels_noted_ = kernels_noted_;
  emit(command, lane);
  if (command.number_) add_to_timeline(command);
  if (command.ordering_.is_barrier && !in_order()) {
    lane.barrier = ++barriers_;
    met_barrier_ = Ref(command);
  }
  if (!command.has_epilogue()) command.release();
}

void CommandQueue::emit(Command& command, Lane& lane) {
  cuda::Stream& stream = *lane.stream;
  if (command.timed_)
    emit_timed(command, lane);
  else
    command.emit(stream);
  if (!command.has_epilogue())
    if (auto block = command.host_memory()) resources_.memory().keep_until_reached(stream, std::move(block));
  if (command.lets_caller_go())
    for (MemoryUse& use : command.uses()) use.order_others_behind(device_index_, stream);
  if (!command.wants_end_event_ || command.timed_) return;
  command.end_ = resources_.events().take();
  command.end_sequence_ = stream.record(command.end_);
}

// What comes before the command in the lane is done when the start event happens.
void CommandQueue::emit_timed(Command& command, Lane& lane) {
  command.times_.submitted = host_time();
  cuda::Timing timing = timing_of_next(lane, command.times_.submitted);
  command.emit_timed(*lane.stream, timing);
  end(timing, lane, command.times_.submitted);
  command.end_sequence_ = lane.recorded;
  command.start_ = std::move(timing.start);
  command.end_ = std::move(timing.end);
}

void CommandQueue::begin_host_act(Command& command) {
  cuda::Current current(resources_.context());
  Lane& lane = enter_lane(command);
  if (command.timed_) {
    command.times_.submitted = host_time();
    cuda::Timing timing = start_of_next(lane, command.times_.submitted);
    lane.stream->begin(timing);
    command.start_ = std::move(timing.start);
  } else if (command.has_event_ || !in_order()) {
    command.start_ = lane.stream->mark();
  }
}

cuda::Timing CommandQueue::timing_of_next(const Lane& lane, cl_ulong now) {
  cuda::Timing timing = start_of_next(lane, now);
  timing.end = resources_.timing_events().take();
  return timing;
}

cuda::Timing CommandQueue::start_of_next(const Lane& lane, cl_ulong now) {
  resources_.clock().renew();
  cuda::Timing timing;
  const bool last = lane.end && lane.recorded == lane.stream->recorded();
  timing.start = resources_.timing_events().take();
  timing.decided_at = lane.stream->recorded();
  timing.alone = (last ? lane.end.query() : lane.stream->query()) == CUDA_SUCCESS;
  if (last && !timing.alone && follows_work(lane, now)) timing.end_in_front = lane.end.share();
  return timing;
}

// Whether the device has work in the lane until the next command arrives, so that the last one's end is the next one's start: another event
// would take the device, and the driver, as long as a small kernel. That is certain if the command before the last one has not ended
// either, and likely if the host has just submitted the last one. Otherwise the device may have to wait for the host in between.
bool CommandQueue::follows_work(const Lane& lane, cl_ulong now) {
  constexpr cl_ulong kJustNow = 10'000;
  return now - lane.submitted < kJustNow ||
         (lane.end_before && lane.end_before.query() == CUDA_ERROR_NOT_READY);
}

void CommandQueue::end(const cuda::Timing& timing, Lane& lane, cl_ulong submitted) {
  lane.recorded = lane.stream->end(timing);
  lane.end_before = std::exchange(lane.end, timing.end.share());
  lane.submitted = submitted;
}

void CommandQueue::put_into_timeline(Command& command) {
  command.number_ = timeline_->admit();
  if (!command.number_) return;
  if (!command.times_.queued) command.times_.queued = host_time();
  command.has_call_ = trace::note_command(command.number_);
  for (const Ref<Command>& awaited : command.wait_list_)
    if (awaited->number_) command.awaited_numbers_.push_back(awaited->number_);
}

TimelineStart CommandQueue::start_timeline_entry(Lane& lane) {
  TimelineStart start;
  if (timeline_) start.number = timeline_->admit();
  if (!start.number) return start;
  start.has_call = trace::note_command(start.number);
  start.submitted = host_time();
  start.timing = timing_of_next(lane, start.submitted);
  return start;
}

void CommandQueue::end_timeline_entry(TimelineStart start, Lane& lane, const CommandDetails& details) {
  TimelineEntry entry;
  entry.number = start.number;
  entry.has_call = start.has_call;
  entry.times.queued = entry.times.submitted = start.submitted;
  end(start.timing, lane, start.submitted);
  entry.start = std::move(start.timing.start);
  entry.end = std::move(start.timing.end);
  entry.describe(details);
  timeline_->add(std::move(entry));
}

// Adds a command that has been recorded, or performed on the host.
void CommandQueue::add_to_timeline(const Command& command) noexcept {
  try {
    TimelineEntry entry;
    entry.number = command.number_;
    entry.has_call = command.has_call_;
    entry.times = command.times_;
    if (!command.on_host()) {
      entry.start = command.start_.share();
      entry.end = command.end_.share();
    }
    entry.has_event = command.has_event_;
    entry.waits_for = command.awaited_numbers_;
    entry.describe(command.details());
    timeline_->add(std::move(entry));
  } catch (const std::exception&) {
    trace::count_left_out(1);
  }
}

// Until a host act ends, nothing follows it in the stream of an in-order queue. In a lane, commands that were enqueued later do, and must
// not delay it: through the host, they may even wait for it. Its work is therefore in another stream, behind what the lane had before it.
void CommandQueue::perform_behind_lane(Command& command) {
  std::optional<ScopedStream> own;
  if (!in_order()) {
    own.emplace(resources_, command.stream_->partition());
    (*own)->wait(command.start_);
  }
  cuda::Stream& stream = own ? **own : *command.stream_;
  if (!command.awaited_elsewhere_.empty()) {
    stream.synchronize();
    command.require_success_elsewhere();
  }
  const ResidentUses resident(command.uses(), device_index_, stream);
  if (command.start_ && command.has_running_callbacks()) {
    cuda::check(resources_.driver(), command.start_.wait(), "cuEventSynchronize");
    command.tell_running();
  }
  command.perform(stream);
}

void CommandQueue::perform(const Ref<Command>& command) noexcept {
  if (command->running_.exchange(true, std::memory_order_acq_rel)) return;  // abandoned
  cl_int result = CL_COMPLETE;
  try {
    cuda::Current current(resources_.context());
    const cl_ulong began = host_time();
    command->tell_submission();
    perform_behind_lane(*command);
    command->take_host_times(began);
    if (command->number_) add_to_timeline(*command);
  } catch (const std::exception& error) {
    result = resources_.report_error(error);
    notify_context(error.what());
  }
  command->release();
  ReadyCommands ready;
  command->finish(result, ready);
  submit_ready(ready);
}

// Called when a held command's last blocker has been removed.
void CommandQueue::release(const Ref<Command>& command, ReadyCommands& ready) noexcept {
  cl_int failure = obstacle(*command);
  if (failure == CL_SUCCESS && !command->complete()) {
    MutexLock lock(mutex_);
    try {
      resources_.require_alive();  // under the lock: abandoned commands must not access host memory
      begin(command, Mode::asynchronous);
      if (command->on_host()) return;
    } catch (const std::exception& error) {
      failure = resources_.report_error(error);
      notify_context(error.what());
    }
  }
  if (failure == CL_SUCCESS) return command->mark_submitted(ready);
  fail(command, failure, ready);
}

// Calls the context's callback with the reason why a command failed; on the callback thread, because a lock may be held.
void CommandQueue::notify_context(const char* reason) const noexcept {
  if (resources_.lost()) return;  // notify_lost() reports that, once
  try {
    context_->callback_thread().post(
        [context = context_, text = std::string(reason)] { context->notify(text); });
  } catch (const std::exception&) {
    // No memory for the message; the command's status still shows the failure.
  }
}

Ref<Command> CommandQueue::first_epilogue_before(const Command& command) noexcept {
  MutexLock lock(mutex_);
  while (!epilogues_.empty() && epilogues_.front()->complete()) epilogues_.pop_front();
  const bool is_before = !epilogues_.empty() && epilogues_.front()->sequence_ < command.sequence_;
  return is_before ? epilogues_.front() : Ref<Command>();
}

std::deque<Ref<Command>>::const_iterator CommandQueue::end_of_epilogues_before(const Command& command) const {
  return std::ranges::lower_bound(epilogues_, command.sequence_, {},
                                  [](const Ref<Command>& c) { return c->sequence_; });
}

// The last epilogue before the command is the last to be run.
bool CommandQueue::follows_slow_epilogue(const Command& command) const noexcept {
  MutexLock lock(mutex_);
  const auto end = end_of_epilogues_before(command);
  if (end == epilogues_.begin()) return false;
  const Command& last = **std::prev(end);
  return last.ends_slowly_ && !last.complete();
}

void CommandQueue::abandon() {
  MutexLock lock(mutex_);
  for (Ref<Command>& command : unsettled_) {
    const bool ours = command->stage() == Command::Stage::held &&
                      !command->running_.exchange(true, std::memory_order_acq_rel);
    (ours ? abandoned_held_ : abandoned_others_).push_back(std::move(command));
  }
  unsettled_.clear();
  for (Ref<Command>* remembered : {&tail_, &barrier_, &met_barrier_, &gathering_})
    if (*remembered) abandoned_others_.push_back(std::exchange(*remembered, {}));
  for (Ref<Command>& command : epilogues_) abandoned_others_.push_back(std::move(command));
  epilogues_.clear();
  if (std::exchange(busy_, false)) resources_.device().work_ended();
}

void CommandQueue::finish_abandoned(cl_int result) noexcept {
  std::vector<Ref<Command>> held, others;
  {
    MutexLock lock(mutex_);
    held.swap(abandoned_held_);
    others.swap(abandoned_others_);
  }
  ReadyCommands ready;
  for (const Ref<Command>& command : held) command->finish(result, ready);
  submit_ready(ready);
  for (const Ref<Command>& command : others) command->poll();
}

bool CommandQueue::poll(std::vector<Ref<Watched>>& seen) {
  if (!mutex_.try_lock()) return true;  // its holder may be waiting for room in the driver's queue
  MutexLock lock(mutex_, std::adopt_lock);
  if (!busy_) return false;
  if (!release_finished(seen)) return true;
  kernels_done_ = kernels_noted_;
  busy_ = false;
  resources_.device().work_ended();
  return false;
}

// Moves the commands that the queue need not remember to `seen`, and adds those that are to be polled. True if the queue is idle.
bool CommandQueue::release_finished(std::vector<Ref<Watched>>& seen) {
  if (resources_.lost()) return false;
  const auto is_open = [](const Command& command) {
    return !command.complete() && (command.stage() == Command::Stage::held || command.ends_on_host_);
  };
  seen.reserve(seen.size() + unsettled_.size());
  auto open = unsettled_.begin();
  for (Ref<Command>& command : unsettled_)
    if (is_open(*command))
      std::swap(*open++, command);
    else
      seen.push_back(std::move(command));
  unsettled_.erase(open, unsettled_.end());
  for (const Ref<Command>& command : unsettled_)
    if (command->stage() == Command::Stage::submitted) seen.push_back(command);
  bool idle = unsettled_.empty();
  for (const Lane& lane : lanes_) {
    if (!lane.stream) continue;
    const CUresult result = lane.stream->query();
    if (result == CUDA_SUCCESS) continue;
    idle = false;
    if (result != CUDA_ERROR_NOT_READY) resources_.report_error(result, "cuStreamQuery");
  }
  if (!idle) return false;
  for (Ref<Command>* remembered : {&tail_, &barrier_, &met_barrier_, &gathering_})
    if (*remembered) seen.push_back(std::exchange(*remembered, {}));
  std::ranges::move(epilogues_, std::back_inserter(seen));
  epilogues_.clear();
  return true;
}

void CommandQueue::released_by_application() noexcept {
  std::vector<Ref<Watched>> seen;  // destroyed without the lock
  try {
    cuda::Current current(resources_.context());
    MutexLock lock(mutex_);
    if (!release_finished(seen) && !resources_.lost()) note_busy();
  } catch (const std::exception& error) {
    resources_.report_error(error);
    MutexLock lock(mutex_);
    if (!resources_.lost()) note_busy();  // the monitor tries again
  }
}

// When a command of an in-order queue is complete, so are all kernels before it.
void CommandQueue::note_done(std::uint64_t kernels_noted) noexcept {
  if (!in_order()) return;
  std::uint64_t done = kernels_done_.load(std::memory_order_relaxed);
  while (done < kernels_noted && !kernels_done_.compare_exchange_weak(done, kernels_noted)) {
  }
}

void CommandQueue::finish() {
  if (finish_soon()) return;
  Ref<Command> marker = Ref<Command>::adopt(new Command(*this, CL_COMMAND_MARKER, {.waits_for_all = true}));
  enqueue(marker, {}, true, Mode::blocking);
}

// If the device is lost, the queue does nothing more, so there is nothing to wait for.
void CommandQueue::wait_for_all() {
  try {
    finish();
  } catch (const std::exception& error) {
    if (!resources_.lost()) throw;
    log::debug("a queue is not waited for: {}", error.what());
  }
}

void CommandQueue::keep_for_held(const Ref<RefCounted>& memory) {
  {
    MutexLock lock(mutex_);
    const auto held = [](const Ref<Command>& command) { return command->stage() == Command::Stage::held; };
    if (resources_.lost() || std::ranges::none_of(unsettled_, held)) return;
  }
  enqueue(Ref<Command>::adopt(new KeepUntilDone(*this, memory)), {}, false);
}

// If no command is held or ends on the host, polls the stream for a short time; returns false if the queue has to be waited for otherwise.
bool CommandQueue::finish_soon() {
  if (!in_order()) return false;
  const cuda::Stream* stream;
  std::uint64_t last;
  {
    MutexLock lock(mutex_);
    resources_.require_alive();
    if (!epilogues_.empty() || (tail_ && tail_->stage() == Command::Stage::held)) return false;
    stream = lanes_.front().stream;
    last = sequence_;
  }
  {
    cuda::Current current(resources_.context());
    const CUresult result =
        cuda::ask_for_a_while(resources_.context().waiting(), [&] { return stream->query(); });
    if (result == CUDA_ERROR_NOT_READY) return false;
    if (const cl_int code = resources_.report_error(result, "cuStreamQuery"))
      throw Error(code, resources_.device().why_lost());
  }
  note_idle_after(last);
  return true;
}

// Everything up to the `last` command is complete; if no command was enqueued since, the queue is idle. If the application has released the
// queue (an event still refers to it), it stays busy, so that the monitor polls it and its commands are released.
void CommandQueue::note_idle_after(std::uint64_t last) noexcept {
  {
    MutexLock lock(mutex_);
    if (sequence_ != last || !busy_ || api_count() == 0) return;
    kernels_done_ = kernels_noted_;
    busy_ = false;
  }
  resources_.device().work_ended();
  resources_.device().reclaim();
}

void CommandQueue::note_busy() {
  if (busy_) return;
  busy_ = true;
  resources_.device().work_started();
  resources_.wake_monitor();
}

void CommandQueue::note_kernel(std::string_view name) {
  if (name.empty()) return;
  KernelName& entry = kernel_names_[kernels_noted_++ % kernel_names_.size()];
  entry.length = static_cast<std::uint8_t>(std::min(name.size(), entry.text.size()));
  std::memcpy(entry.text.data(), name.data(), entry.length);
}

std::string CommandQueue::kernels_in_flight() noexcept {
  MutexLock lock(mutex_);
  std::string names;
  const std::uint64_t open = kernels_noted_ - kernels_done_,
                      kept = std::min<std::uint64_t>(open, kernel_names_.size());
  if (open > kept) names = "earlier ones";
  for (std::uint64_t i = kernels_noted_ - kept; i < kernels_noted_; ++i) {
    const KernelName& entry = kernel_names_[i % kernel_names_.size()];
    if (!names.empty()) names += ", ";
    names.append(entry.text.data(), entry.length);
  }
  return names;
}

}  // namespace clcuda
