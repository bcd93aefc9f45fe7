// SPDX-License-Identifier: Apache-2.0
#include "base/trace/thread_track.h"

#include <pthread.h>
#include <unistd.h>

#include "base/trace/writer.h"

namespace clcuda::trace {
namespace {

constinit thread_local Track track;

Track add_track() noexcept {
  const Track added{static_cast<std::uint32_t>(getpid()), static_cast<std::uint32_t>(gettid())};
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  try {
    EventText text;
    text.name_thread(added, name, added.thread);
    append(text);
  } catch (const std::exception&) {
    count_left_out(1);  // the row is shown by its number
  }
  return added;
}

}  // namespace

Track thread_track() noexcept {
  if (track.process == 0) track = add_track();
  return track;
}

OnTrack::OnTrack(const Track& other) noexcept : before_(track) { track = other; }
OnTrack::~OnTrack() { track = before_; }

}  // namespace clcuda::trace
