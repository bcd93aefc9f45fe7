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

namespace clcuda {

class CommandQueue;
class Command;
class MemoryUse;

// Commands whose last blocker has gone, on their way to their queues.
using ReadyCommands = RefList<Command>;

// Host times in nanoseconds (device_time.h).
struct CommandTimes {
  cl_ulong queued = 0, submitted = 0, started = 0, ended = 0;
};

// A command: a whole snapshot with one act, and the only event state machine there is.
//
//   held → submitted → complete        a *stream act*: emitted into a CUDA stream, complete when its CUDA event has happened
//   held → complete                    a *host act* (performed on a worker thread, or by the blocking caller) or a user event
//   any  → complete                    with a negative result, on failure
//
// A command is held while it has blockers: a user event, a host act, or a command that is itself held.
// Dependents of a submitted command are ordered by its stream or CUDA event and are not held, unless they
// need its completion: what touches host memory does, behind a command that ends with a step on the host (its
// epilogue). Completion is observed by whoever asks (status, wait) or by the context's watcher if somebody
// must be told; that is also when the epilogue runs, once, after those of all commands that this one comes
// behind: earlier ones of an in-order queue, and through wait lists and barriers those of other queues.
//
// No lock is held when an application's function is called.
class Command : public Watched {
 public:
  enum class Stage : std::uint32_t { held, submitted, complete };
  enum class Need : std::uint8_t { order, completion };
  using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);
  // What an out-of-order queue orders besides the wait list.
  struct Ordering {
    bool waits_for_all = false;  // a marker or barrier without a list: behind all commands before it
    bool is_barrier = false;     // all commands after it are behind it
  };

  // Without an act of its own: markers, barriers, and commands that turn out to have nothing to do.
  Command(CommandQueue& queue, cl_command_type type, Ordering ordering);
  Command(CommandQueue& queue, cl_command_type type) : Command(queue, type, Ordering{}) {}

  Context& context() const { return *context_; }
  CommandQueue* queue() const { return queue_.get(); }
  cl_command_type type() const { return type_; }

  // CL_QUEUED … CL_COMPLETE, or the error. Looks at the device.
  cl_int status() noexcept;
  // True if the command is complete. Looks at the device.
  bool poll() noexcept final;
  // Returns the result: CL_COMPLETE or an error.
  cl_int wait() noexcept final;
  Stage stage() const noexcept { return stage_.load(std::memory_order_acquire); }
  bool complete() const noexcept final { return stage() == Stage::complete; }
  cl_int result() const noexcept { return result_.load(std::memory_order_acquire); }
  // Somebody may ask when it ran.
  bool timed() const { return timed_; }
  // Meaningful once complete, of a timed command.
  const CommandTimes& times() const { return times_; }
  // Of a submitted command.
  const cuda::Event& end_event() const { return end_; }
  End end() const final;

  // The application's callback for an event of this command; called on the callback thread.
  void add_callback(cl_event event, Ref<Object> keeps_event, cl_int at, Callback function, void* user);

  // Makes `dependent` wait for this command; false if there is nothing to wait for. With `propagates`,
  // failure is handed on.
  bool add_dependent(Command& dependent, Need need, bool propagates);
  // This command, which is not yet on its way, is complete only after the steps on the host that end
  // `before`, or come before it.
  void order_after(const Ref<Command>& before);

  // The act, in three steps, with the context current. prepare() is what the host has to do before the device
  // can begin, once: a timed command's time counts from then on. Then what the act uses of memory objects is
  // made resident (memory_use.h), and emit() puts it into the stream. emit() leaves the command as it was and
  // finds in uses() where everything is, so that the last two steps can be done again. The queue takes them
  // under its lock.
  virtual void prepare() {}
  std::span<MemoryUse> uses();
  virtual void emit(cuda::Stream&) {}

  // Ends the command. The first call counts.
  void finish(cl_int result, ReadyCommands& ready) noexcept;

 protected:
  // A user event: no queue, no act.
  explicit Command(Context& context);
  ~Command() override;

