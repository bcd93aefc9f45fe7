// SPDX-License-Identifier: Apache-2.0
// The CPU device's driver as a busy machine with busy GPUs has it: any call may take long before and after it does its work, and so may the
// streams' work begin late. What is right only if a thread is not interrupted between two calls, or if the device is quick, fails. It also
// refuses what a GPU's driver does not always notice: a copy from another device's memory pool to which access has not been granted yet.
//
// The library takes the devices for GPUs where it asks what they are: the first blocks of pools are those for chips, waits poll, pageable
// memory is transferred through page-locked blocks, and in every second process kernels access it by page faults.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include "cuda/context.h"
#include "cuda/memory.h"
#include "support/driver_functions.h"

using clcuda::cuda::DeviceContext;
using clcuda::cuda::HostRegistrations;
using clcuda::cuda::MemoryPool;
using clcuda::cuda::Waiting;

// Constructors that the linker redirects here (--wrap).
void make_pool(void* self, const DeviceContext& context, MemoryPool::Style style) __asm__(
    "__real__ZN6clcuda4cuda10MemoryPoolC1ERKNS0_13DeviceContextENS1_5StyleE");
void make_pool_of_chip(void* self, const DeviceContext& context, MemoryPool::Style) __asm__(
    "__wrap__ZN6clcuda4cuda10MemoryPoolC1ERKNS0_13DeviceContextENS1_5StyleE");
void make_pool_of_chip(void* self, const DeviceContext& context, MemoryPool::Style) {
  make_pool(self, context, MemoryPool::Style::for_chips);
}
void make_context(void* self, const clcuda::cuda::DriverTable& driver, int device, Waiting waiting, HostRegistrations& registrations) __asm__(
    "__real__ZN6clcuda4cuda13DeviceContextC1ERKNS0_11DriverTableEiNS0_7WaitingERNS0_17HostRegistrationsE");
void make_context_of_chip(void* self, const clcuda::cuda::DriverTable& driver, int device, Waiting, HostRegistrations& registrations) __asm__(
    "__wrap__ZN6clcuda4cuda13DeviceContextC1ERKNS0_11DriverTableEiNS0_7WaitingERNS0_17HostRegistrationsE");
void make_context_of_chip(void* self, const clcuda::cuda::DriverTable& driver, int device, Waiting,
                          HostRegistrations& registrations) {
  make_context(self, driver, device, Waiting::by_asking, registrations);
}

namespace {

const bool kEnvironmentIsSet =
    setenv("CLCUDA_DEVICES", "cpu,cpu", 1) == 0 && setenv("CLCUDA_TEST_DEVICE", "cpu", 1) == 0;

using clcuda::cuda::DriverTable;
using std::chrono::microseconds;

DriverTable sound;

// One of `rarity` calls takes up to two milliseconds longer, a few much more, as when a thread is not given a processor.
microseconds some_delay(unsigned rarity) {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local std::mt19937_64 random(std::random_device{}() + 0x9e3779b97f4a7c15 * ++threads);
  const std::uint64_t bits = random();
  if (bits % rarity) return {};
  return microseconds(bits >> 32 & 0x1f ? bits >> 40 & 0x7ff : 20'000);
}

void pause() {
  constexpr unsigned kRarity = 24;
  if (const microseconds delay = some_delay(kRarity); delay.count()) std::this_thread::sleep_for(delay);
}

// Before the work that is submitted next.
void stall(CUstream stream) {
  constexpr unsigned kRarity = 12;
  const microseconds delay = some_delay(kRarity);
  if (!delay.count()) return;
  const auto sleep = [](void* time) {
    std::this_thread::sleep_for(microseconds(reinterpret_cast<std::intptr_t>(time)));
  };
  sound.cuLaunchHostFunc(stream, sleep, reinterpret_cast<void*>(delay.count()));
}

constexpr bool is_quick(std::string_view name) {
  return name.starts_with("cuGetError") || name.starts_with("cuCtxSetCurrent") ||
         name.starts_with("cuCtxGetCurrent") || name.starts_with("cuDeviceGet");
}

constexpr bool submits(std::string_view name) {
  return name.ends_with("Async") || name == "cuEventRecord" || name == "cuStreamWaitEvent" ||
         name == "cuLaunchHostFunc";
}

// By the stream among the arguments of a function that submits work.
template <class... Arguments>
void stall_stream(const Arguments&... arguments) {
  const auto stall_if_stream = [](const auto& argument) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(argument)>, CUstream>) stall(argument);
  };
  (stall_if_stream(arguments), ...);
}

template <test::DriverFunction kFunction, auto kMember>
struct Delayed;

