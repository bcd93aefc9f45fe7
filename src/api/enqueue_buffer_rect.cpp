// SPDX-License-Identifier: Apache-2.0
// Commands on boxes in buffers.
#include "api/address_space.h"
#include "api/enqueue_buffer.h"
#include "api/memory_flags.h"

namespace clcuda::api {
namespace {

using Size3 = std::array<size_t, 3>;

Size3 triple(const size_t* values) {
  require(values, CL_INVALID_VALUE, "an origin or region is null");
  return {values[0], values[1], values[2]};
}

size_t product(size_t a, size_t b) {
  size_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), CL_INVALID_VALUE, "sizes whose product is not a size_t");
  return result;
}

size_t sum(size_t a, size_t b) {
  size_t result = 0;
  require(!__builtin_add_overflow(a, b, &result), CL_INVALID_VALUE, "offsets whose sum is not a size_t");
  return result;
}

// A box in some memory: where it begins, its pitches, and where its last byte ends.
struct Box {
  size_t begin, end, row_pitch, slice_pitch;
};

// Sections 5.2.2 and 5.2.3: default pitches and the rules for given ones.
Box box(const Size3& origin, const Size3& region, size_t row_pitch, size_t slice_pitch) {
  require(region[0] && region[1] && region[2], CL_INVALID_VALUE, "a region of size 0");
  require(!row_pitch || row_pitch >= region[0], CL_INVALID_VALUE, "the row pitch is less than a row");
  if (!row_pitch) row_pitch = region[0];
  const size_t slice = product(region[1], row_pitch);
  require(!slice_pitch || (slice_pitch >= slice && slice_pitch % row_pitch == 0), CL_INVALID_VALUE,
          "the slice pitch is less than a slice, or not a multiple of the row pitch");
  if (!slice_pitch) slice_pitch = slice;
  const size_t begin = sum(sum(product(origin[2], slice_pitch), product(origin[1], row_pitch)), origin[0]);
  const size_t extent =
      sum(sum(product(region[2] - 1, slice_pitch), product(region[1] - 1, row_pitch)), region[0]);
  return {begin, sum(begin, extent), row_pitch, slice_pitch};
}

Box box_inside(const Buffer& buffer, const Size3& origin, const Size3& region, size_t row_pitch,
               size_t slice_pitch) {
  const Box inside = box(origin, region, row_pitch, slice_pitch);
  require(inside.end <= buffer.size(), CL_INVALID_VALUE, "the region ends beyond the buffer");
  return inside;
}

cuda::BoxSide on_device(const Box& box) {
  return {.device = box.begin, .row_pitch = box.row_pitch, .slice_pitch = box.slice_pitch};
}

// Whether boxes in the same memory share a byte, where their pitches differ (two sub-buffers). The rows of each are in the order of
// addresses.
bool rows_overlap(const Box& a, const Box& b, const Size3& region) {
  if (a.end <= b.begin || b.end <= a.begin) return false;
  const auto row = [&](const Box& box, size_t i) {
    return box.begin + i / region[1] * box.slice_pitch + i % region[1] * box.row_pitch;
  };
  const size_t rows = region[1] * region[2];
  for (size_t i = 0, j = 0; i < rows && j < rows;) {
    const size_t of_a = row(a, i), of_b = row(b, j);
    if (of_a < of_b + region[0] && of_b < of_a + region[0]) return true;
    of_a < of_b ? ++i : ++j;
  }
  return false;
}

struct RectArguments {
  const size_t *buffer_origin, *host_origin, *region;
  size_t buffer_row_pitch, buffer_slice_pitch, host_row_pitch, host_slice_pitch;
};

// Section 5.2.2: as for transfers of contiguous ranges, and valid pitches on both sides.
void transfer_rect(bool to_device, cl_command_queue queue_handle, cl_mem buffer_handle, cl_bool blocking,
                   const RectArguments& rect, void* host, cl_uint wait_count, const cl_event* waits,
                   cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  Buffer& buffer = buffer_of(queue, buffer_handle);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  const Size3 region = triple(rect.region), buffer_origin = triple(rect.buffer_origin),
              host_origin = triple(rect.host_origin);
  const Box on_buffer =
      box_inside(buffer, buffer_origin, region, rect.buffer_row_pitch, rect.buffer_slice_pitch);
  const Box on_host = box(host_origin, region, rect.host_row_pitch, rect.host_slice_pitch);
  require(on_host.end <= kMostHostMemory, CL_INVALID_VALUE, "a box larger than memory");
  require(host, CL_INVALID_VALUE, "no host pointer");
  require(!(buffer.flags() & (to_device ? kNoHostWrite : kNoHostRead)), CL_INVALID_OPERATION,
          "the buffer's flags forbid it");
  const HostTransfer transfer{.to_device = to_device,
                              .device = on_device(on_buffer),
                              .host = {.host = static_cast<std::byte*>(host) + on_host.begin,
                                       .row_pitch = on_host.row_pitch,
                                       .slice_pitch = on_host.slice_pitch},
                              .region = region};
  const cl_command_type type = to_device ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT;
  enqueue_transfer(queue, type, buffer, transfer, blocking, std::move(list), event);
}

