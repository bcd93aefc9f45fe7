// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

// Whether the environment enables a timeline in a file (CLCUDA_TRACE) or ranges for NVIDIA's profilers (CLCUDA_NVTX). docs/tracing.md
// describes their contents.
namespace clcuda::trace {

namespace state {
extern constinit std::atomic<bool> recording, annotating, complete;
}  // namespace state

// True if there is a timeline. While tracing is off, this test is its only cost.
inline bool recording() noexcept { return state::recording.load(std::memory_order_relaxed); }
// True if there are NVTX ranges.
inline bool annotating() noexcept { return state::annotating.load(std::memory_order_relaxed); }
// True if no event may be left out of the timeline (CLCUDA_TRACE_ALL).
inline bool is_complete() noexcept { return state::complete.load(std::memory_order_relaxed); }
inline bool active() noexcept { return recording() || annotating(); }

}  // namespace clcuda::trace
