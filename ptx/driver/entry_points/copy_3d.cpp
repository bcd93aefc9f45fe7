// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "ptx/driver/address_range.h"
#include "ptx/driver/array.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/transfer.h"
#include "ptx/driver/work_command.h"

namespace clcuda::ptx::driver {
namespace {

struct Side {
  std::byte* first = nullptr;  // the region's first byte
  std::size_t pitch = 0, slice = 0;
  bool pageable = false;
};

// The fields of the description for one side, named as there.
struct SideFields {
  std::size_t x, y, z, level;
  CUmemorytype type;
  void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch, height;
};

// a * b + c; refused if it overflows.
std::size_t checked(std::size_t a, std::size_t b, std::size_t c) {
  std::size_t product = 0, sum = 0;
  require(!__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(product, c, &sum));
  return sum;
}

// x and the width are in bytes and comprise whole elements; y counts rows, z slices or layers.
Side checked_array_side(const SideFields& fields, const CUDA_MEMCPY3D& copy) {
  require(fields.level == 0);
  const Ref<Array> array = handles<Array>().find(number(fields.array));
  require(static_cast<bool>(array));
  array->context().require_usable();
  const TexelGrid& grid = array->grid();
  const std::size_t element = array->resource().format.bytes();
  require(fields.x % element == 0 && copy.WidthInBytes % element == 0);
  require(checked(1, fields.x, copy.WidthInBytes) <= grid.width * element);
  require(checked(1, fields.y, copy.Height) <= grid.height);
  require(checked(1, fields.z, copy.Depth) <= grid.depth);
  std::byte* first = grid.base + fields.z * grid.slice_pitch + fields.y * grid.row_pitch + fields.x;
  return {first, grid.row_pitch, grid.slice_pitch, false};
}

Side checked_side(const SideFields& fields, const CUDA_MEMCPY3D& copy) {
  if (fields.type == CU_MEMORYTYPE_ARRAY) return checked_array_side(fields, copy);
  require(fields.type == CU_MEMORYTYPE_HOST || fields.type == CU_MEMORYTYPE_DEVICE ||
          fields.type == CU_MEMORYTYPE_UNIFIED);
  require(fields.level == 0);
  const std::size_t row_end = checked(1, fields.x, copy.WidthInBytes);
  // A pitch of 0 means adjacent rows, a height of 0 adjacent slices. The height does not matter for a single slice.
  const std::size_t pitch = fields.pitch ? fields.pitch : row_end;
  require(pitch >= row_end && pitch <= std::numeric_limits<int>::max());
  const std::size_t rows_end = checked(1, fields.y, copy.Height);
  const std::size_t height = fields.height ? fields.height : rows_end;
  require(height >= rows_end || (copy.Depth == 1 && fields.z == 0));
  require(fields.height != 0 || (copy.Depth == 1 && fields.z == 0));
  const std::size_t slice = checked(pitch, height, 0);
  const std::size_t offset = checked(fields.z, slice, checked(fields.y, pitch, fields.x));
  const std::size_t bytes =
      checked(copy.Depth - 1, slice, checked(copy.Height - 1, pitch, copy.WidthInBytes));

  const auto base =
      fields.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr>(fields.host) : fields.device;
  require(base != 0);
  const CUdeviceptr first = checked(1, base, offset);
  Side side{reinterpret_cast<std::byte*>(first), pitch, slice, false};
  if (fields.type == CU_MEMORYTYPE_HOST)
    side.pageable = is_pageable(side.first, bytes);
  else
    require_reachable(first, bytes);
  return side;
}

class Copy3DCommand final : public WorkCommand {
 public:
  Copy3DCommand(const Stream& stream, Side destination, Side source, const CUDA_MEMCPY3D& copy)
      : WorkCommand(stream.high_priority()),
        destination_(destination),
        source_(source),
        width_(copy.WidthInBytes),
        height_(copy.Height),
        rows_(copy.Height * copy.Depth),
        rows_per_piece_(std::max<std::size_t>(kPieceBytes / width_, 1)) {}

  void set_gate(Ref<HostGate> gate) { gate_ = std::move(gate); }

  Progress start(Stream& stream) noexcept override {
    if (gate_ && !gate_->enter()) return Progress::finished;
    if (width_ * rows_ <= kInlineBytes) {
      copy_rows(0, rows_);
      return Progress::finished;
    }
    set_pieces((rows_ + rows_per_piece_ - 1) / rows_per_piece_, width_ * rows_ / kBytesPerNanosecond);
    return WorkCommand::start(stream);
  }

 private:
  void run(std::uint64_t begin, std::uint64_t end, WorkerThread&) noexcept override {
    copy_rows(begin * rows_per_piece_, std::min(end * rows_per_piece_, rows_));
  }
  void copy_rows(std::size_t begin, std::size_t end) noexcept {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t y = row % height_, z = row / height_;
      std::memmove(destination_.first + z * destination_.slice + y * destination_.pitch,
                   source_.first + z * source_.slice + y * source_.pitch, width_);
    }
  }

  const Side destination_, source_;
  const std::size_t width_, height_, rows_, rows_per_piece_;
  Ref<HostGate> gate_;
};

}  // namespace

// With pageable memory on either side, the call returns when the copy is done.
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* description, CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    const CUDA_MEMCPY3D& c = required(description);
    require(c.reserved0 == nullptr && c.reserved1 == nullptr);
    if (c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0) return CUDA_SUCCESS;
    const Side source =
        checked_side({c.srcXInBytes, c.srcY, c.srcZ, c.srcLOD, c.srcMemoryType, const_cast<void*>(c.srcHost),
                      c.srcDevice, c.srcArray, c.srcPitch, c.srcHeight},
                     c);
    const Side destination = checked_side({c.dstXInBytes, c.dstY, c.dstZ, c.dstLOD, c.dstMemoryType,
                                           c.dstHost, c.dstDevice, c.dstArray, c.dstPitch, c.dstHeight},
                                          c);
    auto command = std::make_unique<Copy3DCommand>(*stream, destination, source, c);
    if (source.pageable || destination.pageable) {
      const Ref<HostGate> gate = Ref<HostGate>::adopt(new HostGate);
      command->set_gate(gate);
      return enqueue_and_wait(*stream, std::move(command), *gate);
    }
    stream->enqueue(std::move(command));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
