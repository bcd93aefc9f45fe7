// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/stream.h"
#include "runtime/device/side_streams.h"

namespace clcuda {

// The streams that access a range of a device's memory: those of the device, and those of other devices that copy from it. Not thread-safe:
// the owner of the memory must guard it.
class StreamAccessTracker {
 public:
  // The memory is ready (allocated, migrated) after the work that is now in `stream`.
  void set_ready(cuda::Stream& stream);
  // The same, but first makes `stream` wait for the previous point. For a caller whose stream may not have waited for it, while another
  // stream may have written since.
  void put_ready_behind(cuda::Stream& stream);
  // Orders the next work in `stream` after that point.
  void wait_until_ready(cuda::Stream& stream);

  // To be called when work that accesses the memory has been submitted.
  void record_access(cuda::Stream& stream);
  void forget() { *this = {}; }  // of memory that has been freed
  const std::vector<cuda::Stream*>& users() const { return users_; }
  // Adds the work that is now in the users' streams.
  void mark(LastUses& uses) const noexcept;

 private:
  cuda::Event ready_;
  cuda::Stream* ready_stream_ = nullptr;
  cuda::Stream* waited_ = nullptr;  // the last stream that was made to wait for it
  unsigned waits_ = 0;
  cuda::Stream* last_ = nullptr;  // the stream of the last use: one of `users_`
  std::vector<cuda::Stream*> users_;
};

}  // namespace clcuda
