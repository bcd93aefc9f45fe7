// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <cstddef>

namespace test {

// The memory of the first GPU that all processes use, as reported by its driver. The CPU device uses the memory of the process.
//
//   const test::DeviceMemory memory;
//   if (memory.is_known()) std::printf("%ld KiB\n", memory.used_kib());
class DeviceMemory {
 public:
  DeviceMemory() {
    driver_ = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver_ || !call<int(unsigned)>("cuInit", 0) ||
        !call<int(void**, int)>("cuDevicePrimaryCtxRetain", &context_, 0))
      context_ = nullptr;
  }
  bool is_known() const { return context_ != nullptr; }
  // Negative if the driver does not report it.
  long used_kib() const {
    std::size_t free = 0, total = 0;
    void* before = nullptr;
    if (!context_ || !call<int(void*)>("cuCtxPushCurrent_v2", context_)) return -1;
    const bool answered = call<int(std::size_t*, std::size_t*)>("cuMemGetInfo_v2", &free, &total);
    call<int(void**)>("cuCtxPopCurrent_v2", &before);
    return answered && total > 0 ? static_cast<long>((total - free) >> 10) : -1;
  }

 private:
  template <class Function, class... Arguments>
  bool call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Function*>(dlsym(driver_, name));
    return function && function(arguments...) == 0;
  }
  void* driver_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace test
