// SPDX-License-Identifier: Apache-2.0
#include "runtime/notifier.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "base/log.h"
#include "base/mutex.h"
#include "runtime/command.h"
#include "runtime/command_queue.h"
#include "runtime/engine.h"

namespace clcuda {
namespace {

constexpr std::chrono::milliseconds kPatrol{250};

}  // namespace

struct Notifier::State {
  Mutex mutex;
  std::condition_variable changed;
  std::vector<std::function<void()>> jobs GUARDED_BY(mutex);
  std::vector<Ref<Command>> to_watch GUARDED_BY(mutex);
  bool signalled GUARDED_BY(mutex) = false;
  bool stopping GUARDED_BY(mutex) = false;
  bool started GUARDED_BY(mutex) = false;

  void signal() {
    MutexLock lock(mutex);
    signalled = true;
    changed.notify_one();
  }
};

// Owned by the thread's list and, until it has run, by the host function.
struct Notifier::Watched {
  Ref<Command> command;
  std::shared_ptr<State> state;
  cuda::Stream* side = nullptr;
  std::atomic<bool> fired = false;
};

Notifier::Notifier() : state_(std::make_shared<State>()) {}

std::shared_ptr<Notifier> make_notifier() { return std::make_shared<Notifier>(); }

Notifier::~Notifier() {
  MutexLock lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_one();
}

void Notifier::start_thread() noexcept {
  {
    MutexLock lock(state_->mutex);
    if (state_->started) return;
    state_->started = true;
  }
  try {
    std::thread(run, state_).detach();
  } catch (const std::exception& error) {
    log::error("no thread for callbacks: {}", error.what());
    MutexLock lock(state_->mutex);
    state_->started = false;
  }
}

void Notifier::post(std::function<void()> job) noexcept {
  try {
    MutexLock lock(state_->mutex);
    state_->jobs.push_back(std::move(job));
    state_->changed.notify_one();
  } catch (const std::exception& error) {
    log::error("a callback is lost: {}", error.what());
  }
  start_thread();
}

void Notifier::watch(Ref<Command> command) noexcept {
  try {
    MutexLock lock(state_->mutex);
    state_->to_watch.push_back(std::move(command));
    state_->changed.notify_one();
  } catch (const std::exception& error) {
    log::error("a command cannot be watched: {}", error.what());
  }
  start_thread();
}

void Notifier::begin(const std::shared_ptr<State>& state, Ref<Command> command,
                     std::vector<std::shared_ptr<Watched>>& watched) noexcept {
  if (command->poll()) return;
  try {
    auto entry = std::make_shared<Watched>();
    entry->command = std::move(command);
    entry->state = state;
    watched.push_back(entry);
    Engine& engine = entry->command->queue()->engine();
    cuda::Current current(engine.context());
    entry->side = &engine.acquire_stream();
    entry->side->wait(entry->command->end_event());
    auto* self = new std::shared_ptr<Watched>(entry);
    try {
      entry->side->call_on_host(
          [](void* data) {
            auto* owner = static_cast<std::shared_ptr<Watched>*>(data);
            (*owner)->fired.store(true, std::memory_order_release);
            (*owner)->state->signal();
            delete owner;
          },
          self);
    } catch (...) {
      delete self;
      throw;
    }
  } catch (const std::exception& error) {
    // The patrol will see its end.
    log::debug("watching a command: {}", error.what());
  }
}

void Notifier::look_at(std::vector<std::shared_ptr<Watched>>& watched, bool all) noexcept {
  std::erase_if(watched, [all](const std::shared_ptr<Watched>& entry) {
    const bool fired = entry->fired.load(std::memory_order_acquire);
    if (!fired && !all) return false;
    if (!entry->command->poll()) return false;
    if (entry->side) entry->command->queue()->engine().release_stream(*entry->side);
    return true;
  });
}

void Notifier::run(std::shared_ptr<State> state) noexcept {
  std::vector<std::shared_ptr<Watched>> watched;
  MutexLock lock(state->mutex);
  while (!state->stopping) {
    std::vector<std::function<void()>> jobs = std::exchange(state->jobs, {});
    std::vector<Ref<Command>> to_watch = std::exchange(state->to_watch, {});
    const bool signalled = std::exchange(state->signalled, false);
    lock.unlock();
    for (Ref<Command>& command : to_watch) begin(state, std::move(command), watched);
    to_watch.clear();
    look_at(watched, !signalled && jobs.empty());
    for (auto& job : jobs) {
      job();
      job = nullptr;  // what it captured may be the context's last reference
    }
    jobs.clear();
    lock.lock();
    if (state->stopping || state->signalled || !state->jobs.empty() || !state->to_watch.empty()) continue;
    if (watched.empty())
      state->changed.wait(lock.native());
    else
      state->changed.wait_for(lock.native(), kPatrol);
  }
}

}  // namespace clcuda
