// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "cuda/event.h"
#include "cuda/launch_shape.h"
#include "cuda/module.h"
#include "cuda/partition.h"
#include "cuda/timed_launch.h"

namespace clcuda::cuda {

// The events at the beginning and the end of work in a stream (Stream::begin, launch, end).
struct Timing {
  Event start, end;
  // If there is one, the end of the work in front, which is the start unless other work comes in between; then it changes places with it.
  Event end_in_front;
  std::uint64_t decided_at = 0;  // Stream::recorded() when that, or `alone`, was decided
  bool alone = false;            // there is no work in front
  bool begun = false, begun_by_end = false;
  std::uint64_t ended_at = 0;  // Stream::recorded() behind a launch that recorded `end` as well; 0: none
};

// Source or destination of a 3D copy: the box's address on device or host and its pitches in bytes; or a CUDA array and the origin in it
// (bytes, rows, slices or layers).
struct BoxSide {
  CUdeviceptr device = 0;
  void* host = nullptr;  // not null: host memory
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
  CUarray array = nullptr;  // not null: an array
  std::array<std::size_t, 3> place{};

  // The part of the box from this origin.
  BoxSide moved(std::size_t bytes, std::size_t rows, std::size_t slices) const;
};

// A non-blocking CUDA stream. Every call needs its context current; driver errors are thrown as DriverError.
class Stream {
 public:
  // A stream in a partition of the device, or on the whole device. mark() takes its events from `events`.
  explicit Stream(EventPool& events, const Partition* partition = nullptr);
  // A stream on the whole device, with a priority.
  Stream(EventPool& events, int priority);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  CUstream handle() const { return stream_; }
  const DeviceContext& context() const { return context_; }
  const Partition* partition() const { return partition_; }

  // `parameters`: one buffer of `size` bytes, laid out as the kernel declares its parameters. If `timing` has not begun, begins it, and may
  // record its end as well (TimedLaunch).
  void launch(const Function& function, const LaunchShape& shape, void* parameters, std::size_t size,
              Timing* timing = nullptr);
  // Records the event of a beginning, unless that is done; that of an end, unless a launch that was the last work has done it. Returns
  // recorded() behind the end.
  void begin(Timing& timing);
  std::uint64_t end(const Timing& timing);

  // Counts submissions: equal values mean that nothing was submitted in between.
  std::uint64_t recorded() const noexcept { return recorded_.load(std::memory_order_relaxed); }
  // The value of recorded() behind work that has been seen to complete without an error; the work before it has, too.
  std::uint64_t completed() const noexcept { return completed_.load(std::memory_order_acquire); }
  void note_completed(std::uint64_t recorded) noexcept;
  // Returns recorded() behind the event, whatever other threads submit meanwhile.
  std::uint64_t record(const Event& event);
  // An event that happens when everything submitted so far has completed.
  Event mark();
  // Orders the next work in the stream after the event (cuStreamWaitEvent).
  void wait(const Event& event);
  // The same for an event of the application: waits for what the event has recorded.
  void wait_for(CUevent event);
  // Orders the next work in the application's stream after all work that is now in this one.
  void hold_back(CUstream other);
  // To be called when the application has put work into this stream itself: orders the next work after that. No call to the driver.
  void follow_foreign_work() noexcept;
  // cuLaunchHostFunc: the function must not call the driver.
  void call_on_host(CUhostFn function, void* data);
  // CUDA_SUCCESS if everything submitted has completed, CUDA_ERROR_NOT_READY if not, or the device's error.
  CUresult query() const noexcept;
  // Waits until everything submitted has completed (waiting.h).
  void synchronize();
  // The same without exceptions; returns the reason if the submitted work can never complete.
  CUresult drain() noexcept;

  // Asynchronous linear copies of `size` bytes, in stream order if host memory is page-locked or shared (HostMemory).
  void copy_to_device(CUdeviceptr to, const void* from, std::size_t size);
  void copy_to_host(void* to, CUdeviceptr from, std::size_t size);
  void copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t size);
  void copy_from_peer(CUdeviceptr to, const DeviceContext& other, CUdeviceptr from, std::size_t size);
  void copy_between_peers(CUdeviceptr to, const DeviceContext& to_context, CUdeviceptr from,
                          const DeviceContext& from_context, std::size_t size);
  // Copies a box of region[0] bytes × region[1] rows × region[2] slices. The driver's limits on pitches do not apply.
  void copy_box(const BoxSide& to, const BoxSide& from, const std::array<std::size_t, 3>& region);

