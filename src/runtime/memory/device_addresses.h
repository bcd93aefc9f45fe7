// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "cuda/context.h"
#include "runtime/object.h"

namespace clcuda {

// The buffers of a context whose addresses the application knows (cl_ext_buffer_device_address), by any
// address in one, on any device.
class DeviceAddresses {
 public:
  // Bytes of a device's memory that are the buffer's, until remove().
  void add(CUdeviceptr begin, std::size_t size, Object& buffer);
  // In the buffer's destructor.
  void remove(CUdeviceptr begin, const Object& buffer) noexcept;
  // Nothing where there is none, or where it is being destroyed.
  Ref<Object> find(CUdeviceptr address) const;

 private:
  struct Range {
    std::size_t size;
    Object* buffer;
  };
  mutable Mutex mutex_ LOCK_RANK(device_addresses);
  std::multimap<CUdeviceptr, Range> ranges_ GUARDED_BY(mutex_);  // by where they begin
};

}  // namespace clcuda
