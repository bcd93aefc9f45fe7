// SPDX-License-Identifier: Apache-2.0
#include "cuda/stream.h"

#include <algorithm>
#include <utility>

#include "cuda/error.h"
#include "cuda/host_registrations.h"
#include "cuda/waiting.h"

namespace clcuda::cuda {
namespace {

// The driver's limit on pitches (CU_DEVICE_ATTRIBUTE_MAX_PITCH) on every device so far, and on the extents of one copy.
constexpr std::size_t kMaxPitch = 0x7fffffff;

constexpr int kPriority = 0;

CUstream create(const DriverTable& driver, int priority) {
  CUstream stream = nullptr;
  check(driver, driver.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, priority),
        "cuStreamCreateWithPriority");
  return stream;
}

bool plain(const BoxSide& side, const std::array<std::size_t, 3>& region) {
  return !side.array && (region[1] == 1 || side.row_pitch == region[0]) &&
         (region[2] == 1 || side.slice_pitch == region[0] * region[1]);
}

// Whether one CUDA copy can express that side: CUDA describes the slice pitch as a height in rows.
bool expressible(const BoxSide& side, const std::array<std::size_t, 3>& region) {
  if (side.array || (region[1] == 1 && region[2] == 1)) return true;
  if (side.row_pitch > kMaxPitch || side.row_pitch < region[0]) return false;
  return region[2] == 1 ||
         (side.slice_pitch % side.row_pitch == 0 && side.slice_pitch / side.row_pitch <= kMaxPitch);
}

// One side of a CUDA copy; the members' names differ, their meaning does not.
struct Side {
  CUmemorytype& type;
  CUarray& array;
  std::size_t &x, &y, &z, &pitch, &height;
};

void describe(const Side& out, const BoxSide& side, const std::array<std::size_t, 3>& region) {
  if (side.array) {
    out.type = CU_MEMORYTYPE_ARRAY;
    out.array = side.array;
    out.x = side.place[0];
    out.y = side.place[1];
    out.z = side.place[2];
    return;
  }
  out.type = side.host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  out.pitch = region[1] == 1 && region[2] == 1 ? region[0] : side.row_pitch;
  out.height = region[2] > 1 ? side.slice_pitch / side.row_pitch : region[1];
}

}  // namespace

BoxSide BoxSide::moved(std::size_t bytes, std::size_t rows, std::size_t slices) const {
  BoxSide side = *this;
  if (array) {
    side.place = {place[0] + bytes, place[1] + rows, place[2] + slices};
    return side;
  }
  const std::size_t distance = bytes + rows * row_pitch + slices * slice_pitch;
  if (host)
    side.host = static_cast<std::byte*>(host) + distance;
  else
    side.device += distance;
  return side;
}

Stream::Stream(EventPool& events, const Partition* partition)
    : events_(events),
      context_(events.context()),
      driver_(events.driver()),
      partition_(partition),
      timed_launch_(context_) {
  stream_ = partition ? partition->create_stream(kPriority) : create(driver_, kPriority);
}

Stream::Stream(EventPool& events, int priority)
    : events_(events),
      context_(events.context()),
      driver_(events.driver()),
      partition_(nullptr),
      stream_(create(driver_, priority)),
      timed_launch_(context_) {}

Stream::~Stream() { driver_.cuStreamDestroy(stream_); }

void Stream::launch(const Function& function, const LaunchShape& shape, void* buffer, std::size_t size,
                    Timing* timing) {
  LaunchParameters parameters(buffer, size);
  const bool begins = timing && !timing->begun;
  if (begins && launch_between(*timing, function, shape, parameters)) return;
  const std::uint64_t other_work = other_work_.load(std::memory_order_relaxed);
  const bool overlaps = shape.overlaps && other_work == work_at_launch_;
  CUlaunchAttribute overlapping{};
  overlapping.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  overlapping.value.programmaticStreamSerializationAllowed = 1;
  const CUlaunchConfig config{shape.grid[0],  shape.grid[1],     shape.grid[2],        shape.block[0],
                              shape.block[1], shape.block[2],    shape.dynamic_shared, stream_,
                              &overlapping,   overlaps ? 1u : 0u};
  count();
  const CUresult result = driver_.cuLaunchKernelEx(&config, function.handle(), nullptr, parameters.extra());
  if (result != CUDA_SUCCESS && begins) begin_anew(*timing);  // the caller may try again, later
  check(driver_, result, "cuLaunchKernelEx");
  work_at_launch_ = shape.may_be_overlapped ? other_work : kNever;
}

// Returns whether the kernel has been launched. A graph's node can neither become one that launches kernels itself nor leave a green
// context.
bool Stream::launch_between(Timing& timing, const Function& function, const LaunchShape& shape,
                            LaunchParameters& parameters) {
  const bool submitted =
      timing.alone && timing.decided_at == recorded() && shape.may_be_overlapped && !partition_ &&
      timed_launch_.submit(extend(), timing.start, function, shape, parameters, timing.end);
  if (!submitted) {
    begin(timing);
    return false;
  }
  timing.begun = true;
  timing.ended_at = recorded();
  return true;
}

