// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/host_transfer.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/streaming_copy.h"
#include "cuda/error.h"
#include "runtime/device/device_resources.h"
#include "runtime/device/host_worker_pool.h"
#include "runtime/device/stream_memory.h"

namespace clcuda {
namespace {

// Eight threads saturate the bus. Large pieces keep the cost of driver calls low; small ones let the device start early. Transfers smaller
// than kWorthOthers are done by the calling thread, because waking other threads takes about as long.
constexpr std::size_t kSmallestPiece = 256 << 10, kLargestPiece = 2 << 20;
constexpr std::size_t kWorthOthers = 4 << 20;
constexpr std::size_t kMaxThreads = 8;
// Page-locked places of a thread, and the least size of one of several threads if memory for all is missing.
constexpr std::size_t kTurns = 2, kSmallestPlace = 512 << 10;
// Without any, the driver's own copy of so many bytes takes less time than page-locking memory for it.
constexpr std::size_t kMostByDriver = 32 << 20;

// Up to kPackedSize, a copy by the calling thread is cheaper than handing the transfer to another thread; up to kPackedByWaiter, it is
// cheaper than using several threads, if the calling thread waits anyway.
constexpr std::size_t kPackedSize = 256 << 10, kPackedByWaiter = 2 << 20;
// The driver embeds small copies from pageable memory in its commands. Up to about this size, the device has the bytes 1 µs sooner than by
// a copy engine, at the same cost to the host.
constexpr std::size_t kMostInCommands = 4 << 10;
// Page-locked memory that may be in use for packed transfers that no thread waits for, before further transfers are staged.
constexpr std::size_t kMostStaging = 64 << 20;

template <class CopyRow>
void for_each_row(const HostTransfer& transfer, CopyRow copy) {
  std::size_t packed = 0;
  for (std::size_t z = 0; z < transfer.region[2]; ++z)
    for (std::size_t y = 0; y < transfer.region[1]; ++y, packed += transfer.region[0])
      copy(static_cast<std::byte*>(transfer.host.host) + y * transfer.host.row_pitch +
               z * transfer.host.slice_pitch,
           packed);
}

// A transfer cut into pieces. Each participating thread takes the next piece until none is left, with kTurns page-locked places of its own.
class StagedTransfer {
 public:
  StagedTransfer(DeviceResources& resources, cuda::Stream& stream, const HostTransfer& transfer, bool timed)
      : resources_(resources), stream_(stream), whole_(transfer.collapsed()), timed_(timed) {
    const std::size_t piece =
        std::bit_floor(std::clamp(whole_.size() / kMaxThreads, kSmallestPiece, kLargestPiece));
    if (whole_.size() >= kWorthOthers)
      threads_ = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
    cut(piece);
    // Pieces may be smaller, at the ends of rows and slices, and then more: each thread needs its places nevertheless.
    const std::size_t places = std::min(threads_ * kTurns, count_), in_block = kBlock / piece;
    take_blocks((places + in_block - 1) / in_block);
    if (blocks_.size() * in_block >= places) return;
    const std::size_t there = std::max<std::size_t>(blocks_.size(), 1) * kBlock;
    threads_ = std::clamp<std::size_t>(there / (kTurns * kSmallestPlace), 1, threads_);
    cut(std::min(piece, std::bit_floor(there / (threads_ * kTurns))));
  }

  // Called by every thread that takes part; returns when no piece is left and its own are done.
  void take_part() {
    struct Place {
      std::byte* packed = nullptr;
      cuda::Event done;
      std::optional<HostTransfer> piece;
    };
    std::array<Place, kTurns> places;
    const cuda::DrainOnFailure drain(stream_);
    const auto settle = [&](Place& place) {
      if (!place.piece) return;
      cuda::check(resources_.driver(), place.done.wait(), "cuEventSynchronize");
      if (timed_) note_end(place.done);
      if (!whole_.to_device) unpack(*place.piece, place.packed);
      place.piece.reset();
    };
    for (std::size_t turn = 0;; ++turn) {
      Place& place = places[turn % places.size()];
      settle(place);
      const std::size_t index = next_.fetch_add(1, std::memory_order_relaxed);
      if (index >= count_) break;
      if (!place.packed) place.packed = take_place();
      if (!place.done) place.done = take_event();
      const HostTransfer piece = this->piece(index);
      if (whole_.to_device) pack(piece, place.packed);
      if (timed_) note_beginning();
      record_packed(stream_, piece, place.packed);
      stream_.record(place.done);
      place.piece = piece;
    }
    for (Place& place : places) settle(place);
  }