  // Prefetches managed memory to this stream's device or to the host. A hint, ignored if the driver lacks it.
  void prefetch(CUdeviceptr address, std::size_t size, bool to_host);

  // Writes a `pattern` of 1, 2 or 4 bytes `count` times.
  void fill(CUdeviceptr to, std::uint32_t pattern, unsigned pattern_size, std::size_t count);

 private:
  // The stream's handle for a driver call that submits other work than a kernel or an event. Notes the work before the call and, at the
  // end of the expression, behind it, since another thread may launch a kernel meanwhile.
  class Extension {
   public:
    explicit Extension(Stream& stream) noexcept : stream_(stream) { note(); }
    ~Extension() { note(); }
    Extension(const Extension&) = delete;
    Extension& operator=(const Extension&) = delete;
    operator CUstream() const noexcept { return stream_.stream_; }

   private:
    void note() noexcept { stream_.other_work_.fetch_add(1, std::memory_order_relaxed); }
    Stream& stream_;
  };
  Extension extend() noexcept {
    count();
    return Extension(*this);
  }
  std::uint64_t count() noexcept { return recorded_.fetch_add(1, std::memory_order_relaxed) + 1; }
  // After a failure: what begins next is the beginning.
  static void begin_anew(Timing& timing) noexcept;
  bool launch_between(Timing& timing, const Function& function, const LaunchShape& shape,
                      LaunchParameters& parameters);
  void copy_plain(const BoxSide& to, const BoxSide& from, std::size_t size);
  // How many of `size` bytes, beginning at an address, one driver call may copy or fill (HostRegistrations).
  std::size_t part(CUdeviceptr address, std::size_t size) const noexcept;
  std::size_t part(const BoxSide& side, std::size_t size) const noexcept;
  bool is_in_one_piece(const BoxSide& side, const std::array<std::size_t, 3>& region) const noexcept;
  void fill_once(CUdeviceptr to, std::uint32_t pattern, unsigned pattern_size, std::size_t count);
  void fill_unaligned(CUdeviceptr to, std::uint32_t pattern, unsigned pattern_size, std::size_t count);
  void copy_box_once(const BoxSide& to, const BoxSide& from, const std::array<std::size_t, 3>& region);

  EventPool& events_;
  const DeviceContext& context_;
  const DriverTable& driver_;
  const Partition* const partition_;
  CUstream stream_ = nullptr;
  std::atomic<std::uint64_t> recorded_ = 0, completed_ = 0;
  // A grid overlaps the one in front of it if there has been no other work since: if both numbers are the same. Events do not count, as
  // they happen when the grid in front of them has ended; nor do allocations and frees in stream order, as a grid waits before it uses
  // memory. kNever: the last grid must not be overlapped.
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::atomic<std::uint64_t> other_work_ = 0;
  std::uint64_t work_at_launch_ = kNever;  // for the thread that launches
  TimedLaunch timed_launch_;               // the same
};

// A submission may fail when part of it is in the stream already and uses host memory. During stack unwinding, the destructor waits for the
// stream, so that memory declared before it can be released.
//
//   PinnedBlock block = …;
//   const DrainOnFailure drain(stream);
//   stream.copy_to_device(address, block.data(), block.size());
class DrainOnFailure {
 public:
  explicit DrainOnFailure(Stream& stream) : stream_(stream), exceptions_(std::uncaught_exceptions()) {}
  ~DrainOnFailure() {
    if (std::uncaught_exceptions() > exceptions_) stream_.drain();
  }
  DrainOnFailure(const DrainOnFailure&) = delete;
  DrainOnFailure& operator=(const DrainOnFailure&) = delete;

 private:
  Stream& stream_;
  const int exceptions_;
};

}  // namespace clcuda::cuda
