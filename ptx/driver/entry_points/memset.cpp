// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "ptx/driver/address_range.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/stream.h"
#include "ptx/driver/transfer.h"
#include "ptx/driver/work_command.h"

namespace clcuda::ptx::driver {
namespace {

template <class T>
class MemsetCommand final : public WorkCommand {
 public:
  MemsetCommand(const Stream& stream, CUdeviceptr destination, T value, std::size_t count)
      : WorkCommand(stream.high_priority()),
        destination_(reinterpret_cast<T*>(destination)),
        value_(value),
        count_(count) {}

  Progress start(Stream& stream) noexcept override {
    if (count_ * sizeof(T) <= kInlineBytes) {
      std::fill_n(destination_, count_, value_);
      return Progress::finished;
    }
    set_pieces((count_ + kPiece - 1) / kPiece, count_ * sizeof(T) / kBytesPerNanosecond);
    return WorkCommand::start(stream);
  }

 private:
  static constexpr std::size_t kPiece = kPieceBytes / sizeof(T);
  void run(std::uint64_t begin, std::uint64_t end, WorkerThread&) noexcept override {
    std::fill(destination_ + begin * kPiece, destination_ + std::min(end * kPiece, count_), value_);
  }

  T* const destination_;
  const T value_;
  const std::size_t count_;
};

template <class T>
CUresult memset_async(CUdeviceptr destination, T value, std::size_t count, CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    require(destination % sizeof(T) == 0 && count <= std::numeric_limits<std::size_t>::max() / sizeof(T));
    if (count == 0) return CUDA_SUCCESS;
    require_range(destination, count * sizeof(T));
    stream->enqueue(std::make_unique<MemsetCommand<T>>(*stream, destination, value, count));
    return CUDA_SUCCESS;
  });
}

}  // namespace

CUresult cuMemsetD8Async(CUdeviceptr destination, unsigned char value, std::size_t count, CUstream stream) {
  return memset_async(destination, value, count, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr destination, unsigned short value, std::size_t count, CUstream stream) {
  return memset_async(destination, value, count, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr destination, unsigned value, std::size_t count, CUstream stream) {
  return memset_async(destination, value, count, stream);
}

}  // namespace clcuda::ptx::driver
