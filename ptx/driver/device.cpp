// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/device.h"

#include <cstring>
#include <functional>
#include <utility>

#include "ptx/driver/host_machine.h"

namespace clcuda::ptx::driver {

Device::Device(int ordinal, std::size_t memory_bytes)
    : ordinal_(ordinal), memory_(memory_bytes), pool_(host_machine().threads) {}

std::string Device::name() const {
  const std::string& model = host_machine().cpu_model;
  return model.empty() ? "clcuda CPU" : "clcuda CPU " + model;
}

void Device::retain() {
  MutexLock lock(mutex_);
  if (!context_) context_ = Ref<Context>::adopt(new Context(*this));
  ++retains_;
}

void Device::release() {
  Ref<Context> last;
  {
    MutexLock lock(mutex_);
    require(retains_ > 0, CUDA_ERROR_INVALID_CONTEXT);
    if (--retains_ == 0) std::swap(last, context_);
  }
  if (last) last->destroy();
}

Ref<Context> Device::context() const {
  MutexLock lock(mutex_);
  return context_;
}

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

// The same in every process on a machine, as a driver's are: made from the processor's name and the ordinal.
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
