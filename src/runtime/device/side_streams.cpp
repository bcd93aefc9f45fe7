// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/side_streams.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "runtime/device/host_worker_pool.h"
#include "runtime/device/stream_order.h"

namespace clcuda {
namespace {

// Does not depend on the order of the streams.
template <class Streams>
std::size_t key_of(const Streams& streams) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
  std::uint64_t sum = 0;
  for (const cuda::Stream* stream : streams) sum += reinterpret_cast<std::uintptr_t>(stream) * kSpread;
  return static_cast<std::size_t>(sum >> 32);
}

}  // namespace

struct SideStreams::Call {
  SideStreams& streams;
  const std::function<void()> job;
};

cuda::Stream& SideStreams::stream_for(std::size_t key) {
  const std::size_t index = key % kStreams;
  {
    MutexLock lock(mutex_);
    if (streams_[index]) return *streams_[index];
  }
  Streams made;  // created without the lock: the driver may take long
  for (auto& stream : made) stream = std::make_unique<cuda::Stream>(events_);
  MutexLock lock(mutex_);
  if (!streams_[index]) streams_.swap(made);
  return *streams_[index];
}

cuda::Stream& SideStreams::behind(std::span<cuda::Stream* const> users) {
  cuda::Stream& stream = stream_for(key_of(users));
  wait_for(stream, users);
  return stream;
}

void SideStreams::call(const LastUses& uses, std::function<void()> job) {
  cuda::Stream& stream = stream_for(key_of(uses.streams));
  const auto call = std::make_shared<Call>(Call{*this, std::move(job)});
  auto owner = std::make_unique<std::shared_ptr<Call>>(call);
  {
    MutexLock lock(mutex_);
    calls_.insert(call);
  }
  try {
    wait_for(stream, uses.events);
    stream.call_on_host(
        [](void* data) {
          const std::unique_ptr<std::shared_ptr<Call>> mine(static_cast<std::shared_ptr<Call>*>(data));
          SideStreams& streams = (*mine)->streams;
          streams.begin(std::move(*mine));
        },
        owner.get());
    (void)owner.release();  // the host function owns it now
  } catch (const std::exception&) {
    MutexLock lock(mutex_);
    if (calls_.erase(call)) throw;
  }
}

// Called by the host function and by device_lost(); only the first call for a Call has an effect. The job and what it owns always end on a
// worker's thread: their destructors call the driver, which a host function may not.
void SideStreams::begin(std::shared_ptr<Call> call) noexcept {
  bool is_first = false;
  {
    MutexLock lock(mutex_);
    is_first = calls_.erase(call);
  }
  try {
    HostWorkerPool::post([call = std::move(call), is_first] {
      if (is_first) call->job();
    });
  } catch (const std::exception& error) {
    log::error("what comes behind released objects is not done: {}", error.what());
  }
}

std::vector<CUstream> SideStreams::handles() {
  std::vector<CUstream> all;
  MutexLock lock(mutex_);
  for (const auto& stream : streams_)
    if (stream) all.push_back(stream->handle());
  return all;
}

void SideStreams::device_lost() noexcept {
  for (;;) {
    std::shared_ptr<Call> call;
    {
      MutexLock lock(mutex_);
      if (calls_.empty()) return;
      call = *calls_.begin();
    }
    begin(call);
  }
}

}  // namespace clcuda
