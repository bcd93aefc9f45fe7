// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/process.h"

#include <pthread.h>

#include <algorithm>

#include "base/mutex.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"
#include "ptx/driver/host_function.h"
#include "ptx/driver/host_machine.h"
#include "ptx/driver/primary_context.h"
#include "ptx/driver/registered_memory.h"

namespace clcuda::ptx::driver {
namespace {

enum class Phase : int { uninitialised, initialised, forked_child };

constexpr int kUndecided = -1;
std::atomic<int> wanted_devices{kUndecided};
std::atomic<Phase> current_phase{Phase::uninitialised};
std::atomic<Process*> instance{nullptr};

Mutex& initialise_mutex() {
  static Mutex& mutex = *new Mutex(LockRank::executor_process);
  return mutex;
}

}  // namespace

void Process::set_device_count(int count) noexcept {
  int expected = kUndecided;
  wanted_devices.compare_exchange_strong(expected, std::max(count, 0));
}

CUresult Process::phase() noexcept {
  return current_phase.load(std::memory_order_acquire) == Phase::initialised ? CUDA_SUCCESS
                                                                             : CUDA_ERROR_NOT_INITIALIZED;
}

Process& Process::get() noexcept { return *instance.load(std::memory_order_acquire); }

CUresult Process::initialise() {
  // Tested before locking: in a forked child, the mutex may be held by a thread that does not exist there.
  if (current_phase.load() == Phase::forked_child) return CUDA_ERROR_NOT_INITIALIZED;
  MutexLock lock(initialise_mutex());
  if (current_phase.load() == Phase::initialised) return CUDA_SUCCESS;
  const int devices = std::max(wanted_devices.load(), 0);
  if (devices == 0) return CUDA_ERROR_NO_DEVICE;
  instance.store(new Process(devices), std::memory_order_release);
  pthread_atfork(nullptr, nullptr, [] { current_phase.store(Phase::forked_child); });
  current_phase.store(Phase::initialised, std::memory_order_release);
  return CUDA_SUCCESS;
}

Process::Process(int device_count)
    : registered_memory_(std::make_unique<RegisteredMemory>()),
      host_functions_(std::make_unique<HostFunctionThreads>()),
      tier_up_compiler_(std::make_unique<TierUpCompiler>()) {
  // The devices together get half of the memory; the other half is for the program and for host allocations, so that filling the devices
  // does not exhaust the machine.
  const std::size_t memory = host_machine().memory_bytes;
  const std::size_t each =
      memory / 2 / static_cast<std::size_t>(device_count) & ~((std::size_t{1} << 20) - 1);
  for (int ordinal = 0; ordinal < device_count; ++ordinal)
    devices_.push_back(std::make_unique<Device>(ordinal, each));
  host_memory_ = std::make_unique<Arena>(memory);
  for (const auto& device : devices_)
    primary_contexts_.push_back(
        std::make_unique<PrimaryContextSlot>(*device, *host_memory_, *registered_memory_));
}

Device& Process::device(CUdevice ordinal) const {
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= devices_.size()) refuse(CUDA_ERROR_INVALID_DEVICE);
  return *devices_[static_cast<std::size_t>(ordinal)];
}

PrimaryContextSlot& Process::primary_context(const Device& device) const {
  return *primary_contexts_[static_cast<std::size_t>(device.ordinal())];
}

Arena* Process::arena_of(CUdeviceptr address) const noexcept {
  for (const auto& device : devices_)
    if (device->memory().covers(address)) return &device->memory();
  return host_memory_->covers(address) ? host_memory_.get() : nullptr;
}

}  // namespace clcuda::ptx::driver
