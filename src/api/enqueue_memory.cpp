// SPDX-License-Identifier: Apache-2.0
#include "api/enqueue_memory.h"

#include <utility>

#include "runtime/commands/copy_memory.h"
#include "runtime/commands/direct_transfer.h"
#include "runtime/commands/fill_buffer.h"
#include "runtime/commands/host_function.h"
#include "runtime/commands/transfer.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/memory/host_bytes.h"

namespace clcuda::api {
namespace {

// One side of a command, as the queue's device accesses it.
struct Side {
  void* at = nullptr;
  Ref<SvmAllocation> allocation;
  cuda::HostMemory memory = cuda::HostMemory::pageable;
  DeviceResources* other = nullptr;  // the owner, if it is another device's memory

  bool is_shared() const { return memory == cuda::HostMemory::shared; }
  // Accessed through the host's page tables, or allocated by the application with CUDA.
  bool is_shared_by_others() const { return !allocation && is_shared(); }
  bool is_pinned_by_us() const { return allocation && memory == cuda::HostMemory::page_locked; }
  CUdeviceptr address() const { return reinterpret_cast<CUdeviceptr>(at); }
  PlainMemory plain() const { return {address(), allocation, other ? &other->context() : nullptr}; }
};

Side side_at(CommandQueue& queue, void* at, size_t size) {
  Side side{.at = at, .allocation = queue.context().svm().find(at)};
  if (!side.allocation) {
    const cuda::Current current(queue.resources().context());
    HostTransfer transfer{.region = {size, 1, 1}};
    transfer.host.host = at;
    side.memory = host_memory_of(queue.resources(), transfer);
    return side;
  }
  require(side.allocation->contains(at, size), CL_INVALID_VALUE, "beyond the end of the allocation");
  using enum cuda::HostMemory;
  side.memory = side.allocation->kind() == PointerMemory::host ? page_locked : shared;
  DeviceResources& owner = side.allocation->resources();
  if (side.allocation->kind() == PointerMemory::device && &owner != &queue.resources()) side.other = &owner;
  return side;
}

// Device memory or managed memory that the application has allocated with CUDA.
bool is_known_to_driver(CommandQueue& queue, const Side& side) {
  const cuda::Current current(queue.resources().context());
  return side.is_shared_by_others() &&
         cuda::host_memory_at(queue.resources().driver(), side.at) == cuda::HostMemory::shared;
}

HostTransfer transfer_between(const Side& device, const Side& host, bool to_device, size_t size) {
  HostTransfer transfer{.to_device = to_device, .region = {size, 1, 1}, .memory = host.memory};
  transfer.device.device = device.address();
  transfer.host.host = host.at;
  return transfer;
}

// A transfer between another device's memory and the host's: in this queue's order, but by a stream of that device.
Command* make_foreign_transfer(CommandQueue& queue, cl_command_type type, Side device, Side host,
                               bool to_device, size_t size) {
  const auto move = [device = std::move(device), host = std::move(host), to_device, size] {
    const cuda::Current current(device.other->context());
    const ScopedStream stream(*device.other);
    const HostTransfer transfer = transfer_between(device, host, to_device, size);
    if (!transfer.is_direct()) {
      run_staged(*device.other, *stream, transfer);
      return;
    }
    const cuda::DrainOnFailure drain(*stream);
    record_direct(*stream, transfer);
    stream->synchronize();
  };
  return new HostFunction(queue, {.type = type, .bytes = size}, move);
}

void enqueue_device_copy(CommandQueue& queue, cl_command_type type, MemoryCopy copy, cl_bool blocking,
                         WaitList waits, cl_event* event) {
  for (const PlainMemory* side : {&copy.to, &copy.from})
    if (side->peer) queue.resources().memory().enable_peer_access(side->allocation->resources().memory());
  const auto emit = [&](cuda::Stream& stream) { copy.emit(stream); };
  const auto mode = blocking ? CommandQueue::Mode::blocking : CommandQueue::Mode::asynchronous;
  if (!event && waits.empty() && queue.record_directly({.type = type, .bytes = copy.size}, {}, emit, mode))
    return;
  enqueue(queue, new CopyMemory(queue, type, std::move(copy)), std::move(waits), event, blocking);
}

void enqueue_host_transfer(CommandQueue& queue, cl_command_type type, const Side& device, const Side& host,
                           bool to_device, size_t size, cl_bool blocking, WaitList waits, cl_event* event) {
  if (device.other)
    return enqueue(queue, make_foreign_transfer(queue, type, device, host, to_device, size), std::move(waits),
                   event, blocking);
  const HostTransfer transfer = transfer_between(device, host, to_device, size);
  if (!event && waits.empty() && transfer_directly(queue, type, transfer, blocking)) return;
  enqueue(queue, new Transfer(queue, type, device.allocation, transfer), std::move(waits), event, blocking);
}

}  // namespace

void enqueue_memory_copy(CommandQueue& queue, cl_command_type type, void* to, const void* from, size_t size,
                         cl_bool blocking, WaitList waits, cl_event* event) {
  require(to && from, CL_INVALID_VALUE, "a null pointer");
  const auto target_at = reinterpret_cast<std::uintptr_t>(to),
             source_at = reinterpret_cast<std::uintptr_t>(from);
  require((target_at < source_at ? source_at - target_at : target_at - source_at) >= size,
          CL_MEM_COPY_OVERLAP, "source and destination overlap");
  if (size == 0) return enqueue(queue, new Command(queue, type), std::move(waits), event, blocking);
  const Side target = side_at(queue, to, size), source = side_at(queue, const_cast<void*>(from), size);
  const bool both_pinned = target.is_pinned_by_us() && source.is_pinned_by_us();
  const bool pinned_and_foreign = (target.is_pinned_by_us() && source.is_shared_by_others()) ||
                                  (source.is_pinned_by_us() && target.is_shared_by_others());
  if ((target.is_shared() && source.is_shared()) || both_pinned || pinned_and_foreign)
    return enqueue_device_copy(queue, type, {target.plain(), source.plain(), size}, blocking,
                               std::move(waits), event);
  if (target.is_shared())
    return enqueue_host_transfer(queue, type, target, source, true, size, blocking, std::move(waits), event);
  if (source.is_shared())
    return enqueue_host_transfer(queue, type, source, target, false, size, blocking, std::move(waits), event);
  enqueue(queue,
          new HostFunction(queue, {.type = type, .bytes = size},
                           [target, source, size] { copy_bytes(target.at, source.at, size); }),
          std::move(waits), event, blocking);
}

void enqueue_memory_fill(CommandQueue& queue, cl_command_type type, void* to, const void* pattern,
                         size_t pattern_size, size_t size, WaitList waits, cl_event* event) {
  require(to, CL_INVALID_VALUE, "a null pointer");
  require_pattern(pattern, pattern_size);
  require(reinterpret_cast<std::uintptr_t>(to) % pattern_size == 0, CL_INVALID_VALUE,
          "the memory is not aligned to the pattern");
  require(size % pattern_size == 0, CL_INVALID_VALUE, "the size is not a multiple of the pattern's");
  if (size == 0) return enqueue(queue, new Command(queue, type), std::move(waits), event);
  const Side target = side_at(queue, to, size);
  require(!target.other, CL_INVALID_VALUE, "memory of another device");
  if (target.allocation || is_known_to_driver(queue, target)) {
    if (!event && waits.empty() && fill_directly(queue, type, target.address(), pattern, pattern_size, size))
      return;
    return enqueue(
        queue, new FillBuffer(queue, type, target.allocation, target.address(), pattern, pattern_size, size),
        std::move(waits), event);
  }
  const auto* first = static_cast<const std::byte*>(pattern);
  enqueue(queue,
          new HostFunction(
              queue, {.type = type, .bytes = size},
              [to = static_cast<std::byte*>(to), size,
               bytes = std::vector<std::byte>(first, first + pattern_size)] { fill_bytes(to, size, bytes); }),
          std::move(waits), event);
}

}  // namespace clcuda::api
