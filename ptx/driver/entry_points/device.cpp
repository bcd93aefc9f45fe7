// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/device.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>

#include "ptx/driver/entry.h"
#include "ptx/driver/process.h"

namespace clcuda::ptx::driver {

CUresult cuDeviceGetCount(int* count) {
  return entry([&] {
    required(count) = static_cast<int>(Process::get().devices().size());
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return entry([&] {
    required(device) = Process::get().device(ordinal).ordinal();
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return entry([&] {
    const std::string text = Process::get().device(device).name();
    require(name != nullptr && length > 0);
    const std::size_t copied = std::min(text.size(), static_cast<std::size_t>(length) - 1);
    std::memcpy(name, text.data(), copied);
    name[copied] = 0;
    return CUDA_SUCCESS;
  });
}

// The same in every process on a machine, as with a driver: computed from the processor's name and the ordinal.
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  return entry([&] {
    const Device& found = Process::get().device(device);
    CUuuid& out = required(uuid);
    const std::uint64_t words[] = {std::hash<std::string>()(found.name()),
                                   0xc1cda0000000ull + static_cast<std::uint64_t>(found.ordinal())};
    static_assert(sizeof words == sizeof out.bytes);
    std::memcpy(out.bytes, words, sizeof words);
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
  return entry([&] {
    required(bytes) = Process::get().device(device).memory().capacity();
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return entry([&] {
    required(can) = &Process::get().device(device) != &Process::get().device(peer);
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
