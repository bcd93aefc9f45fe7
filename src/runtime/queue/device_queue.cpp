// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/device_queue.h"

#include <atomic>
#include <map>
#include <utility>

#include "runtime/platform/device.h"

namespace clcuda {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// Default queues are few and rarely looked up. They are not kept alive: a queue that the application releases is no longer a default.
struct Defaults {
  Mutex mutex LOCK_RANK(device_queues);
  std::map<std::pair<const Context*, const Device*>, WeakHandle<DeviceQueue>> queues GUARDED_BY(mutex);
  // Whether there ever was one. Launches of programs without device queues take no lock.
  std::atomic<bool> any = false;

  WeakHandle<DeviceQueue>& of(const Context& context, const Device& device) REQUIRES(mutex) {
    any.store(true, std::memory_order_relaxed);
    return queues[{&context, &device}];
  }
};

Defaults& defaults() {
  static Defaults& all = *new Defaults;
  return all;
}

}  // namespace

DeviceQueue::DeviceQueue(Context& context, Device& device, cl_command_queue_properties properties,
                         cl_uint size, std::vector<cl_queue_properties> property_list)
    : Object(kType, context),
      context_(context),
      device_(device),
      properties_(properties),
      property_list_(std::move(property_list)),
      size_(size),
      number_(next_number()) {}

DeviceQueue::~DeviceQueue() {
  Defaults& all = defaults();
  MutexLock lock(all.mutex);
  const auto found = all.queues.find({context_.get(), &device_});
  if (found != all.queues.end() && found->second.find() == this) all.queues.erase(found);
}

// A queue whose last reference is gone waits for the lock in its destructor, so it still exists here, but cannot be held any more.
Ref<DeviceQueue> DeviceQueue::default_of(const Context& context, const Device& device) {
  Defaults& all = defaults();
  if (!all.any.load(std::memory_order_relaxed)) return {};
  MutexLock lock(all.mutex);
  const auto found = all.queues.find({&context, &device});
  DeviceQueue* present = found == all.queues.end() ? nullptr : found->second.find();
  return present ? Ref<DeviceQueue>::try_hold(*present) : Ref<DeviceQueue>();
}

Ref<DeviceQueue> DeviceQueue::default_or_this() {
  Defaults& all = defaults();
  MutexLock lock(all.mutex);
  WeakHandle<DeviceQueue>& place = all.of(*context_, device_);
  if (DeviceQueue* present = place.find())
    if (Ref<DeviceQueue> held = Ref<DeviceQueue>::try_hold(*present)) return held;
  place = WeakHandle<DeviceQueue>(*this);
  return Ref<DeviceQueue>(*this);
}

void DeviceQueue::make_default() {
  Defaults& all = defaults();
  MutexLock lock(all.mutex);
  all.of(*context_, device_) = WeakHandle<DeviceQueue>(*this);
}

}  // namespace clcuda