void Stream::begin(Timing& timing) {
  if (std::exchange(timing.begun, true)) return;
  timing.begun_by_end = timing.end_in_front && timing.decided_at == recorded();
  if (timing.begun_by_end)
    std::swap(timing.start, timing.end_in_front);
  else
    record(timing.start);
}

void Stream::begin_anew(Timing& timing) noexcept {
  if (std::exchange(timing.begun_by_end, false)) std::swap(timing.start, timing.end_in_front);
  timing.begun = false;
}

std::uint64_t Stream::end(const Timing& timing) {
  return timing.ended_at == recorded() ? timing.ended_at : record(timing.end);
}

void Stream::note_completed(std::uint64_t recorded) noexcept {
  std::uint64_t known = completed_.load(std::memory_order_relaxed);
  while (known < recorded && !completed_.compare_exchange_weak(known, recorded, std::memory_order_release)) {
  }
}

std::uint64_t Stream::record(const Event& event) {
  const std::uint64_t behind = count();
  check(driver_, driver_.cuEventRecord(event.handle(), stream_), "cuEventRecord");
  return behind;
}

Event Stream::mark() {
  Event reached = events_.take();
  record(reached);
  return reached;
}

void Stream::wait(const Event& event) {
  check(driver_, driver_.cuStreamWaitEvent(extend(), event.handle(), 0), "cuStreamWaitEvent");
}

void Stream::wait_for(CUevent event) {
  check(driver_, driver_.cuStreamWaitEvent(extend(), event, 0), "cuStreamWaitEvent");
}

void Stream::hold_back(CUstream other) {
  check(driver_, driver_.cuStreamWaitEvent(other, mark().handle(), 0), "cuStreamWaitEvent");
}

// The stream has the order already. But the application's kernel may let the next one begin before those in front of it have ended, so the
// next launch must not overlap it; and the next timed command must not begin where our last one ended (recorded()).
void Stream::follow_foreign_work() noexcept { extend(); }

void Stream::call_on_host(CUhostFn function, void* data) {
  check(driver_, driver_.cuLaunchHostFunc(extend(), function, data), "cuLaunchHostFunc");
}

CUresult Stream::query() const noexcept { return driver_.cuStreamQuery(stream_); }

void Stream::synchronize() { check(driver_, drain(), "cuStreamSynchronize"); }

CUresult Stream::drain() noexcept {
  return cuda::wait(
      context_.waiting(), [this] { return query(); },
      [this] { return driver_.cuStreamSynchronize(stream_); });
}

std::size_t Stream::part(CUdeviceptr address, std::size_t size) const noexcept {
  return std::min(size, context_.registrations().left_of_piece(address));
}

void Stream::copy_to_device(CUdeviceptr to, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  for (std::size_t done = 0, now; done < size; done += now) {
    now = part(to + done, size - done);
    check(driver_, driver_.cuMemcpyHtoDAsync(to + done, bytes + done, now, extend()), "cuMemcpyHtoDAsync");
  }
}

void Stream::copy_to_host(void* to, CUdeviceptr from, std::size_t size) {
  auto* bytes = static_cast<std::byte*>(to);
  for (std::size_t done = 0, now; done < size; done += now) {
    now = part(from + done, size - done);
    check(driver_, driver_.cuMemcpyDtoHAsync(bytes + done, from + done, now, extend()), "cuMemcpyDtoHAsync");
  }
}

void Stream::copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t size) {
  for (std::size_t done = 0, now; done < size; done += now) {
    now = part(to + done, part(from + done, size - done));
    check(driver_, driver_.cuMemcpyDtoDAsync(to + done, from + done, now, extend()), "cuMemcpyDtoDAsync");
  }
}

void Stream::copy_from_peer(CUdeviceptr to, const DeviceContext& other, CUdeviceptr from, std::size_t size) {
  copy_between_peers(to, context_, from, other, size);
}

void Stream::copy_between_peers(CUdeviceptr to, const DeviceContext& to_context, CUdeviceptr from,
                                const DeviceContext& from_context, std::size_t size) {
  if (!size) return;
  check(driver_,
        driver_.cuMemcpyPeerAsync(to, to_context.handle(), from, from_context.handle(), size, extend()),
        "cuMemcpyPeerAsync");
}

std::size_t Stream::part(const BoxSide& side, std::size_t size) const noexcept {
  return side.array || side.host ? size : part(side.device, size);
}

bool Stream::is_in_one_piece(const BoxSide& side, const std::array<std::size_t, 3>& region) const noexcept {
  const std::size_t extent =
      region[0] + (region[1] - 1) * side.row_pitch + (region[2] - 1) * side.slice_pitch;
  return part(side, extent) == extent;
}