// Whether two boxes with the same region and pitches share a byte. Rows of the second box are shifted against those of the first. A shifted
// row may extend into the next row of the first box's grid, so both rows are examined.
bool overlap(size_t a, size_t b, const Size3& region, size_t row_pitch, size_t slice_pitch) {
  if (a > b) std::swap(a, b);
  const size_t extent = (region[2] - 1) * slice_pitch + (region[1] - 1) * row_pitch + region[0];
  if (b - a >= extent) return false;
  // In slices, rows and bytes, the second box begins (z, y, x) after the first. The same shift can be written with a negative x or y, and
  // the next larger unit increased by one; the second candidates below cover that.
  const size_t shift = b - a;
  const auto touches = [](size_t distance, size_t size, size_t period) {
    return distance < size || period - distance < size;
  };
  const size_t in_row = shift % row_pitch;
  if (!touches(in_row, region[0], row_pitch)) return false;
  // The candidates for the shift in whole rows: with x counted forwards, or backwards from the next row.
  for (const bool backwards : {false, true}) {
    if (backwards ? !(in_row && row_pitch - in_row < region[0]) : !(in_row < region[0])) continue;
    const size_t rows = shift / row_pitch + backwards, rows_in_slice = slice_pitch / row_pitch;
    for (const bool previous : {false, true}) {
      const size_t y = rows % rows_in_slice;
      if (previous ? !(y && rows_in_slice - y < region[1]) : !(y < region[1])) continue;
      if (rows / rows_in_slice + previous < region[2]) return true;
    }
  }
  return false;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                           const size_t* buffer_origin, const size_t* host_origin,
                                           const size_t* region, size_t buffer_row_pitch,
                                           size_t buffer_slice_pitch, size_t host_row_pitch,
                                           size_t host_slice_pitch, void* host, cl_uint wait_count,
                                           const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    transfer_rect(false, queue, buffer, blocking,
                  {buffer_origin, host_origin, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
                   host_slice_pitch},
                  host, wait_count, waits, event);
  });
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                            const size_t* buffer_origin, const size_t* host_origin,
                                            const size_t* region, size_t buffer_row_pitch,
                                            size_t buffer_slice_pitch, size_t host_row_pitch,
                                            size_t host_slice_pitch, const void* host, cl_uint wait_count,
                                            const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    transfer_rect(true, queue, buffer, blocking,
                  {buffer_origin, host_origin, region, buffer_row_pitch, buffer_slice_pitch, host_row_pitch,
                   host_slice_pitch},
                  const_cast<void*>(host), wait_count, waits, event);
  });
}

// Section 5.2.2: within one buffer the pitches are the same, and source and destination share no byte.
cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue_handle, cl_mem from_handle,
                                           cl_mem to_handle, const size_t* from_origin,
                                           const size_t* to_origin, const size_t* region_values,
                                           size_t from_row_pitch, size_t from_slice_pitch,
                                           size_t to_row_pitch, size_t to_slice_pitch, cl_uint wait_count,
                                           const cl_event* waits, cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    Buffer& from = buffer_of(queue, from_handle);
    Buffer& to = buffer_of(queue, to_handle);
    WaitList list = wait_list(queue.context(), wait_count, waits);
    const Size3 region = triple(region_values), origin_from = triple(from_origin),
                origin_to = triple(to_origin);
    const Box source = box_inside(from, origin_from, region, from_row_pitch, from_slice_pitch);
    const Box target = box_inside(to, origin_to, region, to_row_pitch, to_slice_pitch);
    require_mutable(to);
    const bool same_pitches =
        source.row_pitch == target.row_pitch && source.slice_pitch == target.slice_pitch;
    require(&from != &to || same_pitches, CL_INVALID_VALUE, "within one buffer the pitches must be the same");
    if (from.shares_storage_with(to)) {
      const size_t a = from.origin() + source.begin, b = to.origin() + target.begin;
      const bool share =
          same_pitches
              ? overlap(a, b, region, source.row_pitch, source.slice_pitch)
              : rows_overlap({a, a + source.end - source.begin, source.row_pitch, source.slice_pitch},
                             {b, b + target.end - target.begin, target.row_pitch, target.slice_pitch},
                             region);
      require(!share, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    }
    enqueue_copy(queue, CL_COMMAND_COPY_BUFFER_RECT, from, to,
                 {.from = on_device(source), .to = on_device(target), .region = region}, std::move(list),
                 event);
  });
}
