// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "cuda/event.h"
#include "cuda/stream.h"
#include "runtime/device/device_clock.h"
#include "runtime/device/device_resources.h"
#include "runtime/platform/context.h"
#include "runtime/queue/command_details.h"
#include "runtime/queue/command_times.h"

namespace clcuda {

class CommandQueue;
class Command;
class MemoryUse;

// Commands whose last blocker has been removed and which are to be passed to their queues (CommandQueue::release).
using ReadyCommands = RefList<Command>;

// A command: a complete snapshot of its arguments with one operation (its act), and the state machine of events.
//
//   held → submitted → complete        a *stream act*: emitted into a CUDA stream, complete when its CUDA event has happened
//   held → complete                    a *host act* (performed on a worker thread, or by the blocking caller) or a user event
//   any  → complete                    with a negative result, on failure
//
// A command is held while it has blockers: a user event, a host act, or a command that is itself held. A command that depends on a
// submitted one is ordered by a stream or CUDA event and is not held, unless it needs the other's completion: a command that accesses host
// memory does, if the other ends with a step on the host (its epilogue). A thread that queries or waits for the command (status, wait)
// observes its completion, or the context's watcher does if the command has callbacks or dependents that need its completion. The observing
// thread runs the epilogue, once, after those of all commands that precede this one: earlier ones of an in-order queue, and through wait
// lists and barriers those of other queues. If one of these epilogues may take as long as others like, only a thread that waits for the
// command runs them; one that queries it leaves them to SlowCompletions, and the command is not complete yet.
//
// No lock is held when an application's function is called.
class Command : public Watched {
 public:
  enum class Stage : std::uint32_t { held, submitted, complete };
  enum class Need : std::uint8_t { order, completion };
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);
  // How an out-of-order queue orders the command, besides its wait list.
  struct Ordering {
    bool waits_for_all = false;  // a marker or barrier without a wait list
    bool is_barrier = false;     // later commands wait for it
  };

  // A command without an act: markers, barriers, and commands that have nothing to do.
  Command(CommandQueue& queue, cl_command_type type, Ordering ordering);
  Command(CommandQueue& queue, cl_command_type type) : Command(queue, type, Ordering{}) {}

  Context& context() const { return *context_; }
  CommandQueue* queue() const { return queue_.get(); }
  cl_command_type type() const { return type_; }

  // CL_QUEUED … CL_COMPLETE, or the error. Queries the device.
  cl_int status() noexcept;
  // True if the command is complete. Queries the device.
  bool poll() noexcept final;
  bool completes_elsewhere() const noexcept final;
  bool complete_quickly() noexcept final;
  // Returns the result: CL_COMPLETE or an error.
  cl_int wait() noexcept final;
  Stage stage() const noexcept { return stage_.load(std::memory_order_acquire); }
  bool complete() const noexcept final { return stage() == Stage::complete; }
  cl_int result() const noexcept { return result_.load(std::memory_order_acquire); }
  // Its number in the timeline; 0 if it is not in a timeline.
  std::uint64_t number() const { return number_; }
  // Whether its execution times are needed, for event profiling or for the timeline.
  bool timed() const { return timed_; }
  // Only valid for a timed command that is complete.
  const CommandTimes& times() const { return times_; }
  // Only valid for a submitted command.
  const cuda::Event& end_event() const { return end_; }
  End end() const final;

  // The application's callback for an event of this command; called on the callback thread.
  void add_callback(cl_event event, Ref<Object> keeps_event, cl_int at, Callback function, void* user);

  // Makes `dependent` wait for this command; returns false if there is nothing to wait for. With `propagates`, `dependent` fails if this
  // command fails.
  bool add_dependent(Command& dependent, Need need, bool propagates);
  // Called before this command is submitted: completes it only after the epilogue of `before` and those that precede it.
  void order_after(const Ref<Command>& before);
  // Makes this command wait for the completion of those.
  void wait_for_those_before();

