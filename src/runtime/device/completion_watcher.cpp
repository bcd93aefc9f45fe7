// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/completion_watcher.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/thread.h"
#include "runtime/device/device_resources.h"

namespace clcuda {
namespace {

constexpr std::chrono::milliseconds kAskAfter{250};
// A stream takes memory that the driver keeps, so only so many commands have a side stream of their own. Further ones are polled, more
// often than those whose end is signalled.
constexpr int kMostOwnSides = 16;
constexpr std::chrono::milliseconds kAskPolledAfter{2};

}  // namespace

// Owned by Round::watched_ and, until it has run, by the host function.
struct CompletionWatcher::Entry {
  Ref<Watched> command;
  std::shared_ptr<State> state;
  cuda::Stream* own_side = nullptr;  // if it does not share a side stream
  bool has_side = false;
  bool polled = false;  // never had a side stream
};

struct CompletionWatcher::State {
  Mutex mutex LOCK_RANK(completion_watcher);
  std::condition_variable changed;
  RefList<Watched> added GUARDED_BY(mutex);
  std::vector<std::shared_ptr<Entry>> ended GUARDED_BY(mutex);
  bool stopping GUARDED_BY(mutex) = false;
  bool started GUARDED_BY(mutex) = false;

  void signal(std::shared_ptr<Entry> entry) noexcept {
    MutexLock lock(mutex);
    try {
      ended.push_back(std::move(entry));
    } catch (const std::exception&) {
      // The command is polled anyway.
    }
    changed.notify_one();
  }
};

// The state of the thread: the watched commands and their side streams.
class CompletionWatcher::Round {
 public:
  explicit Round(std::shared_ptr<State> state) : state_(std::move(state)) {}

  bool empty() const { return watched_.empty(); }
  std::chrono::milliseconds ask_after() const { return polled_ > 0 ? kAskPolledAfter : kAskAfter; }

  // Returns false if memory runs out.
  bool begin(const Ref<Watched>& command) noexcept {
    if (is_done(*command)) return true;
    std::shared_ptr<Entry> entry;
    try {
      entry = std::make_shared<Entry>(Entry{command, state_});
      watched_.insert(entry);
    } catch (const std::exception&) {
      return false;
    }
    try {
      arrange_signal(entry);
    } catch (const std::exception& error) {
      log::debug("watching a command: {}", error.what());  // it will be polled
    }
    entry->polled = !entry->has_side;
    if (entry->polled) ++polled_;
    return true;
  }

  void end(const std::shared_ptr<Entry>& entry) noexcept {
    leave_side(*entry);
    if (is_done(*entry->command)) watched_.erase(entry);
  }

  // Polls each stream's commands up to the first that is not complete; later ones cannot be complete either.
  void ask_after_all() noexcept {
    for (auto next = watched_.begin(); next != watched_.end();) {
      const std::shared_ptr<Entry> entry = *next;
      if (!is_done(*entry->command)) {
        next = watched_.upper_bound(stream_of(entry));
        continue;
      }
      if (entry->command->end().resources.lost()) leave_side(*entry);
      if (entry->polled) --polled_;
      next = watched_.erase(next);
    }
  }

 private:
  // Whether the command need not be watched any more.
  static bool is_done(Watched& command) noexcept { return command.poll() || command.completes_elsewhere(); }
  static cuda::Stream* stream_of(const std::shared_ptr<Entry>& entry) { return entry->command->end().stream; }
  // Ordered by stream, then by sequence number.
  struct InStreams {
    using is_transparent = void;
    using Place = std::tuple<cuda::Stream*, std::uint64_t, const Entry*>;
    static Place place(const std::shared_ptr<Entry>& entry) {
      const Watched::End end = entry->command->end();
      return {end.stream, end.sequence, entry.get()};
    }
    bool operator()(const std::shared_ptr<Entry>& a, const std::shared_ptr<Entry>& b) const {
      return place(a) < place(b);
    }
    bool operator()(const std::shared_ptr<Entry>& a, cuda::Stream* b) const {
      return std::less()(stream_of(a), b);
    }
    bool operator()(cuda::Stream* a, const std::shared_ptr<Entry>& b) const {
      return std::less()(a, stream_of(b));
    }
  };
  // The side stream of a stream with watched commands.
  struct Side {
    cuda::Stream* stream = nullptr;
    std::uint64_t latest = 0;  // the sequence number of the last command that it waits for
    int waiting = 0;
  };

