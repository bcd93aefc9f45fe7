// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/error.h"
#include "runtime/device/device_user.h"
#include "runtime/memory/svm.h"
#include "runtime/queue/command.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// cl_command_queue on one device.
//
// In order: one CUDA stream. Out of order: a few streams ("lanes"), filled in turn, a command behind its last dependency where
// that is possible; other dependencies are CUDA events. A barrier meets all lanes, and each lane waits for it when next used.
//
// Commands that have no blockers are recorded by the thread that enqueues them, under the queue's lock, which gives their order.
// Others are released by whoever removes their last blocker. In an in-order queue each command is a blocker of the next until it is
// submitted (a host act: until it is complete).
class CommandQueue final : public Object, public DeviceUser, public MemoryUser {
 public:
  using Handle = cl_command_queue;
  static constexpr ObjectType kType = ObjectType::command_queue;
  static constexpr cl_int kInvalid = CL_INVALID_COMMAND_QUEUE;

  // One that is known to its context and its device, and has a stream.
  static CommandQueue& create(Context& context, Device& device, cl_command_queue_properties properties,
                              std::vector<cl_queue_properties> property_list);
  ~CommandQueue() override;

  Context& context() const { return *context_; }
  Device& device() const { return device_; }
  DeviceResources& resources() const { return resources_; }
  // The place of the device's memory in the context's list.
  std::size_t device_index() const { return device_index_; }
  cl_command_queue_properties properties() const { return properties_; }
  const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  bool in_order() const { return !(properties_ & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  // Of a queue in order, for the application: the same as long as the queue lives.
  CUstream stream() const {
    MutexLock lock(mutex_);
    return lanes_.front().stream->handle();
  }
  bool profiling() const override { return properties_ & CL_QUEUE_PROFILING_ENABLE; }

  enum class Mode { asynchronous, blocking };
  // Takes a command that nobody knows yet. `wants_event`: somebody may ask for its status. With Mode::blocking it returns when
  // the command is complete and throws its error. Throws also what goes wrong in submitting it at once, but where that shows that
  // the device has been lost, the command ends with the error instead.
  void enqueue(const Ref<Command>& command, std::vector<Ref<Command>> wait_list, bool wants_event,
               Mode mode = Mode::asynchronous);

  // Where no event or wait list is in play and nothing is held: records straight into a stream, without a
  // command. False, and nothing done, if that is not so now. With Mode::blocking it returns when that has
  // been done, and throws its error. `uses` are made resident ahead of `emit`, as a command's.
  // `touches_host`: `emit` reads memory of the application.
  template <class Emit>
  bool record_directly(std::string_view kernel, std::span<MemoryUse> uses, Emit&& emit,
                       Mode mode = Mode::asynchronous, bool touches_host = false) {
    DirectEnd end;
    {
      MutexLock lock(mutex_);
      Lane* lane = direct_lane(touches_host || mode == Mode::blocking);
      if (!lane) return false;
      note_kernel(kernel);
      ++sequence_;
      try {
        cuda::Current current(resources_.context());
        if (!in_order()) meet_barrier(*lane);
        const cuda::DrainOnFailure drain(*lane->stream);
        make_resident(uses, device_index_, *lane->stream);
        emit(*lane->stream);
        if (mode == Mode::blocking) end = {lane->stream->mark(), sequence_, kernels_noted_};
      } catch (const std::exception& error) {
        resources_.report_error(error);
        // Where nobody waits, what was recorded is what failed, as in enqueue().
        if (!resources_.lost() || mode == Mode::blocking) throw;
      }
    }
    if (end.event) wait_for(end);
    return true;
  }

  // Returns when all that was enqueued before is complete.
  void finish();

  // For the context's memory.
  void wait_for_all() override;
  void keep_for_held(const Ref<RefCounted>& memory) override;

  // For Command. Submits a command whose last blocker has gone, or ends it with the failure of what it waited for. Adds to `ready`
  // those that it was the last blocker of.
  void release(const Ref<Command>& command, ReadyCommands& ready) noexcept;
  // Waits for the commands of a queue in order that end on the host and come before this one.
  void run_epilogues_before(const Command& command) noexcept;
  // Of a queue in order: the first kernels, so many, have run, and are not in flight any more.
  void note_done(std::uint64_t kernels_noted) noexcept;

  // For DeviceResources.
  Ref<RefCounted> try_keep() noexcept override { return Ref<CommandQueue>::try_hold(*this); }
  bool poll(std::vector<Ref<Watched>>& seen) override;
  std::string kernels_in_flight() noexcept override;
  void abandon() override;
  void finish_abandoned(cl_int result) noexcept override;
  void notify_lost(const std::string& message) noexcept override {
    context_->notify_lost(device_.root(), message);
  }
  // Has the context's callback told why a command failed, which no call can say.
  void notify_context(const char* reason) const noexcept;

 private:
  // When what was recorded without a command is done.
  struct DirectEnd {
    cuda::Event event;
    std::uint64_t sequence = 0, kernels_noted = 0;
  };
  // What came of beginning a command at once: `error` is for the call that enqueues it, which may have to perform it, too.
  struct Begun {
    cl_int failure = CL_SUCCESS;
    bool performs_here = false;
    std::exception_ptr error;
  };
  struct Lane {
    cuda::Stream* stream = nullptr;
    const Command* last = nullptr;  // never followed: only compared with dependencies, which are alive
    std::uint64_t barrier = 0;      // the last barrier that it met
    bool used = false;              // since the last command that waited for all
    // The end of the last timed command recorded, and how much the stream held with it.
    cuda::Event end;
    std::uint64_t recorded = 0;
  };

  CommandQueue(Context& context, Device& device, cl_command_queue_properties properties,
               std::vector<cl_queue_properties> property_list);
  void begin_use();
  // The commands that the queue remembers refer to it: once the application has let go of it, it lasts until it is idle.
  void released_by_application() noexcept override;
  bool release_finished(std::vector<Ref<Watched>>& seen) REQUIRES(mutex_);
  Begun admit(const Ref<Command>& command, std::vector<Ref<Command>> wait_list, bool has_event, Mode mode);
  cl_int obstacle(const Command& command) const noexcept;
  bool begin(const Ref<Command>& command, Mode mode) REQUIRES(mutex_);
  void add_blockers(Command& command) REQUIRES(mutex_);
  template <class Follow>
  void gather(const Follow& follow) REQUIRES(mutex_);
  void remember(const Ref<Command>& command) REQUIRES(mutex_);
  void remember_unsettled(const Ref<Command>& command) REQUIRES(mutex_);
  void record(Command& command) REQUIRES(mutex_);
  void emit(Command& command, cuda::Stream& stream) REQUIRES(mutex_);
  void begin_host_act(Command& command) REQUIRES(mutex_);
  void time_start(Command& command, Lane& lane) REQUIRES(mutex_);
  static cuda::Event end_to_come(const Lane& lane);
  void perform(const Ref<Command>& command) noexcept;
  void prepare_lane(Command& command, Lane& lane) REQUIRES(mutex_);
  Lane* direct_lane(bool behind_host) REQUIRES(mutex_);
  void wait_for(const DirectEnd& end);
  Lane& choose_lane(const Command& command) REQUIRES(mutex_);
  Lane& open(std::size_t lane) REQUIRES(mutex_);
  void meet_barrier(Lane& lane) REQUIRES(mutex_);
  void meet_all(Lane& lane) REQUIRES(mutex_);
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

  mutable Mutex mutex_ LOCK_RANK(queue);
  std::uint64_t sequence_ GUARDED_BY(mutex_) = 0;
  std::vector<Lane> lanes_ GUARDED_BY(mutex_);
  std::vector<cuda::Stream*> retired_ GUARDED_BY(mutex_);  // as long as lanes_, for the destructor
  std::size_t next_lane_ GUARDED_BY(mutex_) = 0;
  Ref<Command> tail_ GUARDED_BY(mutex_);       // in order: the last command enqueued
  Ref<Command> barrier_ GUARDED_BY(mutex_);    // out of order: the last barrier enqueued
  Ref<Command> gathering_ GUARDED_BY(mutex_);  // out of order: the last command that waits for all before it
  Ref<Command> met_barrier_ GUARDED_BY(mutex_);  // the last one recorded, the barriers_-th
  std::uint64_t barriers_ GUARDED_BY(mutex_) = 0;
  // In the order of their sequence: those not yet submitted, host acts and those that end on the host; complete ones are swept now and then.
  std::vector<Ref<Command>> unsettled_ GUARDED_BY(mutex_);
  std::size_t sweep_at_ GUARDED_BY(mutex_) = 32;
  std::deque<Ref<Command>> epilogues_ GUARDED_BY(mutex_);  // in order only: those that end on the host
  // Of a lost device: commands that were held, which nobody else will now run, and all others.
  std::vector<Ref<Command>> abandoned_held_ GUARDED_BY(mutex_), abandoned_others_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;  // counted by the device as work in flight

  struct KernelName {
    std::array<char, 63> text;
    std::uint8_t length;
  };
  std::array<KernelName, 16> kernel_names_ GUARDED_BY(mutex_);
  std::uint64_t kernels_noted_ GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> kernels_done_ = 0;
};

}  // namespace clcuda