  // The act, in three steps, which the queue performs under its lock, with the context current. prepare() is called once and does the work
  // on the host that precedes the device's work. Then the uses of memory objects are made resident (resident_uses.h); this time is not
  // counted as the command's. Then emit() submits the work to the stream. emit() does not change the command and takes all addresses from
  // uses(), so the last two steps can be repeated.
  virtual void prepare() {}
  std::span<MemoryUse> uses();
  virtual void emit(cuda::Stream&) {}
  // The same if the command is timed: begins `timing` ahead of the work. The queue ends it.
  virtual void emit_timed(cuda::Stream& stream, cuda::Timing& timing) {
    stream.begin(timing);
    emit(stream);
  }

  // Completes the command. Only the first call has an effect.
  void finish(cl_int result, ReadyCommands& ready) noexcept;

 protected:
  // A user event, which has no queue and no act.
  explicit Command(Context& context);
  ~Command() override;

  // Properties of the command's act.
  virtual bool on_host() const { return false; }       // a host act
  virtual bool touches_host() const { return false; }  // it accesses the application's host memory
  virtual bool has_epilogue() const { return false; }
  virtual bool can_fail_at_end() const { return false; }    // the epilogue may report a failure
  virtual bool has_slow_epilogue() const { return false; }  // it may take as long as others like
  // Called when its CUDA event has happened, and only before its epilogue: whether that will take long. Copies from the device.
  virtual bool is_epilogue_slow() { return has_slow_epilogue(); }
  // Called before the queue admits the command if the enqueuing call is blocking. `observed`: it also returns an event, so the status is
  // visible.
  virtual void expect_waiting(bool /*observed*/) {}
  // Called after submission: true if a blocking call need not wait, because the application cannot detect that the command is not complete.
  virtual bool lets_caller_go() const { return false; }
  virtual CommandDetails details() const { return {.type = type_}; }
  CommandDetails moving(std::size_t bytes) const { return {.type = type_, .bytes = bytes}; }
  // Called before prepare(), without a lock, on a thread that may wait: waits if commands in flight use too much of a resource that the act
  // needs.
  virtual void wait_for_room() noexcept {}
  // Whether that would return at once.
  virtual bool has_room() noexcept { return true; }

  // Performs a host act; called instead of emit(), without a lock. Others put nothing into the stream meanwhile.
  virtual void perform(cuda::Stream&) {}
  // From perform(), once the act itself begins: calls the callbacks for CL_RUNNING.
  void tell_running() noexcept;
  // Page-locked memory that the emitted work uses. A command with an epilogue keeps this memory itself until then.
  virtual std::shared_ptr<cuda::PinnedBlock> host_memory() const { return nullptr; }
  // For a timed host act that has been performed: the time in which the device worked at it, or null.
  virtual const DeviceSpan* device_span() const { return nullptr; }
  // The last step of a stream act: called on the host when its CUDA event has happened.
  virtual void epilogue() {}
  // Releases resources, besides uses_, that are needed only until the command has been emitted or performed.
  virtual void release_resources() noexcept {}

  std::vector<MemoryUse> uses_;

 private:
  friend class CommandQueue;
  friend void submit_ready(ReadyCommands& ready, bool may_wait) noexcept;

  struct Dependent {
    Ref<Command> command;
    bool propagates;
  };
  struct CallbackEntry {
    cl_event event;
    Ref<Object> keeps_event;
    cl_int at;
    Callback function;
    void* user;
  };

  // A place in a stream of another device.
  struct Elsewhere {
    DeviceResources* resources;
    cuda::Stream* stream;
    std::uint64_t recorded;  // cuda::Stream::recorded() behind the work
  };

  // What a held command of an out-of-order queue follows on the device, besides its wait list.
  struct Before {
    std::vector<Ref<Command>> commands;  // some may be held as well
    std::vector<cuda::Event> work;       // the ends of what was in the lanes
  };