  // The number of threads that take part; none if the driver copies.
  std::size_t threads() const { return blocks_.empty() ? 0 : std::min(threads_, count_); }

  // The driver has page-locked memory of its own. Waits first, so that it has nothing to wait for.
  void copy_by_driver() {
    stream_.synchronize();
    const cuda::DrainOnFailure drain(stream_);
    if (timed_) note_beginning();
    whole_.to_device ? stream_.copy_box(whole_.device, whole_.host, whole_.region)
                     : stream_.copy_box(whole_.host, whole_.device, whole_.region);
    const cuda::Event done = take_event();
    stream_.record(done);
    cuda::check(resources_.driver(), done.wait(), "cuEventSynchronize");
    if (timed_) note_end(done);
  }

  // To be called when take_part() has returned in all threads.
  std::optional<DeviceSpan> take_span() {
    MutexLock lock(mutex_);
    if (!span_.begin) return {};
    return std::move(span_);
  }

 private:
  static constexpr std::size_t kBlock = DeviceMemory::kStagingBlock;

  void take_blocks(std::size_t wanted) {
    blocks_ = resources_.memory().take_staging(whole_.size(), wanted);
    if (blocks_.empty() && !is_for_driver()) blocks_.push_back(resources_.memory().allocate_pinned(kBlock));
  }
  // Whether the driver copies such memory as fast: one row, of which nothing is registered.
  bool is_for_driver() const {
    if (whole_.size() > kMostByDriver || whole_.region[1] > 1 || whole_.region[2] > 1 || whole_.device.array)
      return false;
    const cuda::HostMemory memory =
        whole_.memory ? *whole_.memory : clcuda::host_memory_of(resources_, whole_);
    return memory == cuda::HostMemory::pageable;
  }
  void cut(std::size_t piece) {
    const auto [bytes, rows, slices] = whole_.region;
    piece_bytes_ = std::min(bytes, piece);
    piece_rows_ = piece_bytes_ < bytes ? 1 : std::min(rows, std::max<std::size_t>(1, piece / bytes));
    across_ = (bytes + piece_bytes_ - 1) / piece_bytes_;
    down_ = (rows + piece_rows_ - 1) / piece_rows_;
    count_ = across_ * down_ * slices;
  }
  // A part of a block for a piece.
  std::byte* take_place() {
    const std::size_t size = piece_bytes_ * piece_rows_, in_block = kBlock / size,
                      index = next_place_.fetch_add(1, std::memory_order_relaxed);
    return blocks_[index / in_block].data() + index % in_block * size;
  }
  cuda::Event take_event() { return (timed_ ? resources_.timing_events() : resources_.events()).take(); }
  void note_beginning() {
    MutexLock lock(mutex_);
    if (span_.begin) return;
    cuda::Event begin = resources_.timing_events().take();
    stream_.record(begin);
    span_.begin = std::move(begin);
  }
  void note_end(const cuda::Event& done) {
    MutexLock lock(mutex_);
    span_.nanoseconds = std::max(span_.nanoseconds, cuda::elapsed_ns(resources_.driver(), span_.begin, done));
  }
  HostTransfer piece(std::size_t index) const {
    const std::size_t x = index % across_ * piece_bytes_, y = index / across_ % down_ * piece_rows_,
                      z = index / across_ / down_;
    HostTransfer part = whole_;
    part.device = whole_.device.moved(x, y, z);
    part.host = whole_.host.moved(x, y, z);
    part.region = {std::min(piece_bytes_, whole_.region[0] - x), std::min(piece_rows_, whole_.region[1] - y),
                   1};
    return part;
  }

  DeviceResources& resources_;
  cuda::Stream& stream_;
  const HostTransfer whole_;
  const bool timed_;
  std::size_t threads_ = 1;
  std::vector<cuda::PinnedBlock> blocks_;
  std::size_t piece_bytes_ = 0, piece_rows_ = 0, across_ = 0, down_ = 0, count_ = 0;
  std::atomic<std::size_t> next_ = 0, next_place_ = 0;
  Mutex mutex_ LOCK_RANK(transfer_span);
  DeviceSpan span_ GUARDED_BY(mutex_);
};

// Worker threads that join a transfer. The transfer's owner calls close(), which waits for those that have joined; a thread that comes
// later does nothing, as the transfer may no longer exist.
class Helpers : public std::enable_shared_from_this<Helpers> {
 public:
  explicit Helpers(DeviceResources& resources) : resources_(resources) {}

