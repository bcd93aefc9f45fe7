// SPDX-License-Identifier: Apache-2.0
#include "base/build_stage.h"

#include <fmt/format.h>

#include <exception>

#include "base/host_time.h"
#include "base/trace/nvtx.h"
#include "base/trace/thread_track.h"
#include "base/trace/trace.h"
#include "base/trace/writer.h"

namespace clcuda {
namespace {

constexpr const char* kNames[kBuildStages] = {"front end",       "linking",      "optimization",
                                              "code generation", "machine code", "loading"};

constinit thread_local BuildTimes* build_of_thread = nullptr;

}  // namespace

void BuildTimes::add(BuildStage stage, std::uint64_t nanoseconds) noexcept {
  nanoseconds_[static_cast<std::size_t>(stage)].fetch_add(nanoseconds, std::memory_order_relaxed);
}

std::string BuildTimes::text() const {
  std::string text;
  for (std::size_t i = 0; i < kBuildStages; ++i)
    if (const std::uint64_t time = nanoseconds_[i].load(std::memory_order_relaxed))
      text += fmt::format("{}{} {:.1f} ms", text.empty() ? "" : ", ", kNames[i],
                          static_cast<double>(time) * 1e-6);
  return text;
}

BuildOfThread::BuildOfThread(BuildTimes* times) noexcept : before_(build_of_thread) {
  build_of_thread = times;
}
BuildOfThread::~BuildOfThread() { build_of_thread = before_; }
BuildTimes* BuildOfThread::current() noexcept { return build_of_thread; }

WorkRange::WorkRange(const char* name) noexcept : name_(name), annotated_(trace::annotating()) {
  if (annotated_) trace::nvtx::push(name);
  if (trace::recording()) begin_ = host_time();
}

WorkRange::~WorkRange() {
  if (annotated_) trace::nvtx::pop();
  if (begin_ == 0) return;
  try {
    trace::EventText text;
    text.add({.track = trace::thread_track(),
              .category = "build",
              .name = name_,
              .begin = begin_,
              .end = host_time(),
              .arguments = arguments_.text()});
    trace::append(text);
  } catch (const std::exception&) {
    trace::count_left_out(1);
  }
}

StageRange::StageRange(BuildStage stage) noexcept
    : stage_(stage), begin_(host_time()), work_(kNames[static_cast<std::size_t>(stage)]) {}

StageRange::~StageRange() {
  if (build_of_thread) build_of_thread->add(stage_, host_time() - begin_);
}

}  // namespace clcuda
