// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "runtime/device/device_resources.h"

namespace clcuda {

// Device memory for work in one stream, freed by the destructor in stream order.
//
//   const StreamMemory packed(resources, size, stream);
//   stream.copy_box(…);
class StreamMemory {
 public:
  // The context is current, here and below.
  StreamMemory(DeviceResources& resources, std::size_t size, cuda::Stream& stream,
               DeviceMemory::Sharing sharing = DeviceMemory::Sharing::own_device)
      : resources_(resources),
        users_{&stream},
        address_(resources.memory().allocate(size, stream, sharing)) {}
  ~StreamMemory() {
    if (address_) resources_.memory().free(address_, users_);
  }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  CUdeviceptr address() const { return address_; }
  // The memory is freed after the work in this stream, too.
  void also_used_by(cuda::Stream& stream) { users_.push_back(&stream); }
  // Transfers ownership of the memory to the caller.
  CUdeviceptr release() { return std::exchange(address_, 0); }

 private:
  DeviceResources& resources_;
  std::vector<cuda::Stream*> users_;
  CUdeviceptr address_;
};

}  // namespace clcuda
