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

// What streams hold of something at one time: the events happen when that is done.
struct LastUses {
  std::vector<const cuda::Stream*> streams;
  std::vector<cuda::Event> events;
};

// A few streams in which waits for other streams end, so that no thread does the waiting: for memory that several streams used, and for
// whatever is to be done on the host. What comes behind the same streams goes into the same one. Others that share it by chance come
// behind each other, too: it is for what nobody waits for.
class SideStreams {
 public:
  explicit SideStreams(cuda::EventPool& events) : events_(events) {}
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  // What is recorded next comes behind all that the users hold now. They may be of several devices; a context is current.
  cuda::Stream& behind(std::span<cuda::Stream* const> users);
  // Has a worker do `job` behind the uses; where the device is lost meanwhile, device_lost() does. A context is current.
  // Throws where there is no way to learn when that is, with the job undone.
  void call(const LastUses& uses, std::function<void()> job);
  // Of those that there are.
  std::vector<CUstream> handles();
  // From then on nothing happens in streams any more.
  void device_lost() noexcept;

 private:
  struct Call;
  static constexpr std::size_t kStreams = 4;
  using Streams = std::array<std::unique_ptr<cuda::Stream>, kStreams>;

  cuda::Stream& stream_for(std::size_t key);
  void begin(const std::shared_ptr<Call>& call) noexcept;

  cuda::EventPool& events_;
  Mutex mutex_ LOCK_RANK(side_streams);
  Streams streams_ GUARDED_BY(mutex_);                                  // once one is needed
  std::unordered_set<std::shared_ptr<Call>> calls_ GUARDED_BY(mutex_);  // those not yet begun
};

}  // namespace clcuda
