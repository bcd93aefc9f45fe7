// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/trace/event_text.h"

namespace clcuda {

// The stages of a build, whose times are reported together.
enum class BuildStage : std::uint8_t {
  front_end,
  linking,
  optimization,
  code_generation,
  machine_code,
  loading
};
constexpr std::size_t kBuildStages = 6;

// How long the stages of one build took, summed over all threads that worked at it. Thread-safe.
class BuildTimes {
 public:
  void add(BuildStage stage, std::uint64_t nanoseconds) noexcept;
  // "front end 41.0 ms, optimization 12.3 ms": the stages that took any time.
  std::string text() const;

 private:
  std::array<std::atomic<std::uint64_t>, kBuildStages> nanoseconds_{};
};

// During its lifetime, StageRange adds the times of the calling thread's work to `times` (if null, to none), which must outlive it. A
// thread that is started by a build continues the build of its creator:
//
//   start_thread("…", [build = BuildOfThread::current()] { const BuildOfThread of(build); … });
class BuildOfThread {
 public:
  explicit BuildOfThread(BuildTimes* times) noexcept;
  ~BuildOfThread();
  BuildOfThread(const BuildOfThread&) = delete;
  BuildOfThread& operator=(const BuildOfThread&) = delete;
  static BuildTimes* current() noexcept;

 private:
  BuildTimes* const before_;
};

// Shows work from its construction to its destruction, on the calling thread, in the timeline and as an NVTX range (base/trace/). Does
// nothing if both are off. `name` is not copied.
//
//   WorkRange work("link libdevice");
class WorkRange {
 public:
  explicit WorkRange(const char* name) noexcept;
  ~WorkRange();
  WorkRange(const WorkRange&) = delete;
  WorkRange& operator=(const WorkRange&) = delete;

  // Adds an argument to the entry in the timeline.
  template <class Value>
  void add(std::string_view name, const Value& value) {
    if (begin_) arguments_.add(name, value);
  }

 private:
  const char* const name_;
  const bool annotated_;
  std::uint64_t begin_ = 0;
  trace::Arguments arguments_;
};

// A stage of the calling thread's build, from construction to destruction: shown as a WorkRange, and counted in its BuildTimes.
//
//   const StageRange range(BuildStage::optimization);
class StageRange {
 public:
  explicit StageRange(BuildStage stage) noexcept;
  ~StageRange();
  StageRange(const StageRange&) = delete;
  StageRange& operator=(const StageRange&) = delete;

 private:
  const BuildStage stage_;
  const std::uint64_t begin_;
  const WorkRange work_;
};

}  // namespace clcuda