void Stream::copy_box(const BoxSide& to, const BoxSide& from, const std::array<std::size_t, 3>& region) {
  const auto [bytes, rows, slices] = region;
  if (!bytes || !rows || !slices) return;
  if (plain(to, region) && plain(from, region)) return copy_plain(to, from, bytes * rows * slices);
  if (expressible(to, region) && expressible(from, region) && is_in_one_piece(to, region) &&
      is_in_one_piece(from, region))
    return copy_box_once(to, from, region);
  // Copies slice by slice; row by row if a pitch exceeds the driver's limit or a slice is not in one piece; and such a row in parts.
  if (slices > 1) {
    for (std::size_t z = 0; z < slices; ++z)
      copy_box(to.moved(0, 0, z), from.moved(0, 0, z), {bytes, rows, 1});
  } else if (rows > 1) {
    for (std::size_t y = 0; y < rows; ++y) copy_box(to.moved(0, y, 0), from.moved(0, y, 0), {bytes, 1, 1});
  } else {
    const std::size_t first = part(to, part(from, bytes));
    copy_box_once(to, from, {first, 1, 1});
    copy_box(to.moved(first, 0, 0), from.moved(first, 0, 0), {bytes - first, 1, 1});
  }
}

void Stream::copy_plain(const BoxSide& to, const BoxSide& from, std::size_t size) {
  if (to.host) return copy_to_host(to.host, from.device, size);
  if (from.host) return copy_to_device(to.device, from.host, size);
  copy_on_device(to.device, from.device, size);
}

void Stream::copy_box_once(const BoxSide& to, const BoxSide& from, const std::array<std::size_t, 3>& region) {
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = region[0];
  copy.Height = region[1];
  copy.Depth = region[2];
  describe({copy.srcMemoryType, copy.srcArray, copy.srcXInBytes, copy.srcY, copy.srcZ, copy.srcPitch,
            copy.srcHeight},
           from, region);
  copy.srcHost = from.host;
  copy.srcDevice = from.device;
  describe({copy.dstMemoryType, copy.dstArray, copy.dstXInBytes, copy.dstY, copy.dstZ, copy.dstPitch,
            copy.dstHeight},
           to, region);
  copy.dstHost = to.host;
  copy.dstDevice = to.device;
  check(driver_, driver_.cuMemcpy3DAsync(&copy, extend()), "cuMemcpy3DAsync");
}

void Stream::prefetch(CUdeviceptr address, std::size_t size, bool to_host) {
  if (!size || !driver_.cuMemPrefetchAsync) return;
  CUmemLocation location{};
  location.type = to_host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = to_host ? 0 : context_.device();
  check(driver_, driver_.cuMemPrefetchAsync(address, size, location, 0, extend()), "cuMemPrefetchAsync");
}

void Stream::fill(CUdeviceptr to, std::uint32_t pattern, unsigned pattern_size, std::size_t count) {
  if (to % pattern_size) return fill_unaligned(to, pattern, pattern_size, count);
  const std::size_t size = count * pattern_size;
  for (std::size_t done = 0, now; done < size; done += now) {
    now = part(to + done, size - done);
    fill_once(to + done, pattern, pattern_size, now / pattern_size);
  }
}

// The driver fills from aligned addresses only: bytes before the first and after the last aligned address are filled one by one.
void Stream::fill_unaligned(CUdeviceptr to, std::uint32_t pattern, unsigned pattern_size, std::size_t count) {
  if (!count) return;
  const unsigned head = pattern_size - static_cast<unsigned>(to % pattern_size);
  const auto fill_byte = [&](CUdeviceptr at, unsigned index) { fill(at, pattern >> 8 * index & 0xff, 1, 1); };
  for (unsigned i = 0; i < head; ++i) fill_byte(to + i, i);
  const std::uint32_t rotated = pattern >> 8 * head | pattern << 8 * (pattern_size - head);
  fill(to + head, rotated, pattern_size, count - 1);
  for (unsigned i = head; i < pattern_size; ++i) fill_byte(to + (count - 1) * pattern_size + i, i);
}

void Stream::fill_once(CUdeviceptr to, std::uint32_t pattern, unsigned pattern_size, std::size_t count) {
  switch (pattern_size) {
    case 1:
      return check(driver_, driver_.cuMemsetD8Async(to, static_cast<unsigned char>(pattern), count, extend()),
                   "cuMemsetD8Async");
    case 2:
      return check(driver_,
                   driver_.cuMemsetD16Async(to, static_cast<unsigned short>(pattern), count, extend()),
                   "cuMemsetD16Async");
    default:
      return check(driver_, driver_.cuMemsetD32Async(to, pattern, count, extend()), "cuMemsetD32Async");
  }
}

}  // namespace clcuda::cuda
