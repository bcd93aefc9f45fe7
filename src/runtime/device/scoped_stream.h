// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device/device_resources.h"

namespace clcuda {

// A stream for internal work, which is not lent to other users during the lifetime of this object.
//
//   ScopedStream stream(resources);
//   stream->copy_to_host(data, address, size);
class ScopedStream {
 public:
  explicit ScopedStream(DeviceResources& resources, const cuda::Partition* partition = nullptr)
      : resources_(resources), stream_(resources.streams().acquire(partition)) {}
  ~ScopedStream() { resources_.streams().release(stream_); }
  ScopedStream(const ScopedStream&) = delete;
  ScopedStream& operator=(const ScopedStream&) = delete;
  cuda::Stream& operator*() const { return stream_; }
  cuda::Stream* operator->() const { return &stream_; }

 private:
  DeviceResources& resources_;
  cuda::Stream& stream_;
};

}  // namespace clcuda