template <test::DriverFunction kFunction, class... Arguments, CUresult (*DriverTable::*kMember)(Arguments...)>
struct Delayed<kFunction, kMember> {
  static CUresult call(Arguments... arguments) {
    constexpr std::string_view kName = test::name_of(kFunction);
    if constexpr (is_quick(kName)) return (sound.*kMember)(arguments...);
    pause();
    if constexpr (submits(kName)) stall_stream(arguments...);
    const CUresult result = (sound.*kMember)(arguments...);
    pause();
    return result;
  }
};

CUresult launch(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  pause();
  stall(config->hStream);
  const CUresult result = sound.cuLaunchKernelEx(config, function, parameters, extra);
  pause();
  return result;
}

// The pools' memory and the devices that have access to it.
class Pools {
 public:
  void add(CUdeviceptr address, std::size_t size, CUmemoryPool pool) {
    const std::lock_guard lock(mutex_);
    blocks_[address] = {size, pool};
  }
  void remove(CUdeviceptr address) {
    const std::lock_guard lock(mutex_);
    blocks_.erase(address);
  }
  void made(CUmemoryPool pool, int device) {
    const std::lock_guard lock(mutex_);
    accesses_[pool] = {device};
  }
  void grant(CUmemoryPool pool, int device) {
    const std::lock_guard lock(mutex_);
    accesses_[pool].insert(device);
  }
  bool has_access(CUdeviceptr address, int device) {
    const std::lock_guard lock(mutex_);
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return true;
    const auto& [begin, block] = *std::prev(after);
    return address - begin >= block.size || accesses_[block.pool].contains(device);
  }

 private:
  struct Block {
    std::size_t size;
    CUmemoryPool pool;
  };
  std::mutex mutex_;
  std::map<CUdeviceptr, Block> blocks_;
  std::map<CUmemoryPool, std::set<int>> accesses_;
};

Pools& pools() {
  static Pools& all = *new Pools;
  return all;
}

CUresult create_pool(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  const CUresult result = sound.cuMemPoolCreate(pool, properties);
  if (result == CUDA_SUCCESS) pools().made(*pool, properties->location.id);
  pause();
  return result;
}

CUresult allocate(CUdeviceptr* address, std::size_t size, CUmemoryPool pool, CUstream stream) {
  pause();
  const CUresult result = sound.cuMemAllocFromPoolAsync(address, size, pool, stream);
  if (result == CUDA_SUCCESS) pools().add(*address, size, pool);
  pause();
  return result;
}

CUresult free_memory(CUdeviceptr address, CUstream stream) {
  pause();
  stall(stream);
  pools().remove(address);
  const CUresult result = sound.cuMemFreeAsync(address, stream);
  pause();
  return result;
}

CUresult set_access(CUmemoryPool pool, const CUmemAccessDesc* access, std::size_t count) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const CUresult result = sound.cuMemPoolSetAccess(pool, access, count);
  for (std::size_t i = 0; i < count && result == CUDA_SUCCESS; ++i)
    pools().grant(pool, access[i].location.id);
  return result;
}

CUresult copy_between_peers(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                            std::size_t size, CUstream stream) {
  pause();
  stall(stream);
  CUcontext current = nullptr;
  sound.cuCtxGetCurrent(&current);
  static std::mutex mutex;
  static std::map<CUcontext, int> devices;  // of primary contexts
  const auto device_of = [](CUcontext context) {
    const std::lock_guard lock(mutex);
    for (int device = 0; !devices.contains(context); ++device) {
      CUcontext primary = nullptr;
      if (sound.cuDevicePrimaryCtxRetain(&primary, device) != CUDA_SUCCESS) return -1;
      sound.cuDevicePrimaryCtxRelease(device);
      devices[primary] = device;
    }
    return devices[context];
  };
  for (const auto& [address, owner] : {std::pair{to, to_context}, std::pair{from, from_context}})
    if (owner != current && !pools().has_access(address, device_of(current))) {
      std::fprintf(stderr, "a copy between devices before access has been granted\n");
      std::abort();
    }
  return sound.cuMemcpyPeerAsync(to, to_context, from, from_context, size, stream);
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& made) {
    if (!kEnvironmentIsSet) std::abort();
    if (getpid() % 2)
      leave_host_page_tables<PageableAccess::none>(made);
    else
      leave_host_page_tables<PageableAccess::page_faults>(made);
    sound = made;
    wrap_every_function<Delayed>(made);
    made.cuLaunchKernelEx = launch;
    made.cuMemPoolCreate = create_pool;
    made.cuMemAllocFromPoolAsync = allocate;
    made.cuMemFreeAsync = free_memory;
    made.cuMemPoolSetAccess = set_access;
    made.cuMemcpyPeerAsync = copy_between_peers;
  });
}
