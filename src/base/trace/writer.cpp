// SPDX-License-Identifier: Apache-2.0
#include "base/trace/writer.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/mutex.h"
#include "base/process_end.h"
#include "base/thread.h"
#include "base/trace/trace.h"
#include "base/trace/trace_file.h"

namespace clcuda::trace {
namespace {

constexpr std::chrono::milliseconds kPeriod{50};
constexpr std::size_t kMostText = std::size_t{8} << 20;

class Writer {
 public:
  // Never destroyed: clcuda's threads may use it until the process is gone.
  static Writer& get() {
    static auto& writer = *new Writer;
    return writer;
  }

  void open(const std::string& name) {
    MutexLock lock(file_mutex_);
    file_.emplace(name);
    process_ = getpid();
    descriptor_ = file_->descriptor();
    EventText first;
    first.name_process(static_cast<std::uint32_t>(process_), program_name(), 0);
    // The first event has no comma before it.
    file_->write("[" + std::string(first.text().substr(1)));
    log::info("the timeline is written to {}", file_->path());
  }

  void run() noexcept {
    for (;;) {
      std::uint64_t wanted = 0;
      {
        MutexLock lock(mutex_);
        if (!woken_) changed_.wait_for(lock.native(), kPeriod);
        woken_ = false;
        wanted = wanted_;
      }
      write_all();
      MutexLock lock(mutex_);
      written_ = wanted;
      changed_.notify_all();
      if (!recording()) return;
    }
  }

  // Makes the thread write all events, and waits for that, but not long if the disk does not respond. Signals that a write may raise are
  // blocked on that thread.
  void flush() noexcept {
    if (process_ != getpid()) return;  // a forked child has no such thread
    constexpr std::chrono::seconds kPatience{2};
    const auto end = std::chrono::steady_clock::now() + kPatience;
    MutexLock lock(mutex_);
    const std::uint64_t mine = ++wanted_;
    wake_locked();
    while (written_ < mine && recording() &&
           changed_.wait_until(lock.native(), end) != std::cv_status::timeout) {
    }
  }

  // In a forked child, which has no writer's thread and must not write to the parent's file. It closes the file, whose lock would otherwise
  // last until the child, too, has ended. (Not by file_, whose mutex the parent's thread may have held.)
  void leave_to_parent() noexcept {
    state::recording = false;
    if (const int descriptor = descriptor_.exchange(-1); descriptor >= 0) ::close(descriptor);
  }

  // Ends the list of events with the next write; later events are not written.
  void finish() noexcept {
    finishing_ = true;
    flush();
  }

  void add_source(Source source) {
    MutexLock lock(mutex_);
    sources_.push_back(std::make_shared<const Source>(std::move(source)));
  }

  void append(std::string_view events) {
    MutexLock lock(mutex_);
    if (text_.size() + events.size() > kMostText) {
      ++left_out_;
      return;
    }
    const bool was_small = text_.size() < kMostText / 2;
    text_ += events;
    if (was_small && text_.size() >= kMostText / 2) wake_locked();
  }

  void count_left_out(std::uint64_t events) noexcept {
    left_out_.fetch_add(events, std::memory_order_relaxed);
  }

 private:
  static std::string_view program_name() { return program_invocation_short_name; }

  void write_all() noexcept {
    MutexLock lock(file_mutex_);
    const bool last = finishing_;
    try {
      collect();
      file_->write(collected_.text());
      if (last) write_end();
    } catch (const std::exception& error) {
      log::warning("the timeline {} ends, as it cannot be written: {}", file_->path(), error.what());
      state::recording = false;
    }
    collected_.clear();
    if (recording()) return;
    descriptor_ = -1;
    file_.reset();
  }

  void write_end() REQUIRES(file_mutex_) {
    write_left_out();
    file_->write("\n]\n");
    state::recording = false;
  }

  void wake_locked() noexcept REQUIRES(mutex_) {
    woken_ = true;
    changed_.notify_all();
  }

  void collect() REQUIRES(file_mutex_) {
    std::vector<std::shared_ptr<const Source>> sources;
    std::string text;
    {
      MutexLock lock(mutex_);
      sources = sources_;
      text.swap(text_);
    }
    collected_.add_text(text);
    for (const auto& source : sources) (*source)(collected_);
  }

  void write_left_out() REQUIRES(file_mutex_) {
    const std::uint64_t events = left_out_.load(std::memory_order_relaxed);
    if (events == 0) return;
    log::warning("{} events are not in the timeline {}; CLCUDA_TRACE_ALL=1 waits for them", events,
                 file_->path());
    EventText text;
    text.label_process(static_cast<std::uint32_t>(process_), fmt::format("{} events left out", events));
    file_->write(text.text());
  }

  Mutex file_mutex_ LOCK_RANK(trace_file);
  std::optional<TraceFile> file_ GUARDED_BY(file_mutex_);
  EventText collected_ GUARDED_BY(file_mutex_);
  std::atomic<pid_t> process_ = 0;
  std::atomic<int> descriptor_ = -1;  // of file_
  std::atomic<bool> finishing_ = false;

  Mutex mutex_ LOCK_RANK(trace_text);
  std::condition_variable changed_;
  bool woken_ GUARDED_BY(mutex_) = false;
  std::uint64_t wanted_ GUARDED_BY(mutex_) = 0, written_
                                                GUARDED_BY(mutex_) = 0;  // writes that are waited for
  std::string text_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<const Source>> sources_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> left_out_ = 0;
};

}  // namespace

bool start_writer(const std::string& file) noexcept {
  try {
    Writer::get().open(file);
  } catch (const std::exception& error) {
    log::warning("the timeline {} cannot be written: {}", file, error.what());
    return false;
  }
  state::recording = true;
  if (!start_thread("clcuda-trace", [] { Writer::get().run(); })) {
    state::recording = false;
    log::warning("no thread to write the timeline {}", file);
    return false;
  }
  pthread_atfork(nullptr, nullptr, [] { Writer::get().leave_to_parent(); });
  at_process_end([] { Writer::get().finish(); });
  return true;
}

void add_source(Source source) { Writer::get().add_source(std::move(source)); }

void append(const EventText& events) noexcept {
  try {
    Writer::get().append(events.text());
  } catch (const std::exception&) {
    count_left_out(1);
  }
}

void count_left_out(std::uint64_t events) noexcept { Writer::get().count_left_out(events); }
void flush() noexcept { Writer::get().flush(); }

}  // namespace clcuda::trace
