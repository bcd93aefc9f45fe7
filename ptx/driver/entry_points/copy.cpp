// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include "ptx/driver/address_range.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/stream.h"
#include "ptx/driver/transfer.h"
#include "ptx/driver/work_command.h"

// Copies of one range. CUDA's rules for host memory:
//   page-locked or managed   used in place when the copy is executed; the call returns at once
//   pageable, to the device  up to 64 KB: staged during the call, which then returns; larger: the call returns when the copy is done
//   pageable, to the host    the call returns when the copy is done
// Memory that is passed as the device's is used in place, whatever its kind.
namespace clcuda::ptx::driver {
namespace {

constexpr std::size_t kStagedBytes = std::size_t{64} << 10;

class CopyCommand final : public WorkCommand {
 public:
  CopyCommand(const Stream& stream, void* destination, const void* source, std::size_t bytes)
      : WorkCommand(stream.high_priority()),
        destination_(static_cast<std::byte*>(destination)),
        source_(static_cast<const std::byte*>(source)),
        bytes_(bytes) {}

  void set_gate(Ref<HostGate> gate) { gate_ = std::move(gate); }
  void stage() {
    staged_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
    std::memcpy(staged_.get(), source_, bytes_);
    source_ = staged_.get();
  }

  Progress start(Stream& stream) noexcept override {
    if (gate_ && !gate_->enter()) return Progress::finished;
    const bool overlap = source_ < destination_ + bytes_ && destination_ < source_ + bytes_;
    if (bytes_ <= kInlineBytes || overlap) {
      std::memmove(destination_, source_, bytes_);
      return Progress::finished;
    }
    set_pieces((bytes_ + kPieceBytes - 1) / kPieceBytes, bytes_ / kBytesPerNanosecond);
    return WorkCommand::start(stream);
  }

 private:
  void run(std::uint64_t begin, std::uint64_t end, WorkerThread&) noexcept override {
    const std::size_t first = begin * kPieceBytes;
    std::memcpy(destination_ + first, source_ + first, std::min(end * kPieceBytes, bytes_) - first);
  }

  std::byte* const destination_;
  const std::byte* source_;
  const std::size_t bytes_;
  std::unique_ptr<std::byte[]> staged_;
  Ref<HostGate> gate_;
};

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

CUresult copy(Stream& stream, CUdeviceptr destination, CUdeviceptr source, std::size_t bytes) {
  require_reachable(destination, bytes);
  require_reachable(source, bytes);
  stream.enqueue(std::make_unique<CopyCommand>(stream, pointer(destination), pointer(source), bytes));
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemcpyHtoDAsync(CUdeviceptr destination, const void* source, std::size_t bytes, CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    if (bytes == 0) return CUDA_SUCCESS;
    require(source != nullptr);
    require_range(destination, bytes);
    auto command = std::make_unique<CopyCommand>(*stream, pointer(destination), source, bytes);
    if (is_pageable(source, bytes)) {
      if (bytes > kStagedBytes) {
        const Ref<HostGate> gate = Ref<HostGate>::adopt(new HostGate);
        command->set_gate(gate);
        return enqueue_and_wait(*stream, std::move(command), *gate);
      }
      command->stage();
    }
    stream->enqueue(std::move(command));
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpyDtoHAsync(void* destination, CUdeviceptr source, std::size_t bytes, CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    if (bytes == 0) return CUDA_SUCCESS;
    require(destination != nullptr);
    require_range(source, bytes);
    auto command = std::make_unique<CopyCommand>(*stream, destination, pointer(source), bytes);
    if (is_pageable(destination, bytes)) {
      const Ref<HostGate> gate = Ref<HostGate>::adopt(new HostGate);
      command->set_gate(gate);
      return enqueue_and_wait(*stream, std::move(command), *gate);
    }
    stream->enqueue(std::move(command));
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes, CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    return bytes ? copy(*stream, destination, source, bytes) : CUDA_SUCCESS;
  });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                           CUcontext source_context, std::size_t bytes, CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    context_of(destination_context)->require_usable();
    context_of(source_context)->require_usable();
    return bytes ? copy(*stream, destination, source, bytes) : CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
