// SPDX-License-Identifier: Apache-2.0
#include "cuda/array_pool.h"

#include <algorithm>
#include <iterator>

namespace clcuda::cuda {
namespace {

constexpr std::size_t kMostArrays = 256, kSmallest = 64 << 10;

std::size_t channel_size(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    default:
      return 4;
  }
}

// The approximate size of an array in memory.
std::size_t size_of(const Array& array) {
  const CUDA_ARRAY3D_DESCRIPTOR& shape = array.shape();
  const std::size_t texels =
      shape.Width * std::max<std::size_t>(shape.Height, 1) * std::max<std::size_t>(shape.Depth, 1);
  const std::size_t size = texels * shape.NumChannels * channel_size(shape.Format);
  return std::max(array.levels() > 1 ? size / 3 * 4 : size, kSmallest);
}

bool equal(const CUDA_ARRAY3D_DESCRIPTOR& a, const CUDA_ARRAY3D_DESCRIPTOR& b) {
  return a.Width == b.Width && a.Height == b.Height && a.Depth == b.Depth && a.Format == b.Format &&
         a.NumChannels == b.NumChannels && a.Flags == b.Flags;
}

}  // namespace

std::unique_ptr<Array> ArrayPool::take(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels,
                                       Stream& stream) {
  Unused found = find(shape, levels);
  if (!found.array) return std::make_unique<Array>(context_, shape, levels);
  for (const Event& use : found.uses) stream.wait(use);
  return std::move(found.array);
}

// The oldest array of that shape, whose last uses are most likely to have completed.
ArrayPool::Unused ArrayPool::find(const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels) {
  MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(unused_, [&](const Unused& unused) {
    return unused.array->levels() == levels && equal(unused.array->shape(), shape);
  });
  if (found == unused_.end()) return {};
  Unused taken = std::move(*found);
  unused_.erase(found);
  size_ -= taken.size;
  return taken;
}

std::vector<std::unique_ptr<Array>> ArrayPool::give_back(std::unique_ptr<Array>& array,
                                                         std::vector<Event> uses) {
  std::vector<std::unique_ptr<Array>> excess;
  std::list<Unused> entry(1);
  const std::size_t size = size_of(*array);
  entry.front() = {std::move(array), std::move(uses), size};
  MutexLock lock(mutex_);
  unused_.splice(unused_.end(), entry);
  size_ += size;
  while (size_ > most_ || unused_.size() > kMostArrays) {
    size_ -= unused_.front().size;
    excess.push_back(std::move(unused_.front().array));
    unused_.pop_front();
  }
  return excess;
}

// Work may have used an array since the caller found the device idle: it would miss the array's textures, whose end does not wait.
void ArrayPool::trim() noexcept {
  const auto is_in_use = [](const Unused& unused) {
    return std::ranges::any_of(unused.uses,
                               [](const Event& use) { return use.query() == CUDA_ERROR_NOT_READY; });
  };
  std::list<Unused> ended;
  MutexLock lock(mutex_);
  for (auto unused = unused_.begin(); unused != unused_.end();) {
    const auto next = std::next(unused);
    if (!is_in_use(*unused)) {
      size_ -= unused->size;
      ended.splice(ended.end(), unused_, unused);
    }
    unused = next;
  }
}

}  // namespace clcuda::cuda
