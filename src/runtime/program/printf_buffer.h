// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/device/stream_memory.h"

namespace clcuda {

// The buffer that one launch in flight prints into (builtins/printf_record.h), in device memory.
class PrintfBuffer {
 public:
  static constexpr std::size_t kSize = std::size_t{1} << 20;  // CL_DEVICE_PRINTF_BUFFER_SIZE

  // Empty when what is recorded into `stream` from now on runs.
  PrintfBuffer(DeviceResources& resources, cuda::Stream& stream);

  CUdeviceptr address() const { return memory_.address(); }

  // Writes what the launch printed to the standard output. The launch has ended.
  void print(const std::vector<std::string>& formats);

 private:
  DeviceResources& resources_;
  const StreamMemory memory_;
};

}  // namespace clcuda
