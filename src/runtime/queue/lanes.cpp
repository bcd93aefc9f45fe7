// SPDX-License-Identifier: Apache-2.0
// The streams of a queue: in which one a command is put, and which of the others it waits for.
#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "runtime/queue/command_queue.h"

namespace clcuda {

CommandQueue::Lane& CommandQueue::open(std::size_t index) {
  Lane& lane = lanes_[index];
  if (lane.stream) return lane;
  cuda::Stream& stream = resources_.streams().acquire(device_.partition());
  try {
    context_->svm().add_stream(stream);
  } catch (...) {
    resources_.streams().release(stream);
    throw;
  }
  lane.stream = &stream;
  return lane;
}

CommandQueue::Lane& CommandQueue::choose_lane(const Command& command) {
  if (in_order()) return lanes_.front();
  // A lane whose last command is a dependency, so that chains stay in one stream.
  for (const Ref<Command>& event : command.wait_list_)
    for (Lane& lane : lanes_)
      if (lane.last == event.get() && lane.stream == event->stream_) return lane;
  // An idle one, if there is one, so that the command does not wait for those enqueued later.
  if (overtaken(command))
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      if (Lane& lane = open((next_lane_ + i) % lanes_.size()); lane.stream->query() == CUDA_SUCCESS)
        return lane;
  return open(next_lane_++ % lanes_.size());
}

// Null if nothing can be recorded directly now. `behind_host`: what is recorded, or a thread that waits for it, must see the effects of the
// preceding epilogues.
CommandQueue::Lane* CommandQueue::direct_lane(bool behind_host) {
  if (resources_.lost()) [[unlikely]]
    resources_.require_alive();
  note_busy();
  if (in_order()) {
    Lane& lane = lanes_.front();
    if (behind_host && !epilogues_.empty()) return nullptr;
    if (tail_) {
      if (tail_->stage() == Command::Stage::held) return nullptr;
      lane.last = nullptr;
    }
    return &lane;
  }
  if (barrier_ && barrier_->stage() == Command::Stage::held) return nullptr;
  if (barrier_ && behind_host && barrier_->ends_on_host_ && !barrier_->complete()) return nullptr;
  cuda::Current current(resources_.context());
  Lane& lane = open(next_lane_++ % lanes_.size());
  lane.last = nullptr;
  lane.used = true;
  return &lane;
}

void CommandQueue::meet_barrier(Lane& lane) {
  if (lane.barrier == barriers_) return;
  lane.barrier = barriers_;
  if (met_barrier_ && !met_barrier_->complete() && met_barrier_->stream_ != lane.stream)
    lane.stream->wait(met_barrier_->end_);
}

// Makes a lane wait for all work in the queue's other lanes.
void CommandQueue::meet_all(Lane& meeting) {
  for (Lane& lane : lanes_) {
    if (&lane == &meeting || !lane.used) continue;
    meeting.stream->wait(lane.stream->mark());
    lane.used = false;
  }
}

// The same for what was enqueued before a command that has been overtaken.
void CommandQueue::meet_those_before(const Command& command, Lane& meeting) {
  for (const cuda::Event& end : command.before_.work) meeting.stream->wait(end);
  for (const Lane& lane : lanes_) {
    if (&lane == &meeting) continue;
    const Command* last = nullptr;
    for (const Ref<Command>& before : command.before_.commands)
      if (before->stream_ == lane.stream && before->stage() == Command::Stage::submitted &&
          (!last || last->end_sequence_ < before->end_sequence_))
        last = before.get();
    if (last) meeting.stream->wait(last->end_);
  }
}

// Leaves of the wait list, whose commands have been submitted, the last incomplete one of each stream, which stands for those before it.
void CommandQueue::narrow_wait_list(Command& command) {
  std::vector<Ref<Command>>& list = command.wait_list_;
  bool failed = false;
  std::erase_if(list, [&](const Ref<Command>& awaited) {
    const bool complete = awaited->complete();
    if (!complete) command.await_elsewhere(*awaited);
    failed |= complete && awaited->result() < 0;
    return complete;
  });
  if (failed) refuse(command);
  std::ranges::sort(list, std::ranges::greater(), [](const Ref<Command>& awaited) {
    return std::pair(awaited->stream_, awaited->end_sequence_);
  });
  const auto others =
      std::ranges::unique(list, {}, [](const Ref<Command>& awaited) { return awaited->stream_; });
  list.erase(others.begin(), others.end());
}

// A command of the wait list has failed since add_blockers().
void CommandQueue::refuse(Command& command) {
  command.dependency_failed_.store(true, std::memory_order_release);
  throw Error(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, kNotRun);
}

// Orders the lane after a command of the wait list.
void CommandQueue::follow(const Command& awaited, Command& command, Lane& lane) {
  bool failed = awaited.stage() == Command::Stage::submitted && awaited.stream_ != lane.stream &&
                !put_behind(awaited, lane);
  if (awaited.complete()) failed = awaited.result() < 0;
  if (failed) refuse(command);
}

// Returns false if the device of the other command, which may be another one, is lost.
bool CommandQueue::put_behind(const Command& awaited, Lane& lane) {
  DeviceResources& other = awaited.queue()->resources();
  try {
    if (!other.lost()) lane.stream->wait(awaited.end_);
  } catch (const std::exception& error) {
    other.report_error(error);
    if (!other.lost()) throw;
  }
  return !other.lost();
}

CommandQueue::Lane& CommandQueue::enter_lane(Command& command) {
  narrow_wait_list(command);
  Lane& lane = choose_lane(command);
  for (const Ref<Command>& awaited : command.wait_list_) follow(*awaited, command, lane);
  command.wait_list_.clear();
  if (overtaken(command)) {
    meet_those_before(command, lane);
  } else if (!in_order()) {
    meet_barrier(lane);
    if (command.ordering_.waits_for_all) meet_all(lane);
  }
  command.before_ = {};
  lane.used = true;
  lane.last = &command;
  command.stream_ = lane.stream;
  return lane;
}

}  // namespace clcuda