  void leave_side(Entry& entry) noexcept {
    if (!std::exchange(entry.has_side, false)) return;
    const auto [resources, ended, sequence, event] = entry.command->end();
    if (entry.own_side) {
      --own_sides_;
      return resources.streams().release(*entry.own_side);
    }
    const auto side = sides_.find(ended);
    if (--side->second.waiting > 0) return;
    resources.streams().release(*side->second.stream);
    sides_.erase(side);
  }

  // Everything that can throw comes before or in call_signal(): once the host function is submitted, the entry counts as waiting.
  void arrange_signal(const std::shared_ptr<Entry>& entry) {
    const auto [resources, ending, sequence, event] = entry->command->end();
    cuda::Current current(resources.context());
    const auto [place, is_new] = sides_.try_emplace(ending);
    Side& side = place->second;
    const bool late = !is_new && sequence < side.latest;
    if (late && own_sides_ == kMostOwnSides) return;
    cuda::Stream* lent = nullptr;
    try {
      if (is_new || late) lent = &resources.streams().acquire();
      cuda::Stream& stream = lent ? *lent : *side.stream;
      stream.wait(event);
      call_signal(stream, entry);
    } catch (const std::exception&) {
      if (lent) resources.streams().release(*lent);
      if (is_new) sides_.erase(place);
      throw;
    }
    entry->has_side = true;
    if (late) {
      entry->own_side = lent;
      ++own_sides_;
      return;
    }
    if (is_new) side.stream = lent;
    side.latest = sequence;
    ++side.waiting;
  }

  static void call_signal(cuda::Stream& stream, const std::shared_ptr<Entry>& entry) {
    auto owner = std::make_unique<std::shared_ptr<Entry>>(entry);
    stream.call_on_host(
        [](void* data) {
          const std::unique_ptr<std::shared_ptr<Entry>> mine(static_cast<std::shared_ptr<Entry>*>(data));
          const std::shared_ptr<State> state = (*mine)->state;
          state->signal(std::move(*mine));
        },
        owner.get());
    (void)owner.release();  // the host function owns it now
  }

  const std::shared_ptr<State> state_;
  std::set<std::shared_ptr<Entry>, InStreams> watched_;
  std::map<cuda::Stream*, Side> sides_;
  int own_sides_ = 0, polled_ = 0;  // numbers of entries with a side stream of their own, and without any
};

CompletionWatcher::CompletionWatcher() : state_(std::make_shared<State>()) {}

CompletionWatcher::~CompletionWatcher() {
  MutexLock lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_one();
}

void CompletionWatcher::start() {
  MutexLock lock(state_->mutex);
  if (!state_->started) state_->started = start_thread("clcuda-watch", [state = state_] { run(state); });
  if (!state_->started) throw Error(CL_OUT_OF_RESOURCES, "no thread to watch commands");
}

void CompletionWatcher::add(Ref<Watched> command) noexcept {
  MutexLock lock(state_->mutex);
  state_->added.push_back(std::move(command));
  state_->changed.notify_one();
}

void CompletionWatcher::run(const std::shared_ptr<State>& state) noexcept {
  using Clock = std::chrono::steady_clock;
  Round round(state);
  Clock::time_point asked = Clock::now();
  RefList<Watched> left;  // commands for which begin() had no memory
  MutexLock lock(state->mutex);
  while (!state->stopping) {
    RefList<Watched> added = std::exchange(state->added, {});
    std::vector<std::shared_ptr<Entry>> ended = std::exchange(state->ended, {});
    lock.unlock();
    for (const std::shared_ptr<Entry>& entry : ended) round.end(entry);
    ended.clear();
    const auto try_all = [&](RefList<Watched> commands) {
      while (!commands.empty()) {
        Ref<Watched> command = commands.pop_front();
        if (!round.begin(command)) left.push_back(std::move(command));
      }
    };
    try_all(std::exchange(left, {}));
    try_all(std::move(added));
    if (Clock::now() - asked >= round.ask_after()) {
      round.ask_after_all();
      asked = Clock::now();
    }
    lock.lock();
    if (state->stopping || !state->added.empty() || !state->ended.empty()) continue;
    if (round.empty() && left.empty())
      state->changed.wait(lock.native());
    else
      state->changed.wait_for(lock.native(), round.ask_after());
  }
}

}  // namespace clcuda