  void await_elsewhere(const Command& awaited);
  // Throws if a command of another device that it has waited for has failed.
  void require_success_elsewhere() const;
  void release() noexcept;
  void settle_those_before() noexcept;
  Ref<Command> one_before() noexcept;
  void mark_submitted(ReadyCommands& ready) noexcept;
  // A host act has begun: calls the callbacks for CL_SUBMITTED.
  void tell_submission() noexcept;
  bool has_running_callbacks() noexcept;
  void blocker_gone(bool failed, ReadyCommands& ready) noexcept;
  void call_back(CallbackEntry entry, cl_int status) noexcept;
  void observe_end(CUresult result) noexcept;
  bool take_observation() noexcept;
  bool has_slow_steps_left() noexcept;
  bool follows_slow_epilogue() noexcept;
  bool leave_end() noexcept;
  void take_times() noexcept;
  void take_host_times(cl_ulong began) noexcept;

  const Ref<Context> context_;
  const Ref<CommandQueue> queue_;
  const cl_command_type type_;
  const Ordering ordering_;
  std::atomic<Stage> stage_ = Stage::held;
  std::atomic<cl_int> result_ = CL_COMPLETE;
  // A host act that has begun, or a command of a lost device, which will never begin.
  std::atomic<bool> running_ = false;
  // Whether a thread runs, or ran, the steps at completion, or looks how long they may take.
  enum class Observed : std::uint8_t { no, looked_at, yes };
  std::atomic<Observed> observed_ = Observed::no;
  std::atomic<bool> left_ = false;  // to SlowCompletions
  std::atomic<int> blockers_ = 1;   // one for the enqueue itself
  std::atomic<bool> dependency_failed_ = false;
  cl_int failure_ = CL_SUCCESS;  // with which it will end, without having run, when it has no blockers

  // Set by the queue under its lock, before the command is submitted; constant afterwards.
  std::uint64_t sequence_ = 0;
  std::uint64_t number_ = 0;
  bool has_call_ = false;            // an arrow leads to it from a call in the timeline
  std::uint64_t kernels_noted_ = 0;  // CommandQueue::kernels_noted_ when it was recorded
  bool has_event_ = false;           // the application has an event for it
  bool timed_ = false;
  bool wants_end_event_ = false;
  bool follows_epilogues_ = false;  // in order: commands before it had epilogues to run
  bool ends_on_host_ = false;       // it has an epilogue, or follows one of another queue
  bool slow_epilogue_ = false;      // has_slow_epilogue()
  bool ends_slowly_ = false;        // the same for its epilogue or one that it follows
  cuda::Stream* stream_ = nullptr;
  cuda::Event start_, end_;
  std::uint64_t end_sequence_ = 0;  // the stream's recorded() behind the end event
  // What it awaits on other devices, itself or through commands of its wait list: the last place in each stream, so that the list stays
  // short, and no command is kept.
  std::vector<Elsewhere> awaited_elsewhere_;
  std::vector<Ref<Command>> wait_list_;
  Before before_;
  std::vector<std::uint64_t> awaited_numbers_;  // of the wait list, for the timeline
  CommandTimes times_;

  Mutex mutex_ LOCK_RANK(command);
  bool watched_ GUARDED_BY(mutex_) = false, told_running_ GUARDED_BY(mutex_) = false;
  std::vector<Ref<Command>> behind_ GUARDED_BY(mutex_);  // its epilogue follows theirs; until complete
  // Dependents that need only its order, and those that need its completion; callbacks for CL_SUBMITTED, and all others.
  std::vector<Dependent> behind_order_ GUARDED_BY(mutex_), behind_completion_ GUARDED_BY(mutex_);
  std::vector<CallbackEntry> submission_callbacks_ GUARDED_BY(mutex_), callbacks_ GUARDED_BY(mutex_);
};

// Passes commands without blockers to their queues, and then the commands that these unblock. The caller holds no lock. `may_wait`: the
// thread may wait for room (wait_for_room), because it is in a call of the application that ends a blocker, not one that only queries
// commands. Otherwise another thread submits those for which there is no room.
void submit_ready(ReadyCommands& ready, bool may_wait = false) noexcept;

}  // namespace clcuda
