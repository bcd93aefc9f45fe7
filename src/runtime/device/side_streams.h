// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "cuda/stream.h"

namespace clcuda {

// The uses of an object (memory, for instance) that are in streams at some point in time. They have completed when all events have
// happened.
struct LastUses {
  std::vector<const cuda::Stream*> streams;
  std::vector<cuda::Event> events;
};

// A few streams that wait for other streams, so that no thread has to: for freeing memory that several streams used, and for host work
// after such uses. Work after the same streams goes into the same side stream. Unrelated work may share a side stream, which orders it;
// therefore only work for which no thread waits may go into side streams.
class SideStreams {
 public:
  explicit SideStreams(cuda::EventPool& events) : events_(events) {}
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  // A stream whose next work is ordered after all work now in `users`, which may belong to several devices. A context is current.
  cuda::Stream& behind(std::span<cuda::Stream* const> users);
  // Calls `job` on a worker thread after the uses have completed, or in device_lost(). A context is current. If this throws, the job is not
  // called.
  void call(const LastUses& uses, std::function<void()> job);
  // The streams that exist.
  std::vector<CUstream> handles();
  // Calls the pending jobs: a lost device no longer executes work in streams.
  void device_lost() noexcept;

 private:
  struct Call;
  static constexpr std::size_t kStreams = 4;
  using Streams = std::array<std::unique_ptr<cuda::Stream>, kStreams>;

  cuda::Stream& stream_for(std::size_t key);
  void begin(std::shared_ptr<Call> call) noexcept;

  cuda::EventPool& events_;
  Mutex mutex_ LOCK_RANK(side_streams);
  Streams streams_ GUARDED_BY(mutex_);                                  // created on first use
  std::unordered_set<std::shared_ptr<Call>> calls_ GUARDED_BY(mutex_);  // jobs not yet begun
};

}  // namespace clcuda
