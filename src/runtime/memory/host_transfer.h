// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "cuda/memory.h"
#include "cuda/stream.h"
#include "runtime/device/device_clock.h"

namespace clcuda {

class DeviceResources;

// A transfer of a box of bytes between host and device memory. `device` and `host` say where the box begins and its pitches; a
// plain stretch of memory is a box of one row.
struct HostTransfer {
  bool to_device = false;
  cuda::BoxSide device, host;
  std::array<std::size_t, 3> region{};
  std::optional<cuda::HostMemory> memory;  // where `host` lies, where that is known

  std::size_t size() const { return region[0] * region[1] * region[2]; }
  // Whether the device can copy without a page-locked block between; true also where `memory` is not known.
  bool is_direct() const { return memory != cuda::HostMemory::pageable; }
  // The same bytes with as few rows and slices as the pitches allow.
  HostTransfer collapsed() const;
};

// Between host memory and a packed copy of the box: `packed` has its bytes without gaps between rows and slices.
void pack(const HostTransfer& transfer, std::byte* packed);
// The same, ahead of a copy by the device whose time is taken: that is half of what it is out of the processor's caches. All in all, one copy
// of 1 MiB takes as long, and many at once take longer.
void pack_past_caches(const HostTransfer& transfer, std::byte* packed);
void unpack(const HostTransfer& transfer, const std::byte* packed);

// Where the whole of the transfer's host memory lies, in the device's eyes. All that a device reaches through the host's page tables is shared.
cuda::HostMemory host_memory_of(const DeviceResources& resources, const HostTransfer& transfer) noexcept;

// Records the transfer of memory that is not pageable.
void record_direct(cuda::Stream& stream, const HostTransfer& transfer);
// Records the device's half of a transfer through `packed`, page-locked memory of the box's size.
void record_packed(cuda::Stream& stream, const HostTransfer& transfer, std::byte* packed);

// A transfer through a page-locked block whose host's half, too, comes in the stream's order: where kernels reach pageable memory by page
// faults, they may write what the transfer reads, or read what it writes. Lasts as long as the block: keep_until_reached() takes care of both.
class OrderedTransfer {
 public:
  OrderedTransfer(const HostTransfer& transfer, std::shared_ptr<cuda::PinnedBlock> block)
      : host_half_(transfer), block_(std::move(block)) {}
  // The transfer's block, by a pointer that keeps the transfer, too.
  static std::shared_ptr<cuda::PinnedBlock> block_of(const std::shared_ptr<OrderedTransfer>& transfer) {
    return {transfer, transfer->block_.get()};
  }
  // Both halves; `device_half` has the place on the device.
  void record(cuda::Stream& stream, const HostTransfer& device_half);

 private:
  void record_host_half(cuda::Stream& stream);

  const HostTransfer host_half_;
  const std::shared_ptr<cuda::PinnedBlock> block_;
};

// Whether pageable memory is to go through one page-locked block, which the calling thread fills or empties: there is little of it, or
// not much for a thread that waits for the transfer, and not too many blocks wait for the device.
bool worth_packing(const DeviceResources& resources, std::size_t size, bool waits) noexcept;
// Whether the bytes of such a transfer may go along with the stream's commands, which takes no block and no copy engine: a few, in one row.
bool fits_commands(const HostTransfer& transfer) noexcept;
// Records the transfer of such bytes: they are taken from the host at once.
void record_in_commands(cuda::Stream& stream, const HostTransfer& transfer);
// Takes the bytes of such a transfer to the device at once: they are there when what `stream` holds then is done.
void record_taken(DeviceResources& resources, cuda::Stream& stream, const HostTransfer& transfer);

// Transfers pageable memory and returns when that is done: through page-locked pieces, on several threads where it is large. The device's half
// comes behind what `stream` holds now. The CUDA context is current. If `timed`, returns the time from the beginning of the device's first copy to the
// end of its last.
std::optional<DeviceSpan> run_staged(DeviceResources& resources, cuda::Stream& stream,
                                     const HostTransfer& transfer, bool timed = false);

}  // namespace clcuda
