// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "cuda/host_registrations.h"
#include "cuda/memory.h"
#include "cuda/stream.h"
#include "runtime/device/device_clock.h"

namespace clcuda {

class DeviceResources;

// A transfer of a box of bytes between host and device memory. `device` and `host` give the address of the box and its pitches. A
// contiguous range is a box of one row.
struct HostTransfer {
  bool to_device = false;
  cuda::BoxSide device, host;
  std::array<std::size_t, 3> region{};
  std::optional<cuda::HostMemory> memory;  // the kind of memory at `host`, if known

  std::size_t size() const { return region[0] * region[1] * region[2]; }
  // Whether the device can copy without an intermediate page-locked block. Also true if `memory` is not known.
  bool is_direct() const { return memory != cuda::HostMemory::pageable && memory != cuda::HostMemory::mixed; }
  // The same bytes with as few rows and slices as the pitches allow.
  HostTransfer collapsed() const;
};

// Copy between host memory and a packed copy of the box: `packed` has its bytes without gaps between rows and slices.
void pack(const HostTransfer& transfer, std::byte* packed);
// Like pack(), but bypasses the processor's caches (streaming_copy). For a timed copy by the device that follows: it takes half as long as
// from the caches. In total, one transfer of 1 MiB takes as long as with pack(), and many concurrent ones take longer.
void pack_past_caches(const HostTransfer& transfer, std::byte* packed);
void unpack(const HostTransfer& transfer, const std::byte* packed);

// The kind of the transfer's host memory, from its first to its last byte. Pageable memory counts as shared if the device accesses it
// through the host's page tables.
cuda::HostMemory host_memory_of(const DeviceResources& resources, const HostTransfer& transfer);

// Whether kernels may access the host memory of a transfer that is not direct: by page faults, or a registered part of it.
bool is_in_reach_of_kernels(const DeviceResources& resources, const HostTransfer& transfer) noexcept;

// Submits a direct transfer, whose host memory is page-locked or shared.
void record_direct(cuda::Stream& stream, const HostTransfer& transfer);
// Submits the device's half of a transfer through `packed`, page-locked memory of the box's size.
void record_packed(cuda::Stream& stream, const HostTransfer& transfer, std::byte* packed);

// A transfer through a page-locked block in which the host's half (pack, unpack) is also performed in stream order. It is needed if kernels
// access pageable memory by page faults, because they may write the memory that the transfer reads, or read the memory that it writes. It
// must live as long as its block is in use: block_of() and DeviceMemory::keep_until_reached() ensure this.
class OrderedTransfer {
 public:
  OrderedTransfer(const HostTransfer& transfer, std::shared_ptr<cuda::PinnedBlock> block)
      : host_half_(transfer), block_(std::move(block)) {}
  // A pointer to the transfer's block that also owns the transfer.
  static std::shared_ptr<cuda::PinnedBlock> block_of(const std::shared_ptr<OrderedTransfer>& transfer) {
    return {transfer, transfer->block_.get()};
  }
  // Submits both halves; `device_half` has the address on the device.
  void record(cuda::Stream& stream, const HostTransfer& device_half);

 private:
  void record_host_half(cuda::Stream& stream);

  const HostTransfer host_half_;
  const std::shared_ptr<cuda::PinnedBlock> block_;
};

// Whether to transfer pageable memory through one page-locked block, which the calling thread fills or empties. True if the memory is small
// (the limit is higher if the thread `waits` for the transfer) and not too many staging blocks are in use.
bool worth_packing(const DeviceResources& resources, std::size_t size, bool waits) noexcept;
// Whether the driver can embed the bytes of a transfer to the device in the stream's commands, which needs no block and no copy engine: a
// few bytes of pageable memory in one row. (The driver would read page-locked or managed memory later.)
bool fits_commands(const HostTransfer& transfer) noexcept;
// Submits a transfer for which fits_commands() is true. The host memory has been read on return.
void record_in_commands(cuda::Stream& stream, const HostTransfer& transfer);
// Submits a small transfer to the device (worth_packing). The host memory has been read on return; the bytes are on the device when the
// work then in `stream` has completed.
void record_taken(DeviceResources& resources, cuda::Stream& stream, const HostTransfer& transfer);

// Transfers unused bytes in both directions, so that the driver's preparations for copies are not between CL_PROFILING_COMMAND_START and
// END of the first timed transfers: they take 5 to 15 µs in a process's first transfers on an H100. Does not wait.
void rehearse_transfers(DeviceResources& resources, cuda::Stream& stream);

// Transfers pageable memory through page-locked blocks, with several threads if it is large, and returns when the transfer is complete. The
// device's copies are ordered after the work now in `stream`. The CUDA context is current. If `timed`, returns the time from the beginning
// of the device's first copy to the end of its last.
std::optional<DeviceSpan> run_staged(DeviceResources& resources, cuda::Stream& stream,
                                     const HostTransfer& transfer, bool timed = false);

}  // namespace clcuda
