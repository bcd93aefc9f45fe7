// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/error.h"
#include "runtime/device/device_user.h"
#include "runtime/memory/svm.h"
#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"
#include "runtime/queue/queue_timeline.h"
#include "runtime/queue/resident_uses.h"

namespace clcuda {

// cl_command_queue on one device.
//
// An in-order queue has one CUDA stream. An out-of-order queue has several streams ("lanes"), which are used in turn. A command goes into
// the lane whose last command it depends on, if there is one; it waits for other dependencies by CUDA events. A barrier waits for all
// lanes, and each lane waits for the barrier when it is used next. When a command that was held is put into a lane, the lanes also have
// commands that were enqueued later; it waits for what it has noted when it was enqueued.
//
// Commands without blockers are recorded by the thread that enqueues them, under the queue's lock, which determines their order. A command
// with blockers is recorded by the thread that removes the last one. In an in-order queue each command blocks the next one until it is
// submitted (a host act: until it is complete).
class CommandQueue final : public Object, public DeviceUser, public MemoryUser {
 public:
  using Handle = cl_command_queue;
  static constexpr ObjectType kType = ObjectType::command_queue;
  static constexpr cl_int kInvalid = CL_INVALID_COMMAND_QUEUE;

  // Creates a queue, opens its stream, and registers it with the context and the device.
  static CommandQueue& create(Context& context, Device& device, cl_command_queue_properties properties,
                              std::vector<cl_queue_properties> property_list);
  ~CommandQueue() override;

