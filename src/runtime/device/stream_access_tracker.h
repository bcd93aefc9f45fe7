// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/stream.h"
#include "runtime/device/side_streams.h"

namespace clcuda {

// What streams do with a piece of a device's memory: streams of that device, and those of others that copy
// from there. Not locked: it belongs to what owns the memory.
class StreamAccessTracker {
 public:
  // The last thing we did there ourselves (allocation, migration) is what has been recorded into `stream` so
  // far.
  void set_ready(cuda::Stream& stream);
  // The same for somebody who has not just waited until it is ready: another stream may have written
  // meanwhile.
  void put_ready_behind(cuda::Stream& stream);
  // What is recorded into `stream` from now on comes behind that.
  void wait_until_ready(cuda::Stream& stream);

  void record_access(cuda::Stream& stream);
  void forget() { *this = {}; }
  const std::vector<cuda::Stream*>& users() const { return users_; }
  // Adds what the users hold now.
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