  void call(std::size_t count, StagedTransfer& transfer) {
    for (std::size_t i = 0; i < count; ++i)
      HostWorkerPool::post([self = shared_from_this(), &transfer] { self->help(transfer); });
  }
  // Rethrows the first failure of a helper.
  void close() {
    MutexLock lock(mutex_);
    closed_ = true;
    while (inside_) left_.wait(lock.native());
    // Moved out, so that the exception is not destroyed by a helper that is the last owner of this object (base/compiler_thread.cpp).
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void help(StagedTransfer& transfer) noexcept {
    {
      MutexLock lock(mutex_);
      if (closed_) return;
      ++inside_;
    }
    std::exception_ptr failure;
    try {
      cuda::Current current(resources_.context());
      transfer.take_part();
    } catch (...) {
      failure = std::current_exception();
    }
    MutexLock lock(mutex_);
    if (failure && !failure_) failure_ = std::move(failure);
    --inside_;
    left_.notify_all();
  }

  DeviceResources& resources_;
  Mutex mutex_ LOCK_RANK(transfer_helpers);
  std::condition_variable left_;
  int inside_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
  std::exception_ptr failure_ GUARDED_BY(mutex_);
};

}  // namespace

HostTransfer HostTransfer::collapsed() const {
  HostTransfer t = *this;
  if (t.device.array) return t;  // an array's rows are not contiguous
  if (t.region[1] == 1) {
    // Slices of one row are rows.
    t.region = {t.region[0], t.region[2], 1};
    t.device.row_pitch = t.device.slice_pitch;
    t.host.row_pitch = t.host.slice_pitch;
  }
  const auto rows_touch = [&](const cuda::BoxSide& side) { return side.row_pitch == t.region[0]; };
  const auto slices_touch = [&](const cuda::BoxSide& side) {
    return side.slice_pitch == t.region[1] * side.row_pitch;
  };
  if (t.region[2] > 1 && slices_touch(t.device) && slices_touch(t.host))
    t.region = {t.region[0], t.region[1] * t.region[2], 1};
  if (t.region[2] == 1 && (t.region[1] == 1 || (rows_touch(t.device) && rows_touch(t.host))))
    t.region = {t.region[0] * t.region[1], 1, 1};
  return t;
}

void pack(const HostTransfer& transfer, std::byte* packed) {
  for_each_row(transfer,
               [&](std::byte* row, std::size_t at) { std::memcpy(packed + at, row, transfer.region[0]); });
}

void pack_past_caches(const HostTransfer& transfer, std::byte* packed) {
  for_each_row(transfer,
               [&](std::byte* row, std::size_t at) { streaming_copy(packed + at, row, transfer.region[0]); });
}

void unpack(const HostTransfer& transfer, const std::byte* packed) {
  for_each_row(transfer,
               [&](std::byte* row, std::size_t at) { std::memcpy(row, packed + at, transfer.region[0]); });
}

cuda::HostMemory host_memory_of(const DeviceResources& resources, const HostTransfer& transfer) {
  using enum cuda::HostMemory;
  if (!transfer.size()) return page_locked;
  const auto* first = static_cast<const std::byte*>(transfer.host.host);
  const std::byte* last = first + (transfer.region[2] - 1) * transfer.host.slice_pitch +
                          (transfer.region[1] - 1) * transfer.host.row_pitch + transfer.region[0] - 1;
  // Without a current context, all may seem pageable, which does no harm as long as nothing is imported.
  std::optional<cuda::Current> current;
  if (!resources.context().registrations().empty()) current.emplace(resources.context());
  const cuda::HostMemory memory =
      cuda::host_memory_of(resources.context(), first, static_cast<std::size_t>(last - first) + 1);
  return memory == pageable && resources.reaches_host_memory() ? shared : memory;
}

bool is_in_reach_of_kernels(const DeviceResources& resources, const HostTransfer& transfer) noexcept {
  return resources.faults_on_host_memory() || transfer.memory == cuda::HostMemory::mixed;
}

void record_direct(cuda::Stream& stream, const HostTransfer& transfer) {
  HostTransfer t = transfer.collapsed();
  if (t.memory == cuda::HostMemory::shared)
    t.host.device = reinterpret_cast<CUdeviceptr>(std::exchange(t.host.host, nullptr));
  t.to_device ? stream.copy_box(t.device, t.host, t.region) : stream.copy_box(t.host, t.device, t.region);
}

void record_packed(cuda::Stream& stream, const HostTransfer& transfer, std::byte* packed) {
  const cuda::BoxSide side{.host = packed,
                           .row_pitch = transfer.region[0],
                           .slice_pitch = transfer.region[0] * transfer.region[1]};
  transfer.to_device ? stream.copy_box(transfer.device, side, transfer.region)
                     : stream.copy_box(side, transfer.device, transfer.region);
}

// The driver does not call the host function if earlier work in the stream has failed.
void OrderedTransfer::record_host_half(cuda::Stream& stream) {
  const auto run = [](void* data) {
    const auto& self = *static_cast<const OrderedTransfer*>(data);
    self.host_half_.to_device ? pack(self.host_half_, self.block_->data())
                              : unpack(self.host_half_, self.block_->data());
  };
  stream.call_on_host(run, this);
}

void OrderedTransfer::record(cuda::Stream& stream, const HostTransfer& device_half) {
  if (host_half_.to_device) record_host_half(stream);
  record_packed(stream, device_half, block_->data());
  if (!host_half_.to_device) record_host_half(stream);
}

bool worth_packing(const DeviceResources& resources, std::size_t size, bool waits) noexcept {
  return size <= (waits ? kPackedByWaiter : kPackedSize) &&
         resources.memory().staging_bytes() <= kMostStaging;
}

bool fits_commands(const HostTransfer& transfer) noexcept {
  const auto& [bytes, rows, slices] = transfer.region;
  return transfer.to_device && !transfer.device.array && rows == 1 && slices == 1 &&
         bytes <= kMostInCommands && transfer.memory == cuda::HostMemory::pageable;
}

void record_in_commands(cuda::Stream& stream, const HostTransfer& transfer) {
  stream.copy_to_device(transfer.device.device, transfer.host.host, transfer.size());
}

void record_taken(DeviceResources& resources, cuda::Stream& stream, const HostTransfer& transfer) {
  if (fits_commands(transfer)) return record_in_commands(stream, transfer);
  std::shared_ptr<cuda::PinnedBlock> packed = resources.memory().lend_staging(transfer.size());
  pack(transfer, packed->data());
  const cuda::DrainOnFailure drain(stream);
  record_packed(stream, transfer, packed->data());
  resources.memory().keep_until_reached(stream, std::move(packed));
}

void rehearse_transfers(DeviceResources& resources, cuda::Stream& stream) {
  constexpr std::size_t kLarge = 64 << 10, kFew = 64;  // copied by an engine, and embedded in commands
  const std::array<std::byte, kFew> few{};
  std::shared_ptr<cuda::PinnedBlock> block = resources.memory().lend_staging(kLarge);
  const StreamMemory memory(resources, kLarge, stream);
  const cuda::DrainOnFailure drain(stream);
  stream.copy_to_device(memory.address(), few.data(), few.size());
  for (const std::size_t size : {kFew, kLarge}) {
    stream.copy_to_device(memory.address(), block->data(), size);
    stream.copy_to_host(block->data(), memory.address(), size);
  }
  resources.memory().keep_until_reached(stream, std::move(block));
}

std::optional<DeviceSpan> run_staged(DeviceResources& resources, cuda::Stream& stream,
                                     const HostTransfer& transfer, bool timed) {
  if (!transfer.size()) return {};
  StagedTransfer staged(resources, stream, transfer, timed);
  const std::size_t threads = staged.threads();
  if (threads < 2) {
    threads ? staged.take_part() : staged.copy_by_driver();
    return staged.take_span();
  }
  auto helpers = std::make_shared<Helpers>(resources);
  std::exception_ptr failure;
  try {
    helpers->call(threads - 1, staged);
    staged.take_part();
  } catch (...) {
    failure = std::current_exception();
  }
  helpers->close();
  if (failure) std::rethrow_exception(failure);
  return staged.take_span();
}

}  // namespace clcuda
