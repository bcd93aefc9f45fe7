// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "builtins/printf_record.h"
#include "runtime/device/stream_memory.h"

namespace clcuda {

// The printf buffer of one launch in flight (builtins/printf_record.h), in device memory.
class PrintfBuffer {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 20;  // CL_DEVICE_PRINTF_BUFFER_SIZE

  // The buffer's size for this many work-items, each of which prints at most `bytes` of records (KernelCode::printf_bytes; 0: unknown).
  static std::size_t size_for(std::size_t items, std::uint32_t bytes) noexcept;

  // The buffer is cleared by `stream`, before its next work. `launch`: the command that owns the buffer, or null.
  PrintfBuffer(DeviceResources& resources, cuda::Stream& stream, std::size_t size, Watched* launch = nullptr);

  CUdeviceptr address() const { return memory_.address(); }

  // Copies the launch's output from the device; returns whether there is any. The launch must have completed.
  bool fetch();
  // The same, and writes it to standard output.
  void print(const std::vector<std::string>& formats);

 private:
  std::uint32_t capacity() const {
    return static_cast<std::uint32_t>(share_.size() - sizeof(clcuda_printf_buffer));
  }

  DeviceResources& resources_;
  const PrintfMemory::Share share_;
  const StreamMemory memory_;
  cuda::PinnedBlock fetched_;  // what fetch() has copied, and its beginning
  clcuda_printf_buffer head_{};
};

}  // namespace clcuda
