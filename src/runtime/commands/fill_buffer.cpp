// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/fill_buffer.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/commands/seed_fill.h"
#include "runtime/queue/command_queue.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {
namespace {

// Halves the pattern as long as both halves are the same.
void reduce(std::vector<std::byte>& pattern) {
  std::span<const std::byte> part(pattern);
  while (part.size() > 1 && std::ranges::equal(part.first(part.size() / 2), part.last(part.size() / 2)))
    part = part.first(part.size() / 2);
  pattern.resize(part.size());
}

}  // namespace

FillBuffer::FillBuffer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const void* pattern,
                       std::size_t pattern_size, std::size_t offset, std::size_t size)
    : Command(queue, type),
      pattern_(static_cast<const std::byte*>(pattern), static_cast<const std::byte*>(pattern) + pattern_size),
      offset_(offset),
      size_(size) {
  reduce(pattern_);
  uses_.emplace_back(buffer, ByteRange{offset, offset + size}, Access::overwrite);
}

FillBuffer::FillBuffer(CommandQueue& queue, cl_command_type type, Ref<SvmAllocation> memory,
                       CUdeviceptr begin, const void* pattern, std::size_t pattern_size, std::size_t size)
    : Command(queue, type),
      pattern_(static_cast<const std::byte*>(pattern), static_cast<const std::byte*>(pattern) + pattern_size),
      memory_(std::move(memory)),
      offset_(begin),
      size_(size) {
  reduce(pattern_);
}

void FillBuffer::prepare() {
  if (is_memset() || !size_) return;
  seed_ = make_seed(queue()->resources(), pattern_, size_);
}

void FillBuffer::emit(cuda::Stream& stream) {
  if (!size_) return;
  const CUdeviceptr begin = (uses_.empty() ? 0 : uses_.front().address()) + offset_;
  if (!is_memset()) return fill_by_doubling(stream, begin);
  std::uint32_t value = 0;
  std::memcpy(&value, pattern_.data(), pattern_.size());
  stream.fill(begin, value, static_cast<unsigned>(pattern_.size()), size_ / pattern_.size());
}

void FillBuffer::fill_by_doubling(cuda::Stream& stream, CUdeviceptr begin) const {
  std::size_t filled = put_seed(seed_.get(), stream, begin, pattern_, size_);
  for (; filled < size_; filled += std::min(filled, size_ - filled))
    stream.copy_on_device(begin + filled, begin, std::min(filled, size_ - filled));
}

}  // namespace clcuda
