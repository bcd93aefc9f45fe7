// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/trace/event_text.h"

namespace clcuda::trace {

// The row of the calling thread. The first call on a thread also writes the thread's name to the timeline.
Track thread_track() noexcept;

// During its lifetime, the work of the calling thread is shown in the row `track`, that of a thread that waits for this work.
//
//   start_thread("…", [track = trace::thread_track()] { const trace::OnTrack on(track); … });
class OnTrack {
 public:
  explicit OnTrack(const Track& track) noexcept;
  ~OnTrack();
  OnTrack(const OnTrack&) = delete;
  OnTrack& operator=(const OnTrack&) = delete;

 private:
  const Track before_;
};

}  // namespace clcuda::trace
