// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "cuda/context.h"
#include "runtime/object.h"

namespace clcuda {

// Finds the buffers of a context whose addresses the application knows (cl_ext_buffer_device_address), by any address in the buffer on any
// device. Thread-safe.
class DeviceAddresses {
 public:
  // Adds bytes of a device's memory that belong to `buffer`, until remove().
  void add(CUdeviceptr begin, std::size_t size, Object& buffer);
  // Called by the buffer's destructor.
  void remove(CUdeviceptr begin, const Object& buffer) noexcept;
  // The buffer that contains `address`; empty if there is none, or if it is being destroyed.
  Ref<Object> find(CUdeviceptr address) const;
  // How often bytes have been removed so far.
  std::uint64_t removed() const noexcept { return removed_.load(std::memory_order_relaxed); }

 private:
  struct Range {
    std::size_t size;
    Object* buffer;
  };
  mutable Mutex mutex_ LOCK_RANK(device_addresses);
  std::multimap<CUdeviceptr, Range> ranges_ GUARDED_BY(mutex_);  // by their first byte
  std::size_t largest_ GUARDED_BY(mutex_) = 0;                   // size of a range, present or removed
  std::atomic<std::uint64_t> removed_ = 0;
};

}  // namespace clcuda
