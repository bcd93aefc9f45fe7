// SPDX-License-Identifier: Apache-2.0
#include "runtime/command_queue.h"

#include <algorithm>
#include <cstring>

#include "runtime/commands/synchronize.h"
#include "runtime/device_time.h"
#include "runtime/workers.h"

namespace clcuda {
namespace {

constexpr std::size_t kLanes = 16;

}  // namespace

CommandQueue::CommandQueue(Context& context, Device& device, cl_command_queue_properties properties,
                           std::vector<cl_queue_properties> property_list)
    : Object(kType, context),
      context_(context),
      device_(device),
      engine_(Engine::of(device)),
      device_index_(static_cast<std::size_t>(std::ranges::find(context.devices(), &device) - context.devices().begin())),
      properties_(properties),
      property_list_(std::move(property_list)) {
  engine_.require_alive();
  {
    MutexLock lock(mutex_);
    lanes_.resize(in_order() ? 1 : kLanes);
    cuda::Current current(engine_.context());
    open(0);
  }
  engine_.add_queue(*this);
}

CommandQueue::~CommandQueue() {
  engine_.remove_queue(*this);
  MutexLock lock(mutex_);
  std::vector<cuda::Stream*> streams;
  for (const Lane& lane : lanes_)
    if (lane.stream) streams.push_back(lane.stream);
  engine_.retire_streams(std::move(streams), busy_);
}

void CommandQueue::enqueue(const Ref<Command>& command, std::vector<Ref<Command>> wait_list, bool wants_event, Mode mode) {
  engine_.require_alive();
  Command& c = *command;
  bool perform_here = false, failed = false, submitted = false;
  {
    MutexLock lock(mutex_);
    note_busy();
    c.sequence_ = ++sequence_;
    c.wants_end_event_ = wants_event || mode == Mode::blocking || profiling() || c.has_epilogue() || c.is_barrier();
    c.wait_list_ = std::move(wait_list);
    add_blockers(c);
    remember(command);
    if (c.blockers_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      failed = c.dependency_failed_.load(std::memory_order_acquire);
      if (!failed && c.on_host()) {
        begin_host_act(c);
        perform_here = mode == Mode::blocking;
        if (!perform_here) Workers::post([this, command] { perform(command); });
      } else if (!failed) {
        try {
          record(c);
          submitted = true;
        } catch (const std::exception& error) {
          const cl_int code = engine_.note(error);
          lock.unlock();
          ReadyCommands ready;
          c.finish(code, ready);
          submit_ready(ready);
          throw;
        }
      }
    }
  }
  ReadyCommands ready;
  if (failed) {
    c.release_resources();
    c.finish(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, ready);
  }
  if (submitted) c.mark_submitted(ready);
  submit_ready(ready);
  if (perform_here) perform(command);
  if (mode == Mode::blocking) {
    const cl_int result = c.wait();
    if (result < 0) throw Error(result, "the command failed");
    if (in_order() || c.waits_for_all()) note_idle_after(c);
  }
}

// What keeps a command from being recorded at once, besides what its wait list brings.
void CommandQueue::add_blockers(Command& command) {
  for (const Ref<Command>& event : command.wait_list_) {
    const bool completion = command.touches_host() && event->has_epilogue();
    event->add_dependent(command, completion ? Command::Need::completion : Command::Need::order, true);
  }
  if (in_order()) {
    if (tail_ && !tail_->complete()) tail_->add_dependent(command, Command::Need::order, false);
    if (command.touches_host() && !epilogues_.empty()) epilogues_.back()->add_dependent(command, Command::Need::completion, false);
    return;
  }
  if (barrier_) barrier_->add_dependent(command, Command::Need::order, false);
  if (!command.waits_for_all()) return;
  for (const Ref<Command>& other : unsettled_)
    other->add_dependent(command, other->has_epilogue() ? Command::Need::completion : Command::Need::order, false);
}

void CommandQueue::remember(const Ref<Command>& command) {
  if (in_order())
    tail_ = command;
  else if (command->is_barrier())
    barrier_ = command;
  if (in_order() && command->has_epilogue()) epilogues_.push_back(command);
  const bool held = command->blockers_.load(std::memory_order_acquire) > 1;
  if (!held && !command->on_host() && !command->has_epilogue()) return;
  if (unsettled_.size() >= sweep_at_) {
    std::erase_if(unsettled_, [](const Ref<Command>& c) {
      return c->complete() || (c->stage() == Command::Stage::submitted && !c->has_epilogue());
    });
    sweep_at_ = std::max<std::size_t>(32, 2 * unsettled_.size());
  }
  unsettled_.push_back(command);
}

CommandQueue::Lane& CommandQueue::open(std::size_t index) {
  Lane& lane = lanes_[index];
  if (!lane.stream) lane.stream = &engine_.acquire_stream();
  return lane;
}

CommandQueue::Lane& CommandQueue::choose_lane(const Command& command) {
  if (in_order()) return lanes_.front();
  // Behind a dependency that is the last of its lane, so that chains stay together.
  for (const Ref<Command>& event : command.wait_list_)
    for (Lane& lane : lanes_)
      if (lane.last == event.get() && lane.stream == event->stream_) return lane;
  return open(next_lane_++ % lanes_.size());
}

CommandQueue::Lane* CommandQueue::direct_lane() {
  if (engine_.lost()) [[unlikely]]
    engine_.require_alive();
  note_busy();
  if (in_order()) {
    Lane& lane = lanes_.front();
    if (tail_) {
      if (tail_->stage() == Command::Stage::held) return nullptr;
      lane.last = nullptr;
    }
    return &lane;
  }
  if (barrier_ && barrier_->stage() == Command::Stage::held) return nullptr;
  cuda::Current current(engine_.context());
  Lane& lane = open(next_lane_++ % lanes_.size());
  lane.last = nullptr;
  lane.used = true;
  return &lane;
}

void CommandQueue::meet_barrier(Lane& lane) {
  if (lane.barrier == barriers_) return;
  lane.barrier = barriers_;
  if (met_barrier_ && !met_barrier_->complete() && met_barrier_->stream_ != lane.stream) lane.stream->wait(met_barrier_->end_);
}

// Makes a lane wait for all that the queue's other lanes hold.
void CommandQueue::meet_all(Lane& meeting) {
  for (Lane& lane : lanes_) {
    if (&lane == &meeting || !lane.used) continue;
    cuda::Event reached = engine_.events().take();
    lane.stream->record(reached);
    meeting.stream->wait(reached);
    lane.used = false;
  }
}

void CommandQueue::prepare_lane(Command& command, Lane& lane) {
  for (const Ref<Command>& event : command.wait_list_)
    if (event->stage() == Command::Stage::submitted && event->stream_ != lane.stream) lane.stream->wait(event->end_);
  command.wait_list_.clear();
  if (!in_order()) {
    meet_barrier(lane);
    if (command.waits_for_all()) meet_all(lane);
  }
  lane.used = true;
  lane.last = &command;
  command.stream_ = lane.stream;
}

void CommandQueue::record(Command& command) {
  cuda::Current current(engine_.context());
  Lane& lane = choose_lane(command);
  prepare_lane(command, lane);
  command.times_.submitted = host_time();
  if (profiling()) {
    command.anchor_ = engine_.anchor();
    command.start_ = engine_.timing_events().take();
    lane.stream->record(command.start_);
  }
  note_kernel(command.kernel_name());
  command.record(*lane.stream);
  if (command.wants_end_event_) {
    command.end_ = (profiling() ? engine_.timing_events() : engine_.events()).take();
    lane.stream->record(command.end_);
  }
  if (command.is_barrier() && !in_order()) {
    lane.barrier = ++barriers_;
    met_barrier_ = Ref(command);
  }
  if (!command.has_epilogue()) command.release_resources();
}

void CommandQueue::begin_host_act(Command& command) {
  cuda::Current current(engine_.context());
  prepare_lane(command, choose_lane(command));
  command.times_.submitted = host_time();
}

void CommandQueue::perform(Ref<Command> command) noexcept {
  cl_int result = CL_COMPLETE;
  try {
    cuda::Current current(engine_.context());
    command->times_.started = host_time();
    command->running_.store(true, std::memory_order_release);
    command->perform(*command->stream_);
    command->times_.ended = host_time();
  } catch (const std::exception& error) {
    result = engine_.note(error);
  }
  command->release_resources();
  ReadyCommands ready;
  command->finish(result, ready);
  submit_ready(ready);
}

// A held command's last blocker has gone.
void CommandQueue::release(Ref<Command> command, ReadyCommands& ready) noexcept {
  cl_int failure = engine_.lost() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  if (command->dependency_failed_.load(std::memory_order_acquire)) failure = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (failure == CL_SUCCESS && !command->complete()) {
    MutexLock lock(mutex_);
    try {
      if (command->on_host()) {
        begin_host_act(*command);
        Workers::post([this, command] { perform(command); });
        return;
      }
      record(*command);
    } catch (const std::exception& error) {
      failure = engine_.note(error);
    }
  }
  if (failure == CL_SUCCESS) return command->mark_submitted(ready);
  command->release_resources();
  command->finish(failure, ready);
}

void CommandQueue::run_epilogues_before(const Command& command) noexcept {
  for (;;) {
    Ref<Command> first;
    {
      MutexLock lock(mutex_);
      while (!epilogues_.empty() && epilogues_.front()->complete()) epilogues_.pop_front();
      if (epilogues_.empty() || epilogues_.front()->sequence_ >= command.sequence_) return;
      first = epilogues_.front();
    }
    first->wait();
  }
}

void CommandQueue::fail_held(cl_int result) noexcept {
  std::vector<Ref<Command>> held;
  {
    MutexLock lock(mutex_);
    for (const Ref<Command>& command : unsettled_)
      if (command->stage() == Command::Stage::held && !command->running_.load()) held.push_back(command);
  }
  ReadyCommands ready;
  for (const Ref<Command>& command : held) command->finish(result, ready);
  submit_ready(ready);
}

void CommandQueue::finish() {
  Ref<Command> marker = Ref<Command>::adopt(new Synchronize(*this, CL_COMMAND_MARKER, true, false));
  enqueue(marker, {}, true, Mode::blocking);
}

// A command that everything before it had to precede is complete: if it was the last, the queue is idle.
void CommandQueue::note_idle_after(const Command& last) noexcept {
  {
    MutexLock lock(mutex_);
    if (sequence_ != last.sequence_ || !busy_) return;
    kernels_done_ = kernels_noted_;
    busy_ = false;
  }
  device_.work_ended();
  device_.reclaim();
}

void CommandQueue::note_busy() {
  if (busy_) return;
  busy_ = true;
  device_.work_started();
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
  const std::uint64_t kept = std::min<std::uint64_t>(kernels_noted_ - kernels_done_, kernel_names_.size());
  if (kernels_noted_ - kernels_done_ > kept) names = "earlier ones";
  for (std::uint64_t i = kernels_noted_ - kept; i < kernels_noted_; ++i) {
    const KernelName& entry = kernel_names_[i % kernel_names_.size()];
    if (!names.empty()) names += ", ";
    names.append(entry.text.data(), entry.length);
  }
  return names;
}

}  // namespace clcuda
