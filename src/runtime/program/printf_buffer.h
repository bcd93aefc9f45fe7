// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "builtins/printf_record.h"
#include "runtime/device/stream_memory.h"

namespace clcuda {

// The buffer that one launch in flight prints into (builtins/printf_record.h), in device memory.
class PrintfBuffer {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 20;  // CL_DEVICE_PRINTF_BUFFER_SIZE

  // How large it has to be where each of so many work-items prints at most `bytes` of records; 0: nobody
  // knows how much.
  static std::size_t size_for(std::size_t items, std::uint32_t bytes) noexcept;

  // Empty when what is recorded into `stream` from now on runs. `launch`: the command that owns it, if one
  // does.
  PrintfBuffer(DeviceResources& resources, cuda::Stream& stream, std::size_t size, Watched* launch = nullptr);

  CUdeviceptr address() const { return memory_.address(); }

  // Writes what the launch printed to the standard output. The launch has ended.
  void print(const std::vector<std::string>& formats);

 private:
  std::uint32_t capacity() const {
    return static_cast<std::uint32_t>(share_.size() - sizeof(clcuda_printf_buffer));
  }

  DeviceResources& resources_;
  const PrintfMemory::Share share_;
  const StreamMemory memory_;
};

}  // namespace clcuda