  // What a command is, beyond its act.
  virtual bool on_host() const { return false; }       // a host act
  virtual bool touches_host() const { return false; }  // the act reads or writes memory of the application
  virtual bool has_epilogue() const { return false; }
  virtual bool can_fail_at_end() const { return false; }  // in its epilogue, with what the device did
  // Told first of all where the caller is to wait for the command; `observed`: its status can be seen as
  // well.
  virtual void expect_waiting(bool /*observed*/) {}
  // Asked once submitted: the caller need not wait, because nobody can tell that the command is not complete.
  virtual bool lets_caller_go() const { return false; }
  virtual std::string_view kernel_name() const { return {}; }  // of a launch, for the report on a lost device
  // Told ahead of prepare() where the thread may wait, and holds no lock: of what the act takes there may be
  // too much in flight.
  virtual void wait_for_room() noexcept {}

  // A host act, instead of emit(): under no lock.
  virtual void perform(cuda::Stream&) {}
  // Page-locked memory that the device uses when it does what was emitted; what has an epilogue keeps its
  // own.
  virtual std::shared_ptr<cuda::PinnedBlock> host_memory() const { return nullptr; }
  // Of a timed host act that has been performed: when the device worked at it, if it did.
  virtual const DeviceSpan* device_span() const { return nullptr; }
  // The last step of a stream act, on the host, when its CUDA event has happened.
  virtual void epilogue() {}
  // Drops what only a command still to be emitted or performed needs, besides its uses.
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

  void release() noexcept;
  void settle_those_before() noexcept;
  Ref<Command> one_before() noexcept;
  void mark_submitted(ReadyCommands& ready) noexcept;
  void blocker_gone(bool failed, ReadyCommands& ready) noexcept;
  void call_back(CallbackEntry entry, cl_int status) noexcept;
  void observe_end(CUresult result) noexcept;
  void take_times() noexcept;
  void take_host_times(cl_ulong began) noexcept;

  const Ref<Context> context_;
  const Ref<CommandQueue> queue_;
  const cl_command_type type_;
  const Ordering ordering_;
  std::atomic<Stage> stage_ = Stage::held;
  std::atomic<cl_int> result_ = CL_COMPLETE;
  // A host act that has begun; or a lost device's command, which never will.
  std::atomic<bool> running_ = false;
  std::atomic<bool> observed_ = false;  // somebody runs, or ran, what completion brings
  std::atomic<int> blockers_ = 1;       // one for the enqueue itself
  std::atomic<bool> dependency_failed_ = false;

  // Set by the queue under its lock, before the command is submitted; constant afterwards.
  std::uint64_t sequence_ = 0;
  std::uint64_t kernels_noted_ = 0;  // by the queue, up to this command
  bool has_event_ = false;           // somebody may ask for its status
  bool timed_ = false;
  bool wants_end_event_ = false;
  bool follows_epilogues_ = false;  // in order: some were to come when it was enqueued
  bool ends_on_host_ = false;       // it has an epilogue, or comes behind one of another queue
  cuda::Stream* stream_ = nullptr;
  cuda::Event start_, end_;
  std::vector<Ref<Command>> wait_list_;
  CommandTimes times_;

  Mutex mutex_ LOCK_RANK(command);
  bool watched_ GUARDED_BY(mutex_) = false;
  std::vector<Ref<Command>> behind_ GUARDED_BY(mutex_);  // until complete
  // Those that need its order, and those that need its completion; and callbacks for its submission, and
  // others.
  std::vector<Dependent> behind_order_ GUARDED_BY(mutex_), behind_completion_ GUARDED_BY(mutex_);
  std::vector<CallbackEntry> submission_callbacks_ GUARDED_BY(mutex_), callbacks_ GUARDED_BY(mutex_);
};

// Hands commands whose blockers have gone to their queues, and those that they release in turn. No lock is
// held. `may_wait`: the caller is one of the application's that ends the blocker, not one who looks how far
// commands are.
void submit_ready(ReadyCommands& ready, bool may_wait = false) noexcept;

}  // namespace clcuda