  Context& context() const { return *context_; }
  Device& device() const { return device_; }
  DeviceResources& resources() const { return resources_; }
  // Context::memory_index() of the device.
  std::size_t device_index() const { return device_index_; }
  cl_command_queue_properties properties() const { return properties_; }
  const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  bool in_order() const { return !(properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  // The stream of an in-order queue, for the application; the same during the queue's lifetime.
  CUstream stream() const {
    MutexLock lock(mutex_);
    return lanes_.front().stream->handle();
  }
  bool profiling() const { return properties_ & CL_QUEUE_PROFILING_ENABLE; }
  // Whether commands are timed, for the application or for the timeline.
  bool takes_times() const override { return profiling() || timeline_; }

  enum class Mode { asynchronous, blocking };
  // Enqueues a new command, to which no other thread has a reference. `wants_event`: the application gets an event for it. With
  // Mode::blocking, returns when the command is complete and throws its error. Also throws errors of submitting it immediately. If these
  // show that the device is lost, the command completes with the error instead.
  void enqueue(const Ref<Command>& command, std::vector<Ref<Command>> wait_list, bool wants_event,
               Mode mode = Mode::asynchronous);

  // Records work without event and wait list into a stream, without creating a command. Returns false and does nothing if the work would
  // have to wait for a held command or for an epilogue. With Mode::blocking, returns when the work has completed, and throws its error.
  // `uses` are made resident before `emit` is called, like those of a command. `touches_host`: `emit` reads memory of the application.
  // `emit` may take a cuda::Timing*, which it begins ahead of the work unless it is null.
  template <class Emit>
  bool record_directly(const CommandDetails& details, std::span<MemoryUse> uses, Emit&& emit,
                       Mode mode = Mode::asynchronous, bool touches_host = false) {
    DirectEnd end;
    {
      MutexLock lock(mutex_);
      Lane* lane = direct_lane(touches_host || mode == Mode::blocking);
      if (!lane) return false;
      note_kernel(details.kernel);
      ++sequence_;
      try {
        cuda::Current current(resources_.context());
        if (!in_order()) meet_barrier(*lane);
        const ResidentUses resident(uses, device_index_, *lane->stream);
        TimelineStart start = start_timeline_entry(*lane);
        if constexpr (std::is_invocable_v<Emit, cuda::Stream&, cuda::Timing*>) {
          emit(*lane->stream, start.number ? &start.timing : nullptr);
        } else {
          if (start.number) lane->stream->begin(start.timing);
          emit(*lane->stream);
        }
        if (start.number) end_timeline_entry(std::move(start), *lane, details);
        if (mode == Mode::blocking) end = {lane->stream->mark(), sequence_, kernels_noted_};
      } catch (const std::exception& error) {
        resources_.report_error(error);
        // As in enqueue(): a call that is not blocking succeeds if the device has been lost.
        if (!resources_.lost() || mode == Mode::blocking) throw;
      }
    }
    if (end.event) wait_for(end);
    return true;
  }

  // clFinish: waits until all commands enqueued before are complete. Throws Error.
  void finish();

  // MemoryUser, for the context's SvmSpace.
  void wait_for_all() override;
  void keep_for_held(const Ref<RefCounted>& memory) override;

  // For Command. Submits a command whose last blocker has been removed, or completes it with an error if a command that it depends on
  // failed. Adds to `ready` the commands whose last blocker it was.
  void release(const Ref<Command>& command, ReadyCommands& ready) noexcept;
  // In an in-order queue, the first incomplete command that ends on the host, if it is an earlier one.
  Ref<Command> first_epilogue_before(const Command& command) noexcept;
  // In an in-order queue: whether the command waits for an earlier one that may end slowly.
  bool follows_slow_epilogue(const Command& command) const noexcept;
  // In an in-order queue: the first `kernels_noted` kernels have completed and are no longer in flight.
  void note_done(std::uint64_t kernels_noted) noexcept;

  // DeviceUser, for DeviceResources.
  Ref<RefCounted> try_keep() noexcept override { return Ref<CommandQueue>::try_hold(*this); }
  bool poll(std::vector<Ref<Watched>>& seen) override;
  std::string kernels_in_flight() noexcept override;
  void abandon() override;
  void finish_abandoned(cl_int result) noexcept override;
  void notify_lost(const std::string& message) noexcept override {
    context_->notify_lost(device_.root(), message);
  }
  // Calls the context's pfn_notify with the reason why a command failed, because no API call can return it.
  void notify_context(const char* reason) const noexcept;

 private:
  static constexpr char kNotRun[] = "a command was not run, because one in its wait list failed";
  class HostActStart;
  // The end of work that was recorded without a command.
  struct DirectEnd {
    cuda::Event event;
    std::uint64_t sequence = 0, kernels_noted = 0;
  };
  // The result of beginning a command in the call that enqueues it. That call throws `error`, and performs a host act itself if
  // `performs_here`.
  struct Begun {
    cl_int failure = CL_SUCCESS;
    bool performs_here = false;
    std::exception_ptr error;
  };
  struct Lane {
    cuda::Stream* stream = nullptr;
    const Command* last = nullptr;  // never dereferenced, only compared with dependencies
    std::uint64_t barrier = 0;      // number of the last barrier that it waited for
    bool used = false;              // since the last command that waited for all lanes
    // The end events of the last timed command and of the one before it; host_time() when the last was submitted, and Stream::recorded()
    // behind it.
    cuda::Event end, end_before;
    cl_ulong submitted = 0;
    std::uint64_t recorded = 0;
  };

  CommandQueue(Context& context, Device& device, cl_command_queue_properties properties,
               std::vector<cl_queue_properties> property_list);
  void begin_use();
  // Drops finished commands that the queue remembers, because they refer to the queue. A released queue is destroyed when it is idle.
  void released_by_application() noexcept override;
  bool release_finished(std::vector<Ref<Watched>>& seen) REQUIRES(mutex_);
  Begun admit(const Ref<Command>& command, std::vector<Ref<Command>> wait_list, bool has_event, Mode mode);
  cl_int obstacle(const Command& command) const noexcept;
  void fail(const Ref<Command>& command, cl_int failure, ReadyCommands& ready) noexcept;
  bool hold_failed(Command& command, cl_int failure) noexcept;
  std::deque<Ref<Command>>::const_iterator end_of_epilogues_before(const Command& command) const
      REQUIRES(mutex_);
  bool begin(const Ref<Command>& command, Mode mode) REQUIRES(mutex_);
  void add_blockers(Command& command) REQUIRES(mutex_);
  template <class Follow>
  void gather(Command& command, const Follow& follow) REQUIRES(mutex_);
  void note_those_before(Command& command) REQUIRES(mutex_);
  void remember(const Ref<Command>& command) REQUIRES(mutex_);
  void remember_unsettled(const Ref<Command>& command) REQUIRES(mutex_);
  void record(Command& command) REQUIRES(mutex_);
  void emit(Command& command, Lane& lane) REQUIRES(mutex_);
  void emit_timed(Command& command, Lane& lane) REQUIRES(mutex_);
  void begin_host_act(Command& command) REQUIRES(mutex_);
  // Of a command that the host submits `now`; the other one is without its end event.
  cuda::Timing timing_of_next(const Lane& lane, cl_ulong now) REQUIRES(mutex_);
  cuda::Timing start_of_next(const Lane& lane, cl_ulong now) REQUIRES(mutex_);
  static void end(const cuda::Timing& timing, Lane& lane, cl_ulong submitted);
  static bool follows_work(const Lane& lane, cl_ulong now);
  void put_into_timeline(Command& command);
  TimelineStart start_timeline_entry(Lane& lane) REQUIRES(mutex_);
  void end_timeline_entry(TimelineStart start, Lane& lane, const CommandDetails& details) REQUIRES(mutex_);
  void add_to_timeline(const Command& command) noexcept;
  bool start_when_reached(const Ref<Command>& act) REQUIRES(mutex_);
  void perform(const Ref<Command>& command) noexcept;
  void perform_behind_lane(Command& command);
  // Puts the command behind what it follows in its lane.
  Lane& enter_lane(Command& command) REQUIRES(mutex_);
  static void narrow_wait_list(Command& command);
  [[noreturn]] static void refuse(Command& command);
  static void follow(const Command& awaited, Command& command, Lane& lane);
  static bool put_behind(const Command& awaited, Lane& lane);
  Lane* direct_lane(bool behind_host) REQUIRES(mutex_);
  void wait_for(const DirectEnd& end);
  Lane& choose_lane(const Command& command) REQUIRES(mutex_);
  Lane& open(std::size_t lane) REQUIRES(mutex_);
  void meet_barrier(Lane& lane) REQUIRES(mutex_);
  void meet_all(Lane& lane) REQUIRES(mutex_);
  void meet_those_before(const Command& command, Lane& meeting) REQUIRES(mutex_);
  // Out of order: whether the command was held and others have been enqueued since.
  bool overtaken(const Command& command) const REQUIRES(mutex_) {
    return !in_order() && command.sequence_ != sequence_;
  }
  void note_busy() REQUIRES(mutex_);
  bool finish_soon();
  void note_idle_after(std::uint64_t last) noexcept;
  void note_kernel(std::string_view name) REQUIRES(mutex_);

  const Ref<Context> context_;
  Device& device_;
  DeviceResources& resources_;
  const std::size_t device_index_;
  const cl_command_queue_properties properties_;
  const std::vector<cl_queue_properties> property_list_;
  const std::shared_ptr<QueueTimeline> timeline_;  // null if there is no timeline

  mutable Mutex mutex_ LOCK_RANK(queue);
  std::uint64_t sequence_ GUARDED_BY(mutex_) = 0;
  std::vector<Lane> lanes_ GUARDED_BY(mutex_);
  std::vector<cuda::Stream*> retired_ GUARDED_BY(mutex_);  // capacity for all lanes; for the destructor
  std::size_t next_lane_ GUARDED_BY(mutex_) = 0;
  Ref<Command> tail_ GUARDED_BY(mutex_);       // in order: the last command enqueued
  Ref<Command> barrier_ GUARDED_BY(mutex_);    // out of order: the last barrier enqueued
  Ref<Command> gathering_ GUARDED_BY(mutex_);  // out of order: the last command that waits for all before it
  Ref<Command> met_barrier_ GUARDED_BY(mutex_);  // the last barrier recorded, number barriers_
  std::uint64_t barriers_ GUARDED_BY(mutex_) = 0;
  // By sequence number: commands not yet submitted, host acts, and commands that end on the host. Complete ones are removed now and then.
  std::vector<Ref<Command>> unsettled_ GUARDED_BY(mutex_);
  std::size_t sweep_at_ GUARDED_BY(mutex_) = 32;
  std::deque<Ref<Command>> epilogues_ GUARDED_BY(mutex_);  // in order only: commands that end on the host
  // After the loss of the device: commands that were held, which no other thread will perform any more; and all others.
  std::vector<Ref<Command>> abandoned_held_ GUARDED_BY(mutex_), abandoned_others_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;  // counted in Device::work_started()

  struct KernelName {
    std::array<char, 63> text;
    std::uint8_t length;
  };
  std::array<KernelName, 16> kernel_names_ GUARDED_BY(mutex_);
  std::uint64_t kernels_noted_ GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> kernels_done_ = 0;
};

}  // namespace clcuda
