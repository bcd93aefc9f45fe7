// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace test {

// The memory of the first GPU, as reported by its driver. The CPU device uses the memory of the process.
//
//   const test::DeviceMemory memory;
//   if (memory.is_known()) std::printf("%ld KiB\n", memory.used_kib());
class DeviceMemory {
 public:
  DeviceMemory() {
    if (!driver_ || !call<int(unsigned)>(driver_, "cuInit", 0) ||
        !call<int(void**, int)>(driver_, "cuDevicePrimaryCtxRetain", &context_, 0))
      context_ = nullptr;
    std::array<char, 32> bus{};
    if (!context_ || !management_ || !call<int()>(management_, "nvmlInit_v2") ||
        !call<int(char*, int, int)>(driver_, "cuDeviceGetPCIBusId", bus.data(), static_cast<int>(bus.size()),
                                    0) ||
        !call<int(const char*, void**)>(management_, "nvmlDeviceGetHandleByPciBusId_v2", bus.data(),
                                        &device_))
      device_ = nullptr;
  }
  bool is_known() const { return context_ != nullptr; }
  // What all processes and the driver use. Negative if it is not reported.
  long used_kib() const {
    std::size_t free = 0, total = 0;
    void* before = nullptr;
    if (!context_ || !call<int(void*)>(driver_, "cuCtxPushCurrent_v2", context_)) return -1;
    const bool answered = call<int(std::size_t*, std::size_t*)>(driver_, "cuMemGetInfo_v2", &free, &total);
    call<int(void**)>(driver_, "cuCtxPopCurrent_v2", &before);
    return answered && total > 0 ? static_cast<long>((total - free) >> 10) : -1;
  }
  // What the driver attributes to a process. Negative if it is not reported, as in containers that do not know its number.
  long used_by_kib(pid_t process) const {
    std::vector<Process> all(256);
    auto count = static_cast<unsigned>(all.size());
    if (!device_ || !call<int(void*, unsigned*, Process*)>(
                        management_, "nvmlDeviceGetComputeRunningProcesses_v3", device_, &count, all.data()))
      return -1;
    all.resize(count);
    const auto found = std::ranges::find(all, static_cast<unsigned>(process), &Process::id);
    constexpr auto kUnknown = static_cast<unsigned long long>(-1);
    return found == all.end() || found->bytes == kUnknown ? -1 : static_cast<long>(found->bytes >> 10);
  }

 private:
  struct Process {  // nvmlProcessInfo_t
    unsigned id;
    unsigned long long bytes;
    unsigned gpu_instance, compute_instance;
  };

  template <class Function, class... Arguments>
  static bool call(void* library, const char* name, Arguments... arguments) {
    const auto function = reinterpret_cast<Function*>(dlsym(library, name));
    return function && function(arguments...) == 0;
  }
  void* driver_ = dlopen("libcuda.so.1", RTLD_NOW);
  void* management_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  void* context_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace test
