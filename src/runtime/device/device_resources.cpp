// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_resources.h"

#include <algorithm>
#include <unordered_map>

#include "base/log.h"
#include "base/thread.h"
#include "runtime/device/device_user.h"
#include "runtime/device/stream_order.h"

namespace clcuda {
namespace {

// The number of successive idle looks of the monitor after which unused memory is returned to the driver.
constexpr int kIdleLooks = 12;

}  // namespace

DeviceResources& DeviceResources::of(Device& device) {
  DeviceResources* made = device.root().resources().load(std::memory_order_acquire);
  return made ? *made : make(device.root());
}

DeviceResources& DeviceResources::make(Device& device) {
  static constinit Mutex mutex(LockRank::device_resources_list);
  MutexLock lock(mutex);
  std::atomic<DeviceResources*>& place = device.resources();
  if (!place.load(std::memory_order_relaxed))
    place.store(new DeviceResources(device), std::memory_order_release);
  return *place.load(std::memory_order_relaxed);
}

DeviceResources::DeviceResources(Device& device)
    : DeviceLoss(device),
      device_(device),
      context_(device.context()),
      events_(context_, false),
      timing_events_(context_, true),
      reaches_host_memory_(
          device.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) != 0),
      faults_on_host_memory_(!reaches_host_memory_ &&
                             device.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) != 0) {}

void DeviceResources::launch(cuda::Stream& stream, const cuda::Function& function,
                             const cuda::LaunchShape& shape, void* parameters, std::size_t size,
                             cuda::Timing* timing) {
  memory_.reclaiming([&] { stream.launch(function, shape, parameters, size, timing); });
}

void DeviceResources::wait_for(const LastUses& uses) noexcept {
  try {
    const cuda::Current current(context_);
    for (const cuda::Event& use : uses.events)
      if (!lost()) report_error(use.wait(), "cuEventQuery");
  } catch (const std::exception& error) {
    report_error(error);
  }
}

void DeviceResources::call_behind(const LastUses& uses, const std::function<void()>& job) noexcept {
  try {
    const cuda::Current current(context_);
    const auto over = [](const cuda::Event& use) { return use.query() != CUDA_ERROR_NOT_READY; };
    if (lost() || std::ranges::all_of(uses.events, over)) return job();
    side_streams_.call(uses, job);
    if (lost()) side_streams_.device_lost();
  } catch (const std::exception& error) {
    report_error(error);
    wait_for(uses);
    job();
  }
}

void DeviceResources::retire_streams(const std::vector<cuda::Stream*>& streams, bool working) noexcept {
  const auto end = [](DeviceResources& resources, const std::vector<cuda::Stream*>& ended, bool worked) {
    for (cuda::Stream* stream : ended) resources.streams_.release(*stream);
    if (!worked) return;
    resources.device_.work_ended();
    resources.device_.reclaim();
  };
  std::function<void()> job;
  // The pool's streams are reused in rotation: if they kept their memory for tasks, eventually all of them would have some.
  for (cuda::Stream* stream : streams) task_memory_.forget(*stream);
  try {
    const cuda::Current current(context_);
    LastUses uses;
    for (cuda::Stream* stream : streams) {
      uses.streams.push_back(stream);
      uses.events.push_back(stream->mark());
    }
    job = [this, end, streams, working] { end(*this, streams, working); };
    call_behind(uses, job);
  } catch (const std::exception& error) {
    report_error(error);
    end(*this, streams, working);
  }
}

void DeviceResources::on_lost(const std::string& reason) noexcept {
  try {
    log::error("{}", device_.why_lost());
    // A separate thread, because the caller may hold a queue's lock.
    if (start_thread("clcuda-lost", [this, reason] { notify_users(reason); })) return;
  } catch (...) {
    // No memory for a copy of the reason.
  }
  // Left to the monitor, which has a thread already.
  loss_pending_ = true;
  wake_monitor();
}

void DeviceResources::notify_users(const std::string& reason) noexcept {
  try {
    const auto all = users();
    std::string kernels;
    for (const auto& [user, kept] : all) {
      const std::string names = user->kernels_in_flight();
      if (!names.empty()) kernels += (kernels.empty() ? "" : ", ") + names;
      user->abandon();
    }
    for (const auto& [user, kept] : all) user->finish_abandoned(CL_OUT_OF_RESOURCES);
    side_streams_.device_lost();
    if (!kernels.empty()) log::error("in flight when {} was lost: {}", device_.name(), kernels);
    const std::string message =
        device_.name() + " is lost: " + reason + (kernels.empty() ? "" : "; in flight: " + kernels);
    for (const auto& [user, kept] : all) user->notify_lost(message);
  } catch (const std::exception& error) {
    log::error("telling of a lost device: {}", error.what());
  }
}

// Polls the commands, which runs the epilogues of reads that no thread waits for. Those that end later than an incomplete one of the same
// stream are not polled, so that the driver is called only a few times.
void DeviceResources::ask_after(const std::vector<Ref<Watched>>& commands) {
  std::unordered_map<const cuda::Stream*, std::uint64_t> incomplete;  // the first one that is known
  for (const Ref<Watched>& command : commands) {
    const Watched::End end = command->end();
    const bool has_end = static_cast<bool>(end.event);
    const auto known = incomplete.find(end.stream);
    if (has_end && known != incomplete.end() && known->second < end.sequence) continue;
    if (!command->poll() && has_end) incomplete[end.stream] = end.sequence;
  }
}

bool DeviceResources::poll_users() noexcept {
  bool working = false, timed = false;
  try {
    if (loss_pending_.exchange(false)) notify_users("there was not enough memory to tell at once");
    if (lost()) return false;
    cuda::Current current(context_);
    std::vector<Ref<Watched>> seen;
    for (const auto& [user, kept] : users()) {
      const bool has_work = user->poll(seen);
      timed |= has_work && user->takes_times();
      working |= has_work;
    }
    if (timed) clock_.renew();
    working |= memory_.release_reached();
    ask_after(seen);
    seen.clear();
    give_back_unused(working);
    working |= idle_looks_ < kIdleLooks;  // stays awake until unused memory has been returned
  } catch (const std::exception& error) {
    report_error(error);
  }
  return working;
}

void DeviceResources::give_back_unused(bool working) noexcept {
  // take_worked(): short work may begin and end between two looks.
  idle_looks_ = device_.take_worked() || working ? 0 : idle_looks_ + 1;
  if (!working) {
    device_.reclaim();
    memory_.trim_unused();
  }
  if (idle_looks_ == kIdleLooks) memory_.trim_all_unused();
}

std::vector<UserList<DeviceUser>::Kept> DeviceResources::users() {
  MutexLock lock(users_mutex_);
  return users_.all();
}

void DeviceResources::add_user(DeviceUser& user) {
  MutexLock lock(users_mutex_);
  users_.add(user);
}

void DeviceResources::remove_user(DeviceUser& user) noexcept {
  MutexLock lock(users_mutex_);
  users_.remove(user);
}

}  // namespace clcuda
