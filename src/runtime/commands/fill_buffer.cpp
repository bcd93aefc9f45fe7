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

using Pattern = std::span<const std::byte>;

// Halves the pattern as long as both halves are the same.
Pattern reduced(Pattern pattern) {
  while (pattern.size() > 1 &&
         std::ranges::equal(pattern.first(pattern.size() / 2), pattern.last(pattern.size() / 2)))
    pattern = pattern.first(pattern.size() / 2);
  return pattern;
}

Pattern reduced(const void* pattern, std::size_t size) {
  return reduced({static_cast<const std::byte*>(pattern), size});
}

std::vector<std::byte> copied(Pattern pattern) { return {pattern.begin(), pattern.end()}; }

bool is_memset(Pattern pattern) { return pattern.size() <= 4; }

CUdeviceptr begin_of(std::span<const MemoryUse> uses, std::size_t offset) {
  return (uses.empty() ? 0 : uses.front().address()) + offset;
}

void set_memory(cuda::Stream& stream, CUdeviceptr begin, Pattern pattern, std::size_t size) {
  std::uint32_t value = 0;
  std::memcpy(&value, pattern.data(), pattern.size());
  stream.fill(begin, value, static_cast<unsigned>(pattern.size()), size / pattern.size());
}

bool fill(CommandQueue& queue, cl_command_type type, std::span<MemoryUse> uses, std::size_t offset,
          Pattern pattern, std::size_t size) {
  if (!is_memset(pattern) || !size) return false;
  return queue.record_directly({.type = type, .bytes = size}, uses, [&](cuda::Stream& stream) {
    set_memory(stream, begin_of(uses, offset), pattern, size);
  });
}

}  // namespace

bool fill_directly(CommandQueue& queue, Buffer& buffer, const void* pattern, std::size_t pattern_size,
                   std::size_t offset, std::size_t size) {
  MemoryUse use(buffer, ByteRange{offset, offset + size}, Access::overwrite);
  return fill(queue, CL_COMMAND_FILL_BUFFER, {&use, 1}, offset, reduced(pattern, pattern_size), size);
}

bool fill_directly(CommandQueue& queue, cl_command_type type, CUdeviceptr begin, const void* pattern,
                   std::size_t pattern_size, std::size_t size) {
  return fill(queue, type, {}, begin, reduced(pattern, pattern_size), size);
}

FillBuffer::FillBuffer(CommandQueue& queue, cl_command_type type, Buffer& buffer, const void* pattern,
                       std::size_t pattern_size, std::size_t offset, std::size_t size)
    : Command(queue, type), pattern_(copied(reduced(pattern, pattern_size))), offset_(offset), size_(size) {
  uses_.emplace_back(buffer, ByteRange{offset, offset + size}, Access::overwrite);
}

FillBuffer::FillBuffer(CommandQueue& queue, cl_command_type type, Ref<SvmAllocation> memory,
                       CUdeviceptr begin, const void* pattern, std::size_t pattern_size, std::size_t size)
    : Command(queue, type),
      pattern_(copied(reduced(pattern, pattern_size))),
      memory_(std::move(memory)),
      offset_(begin),
      size_(size) {}

void FillBuffer::prepare() {
  if (is_memset(pattern_) || !size_) return;
  seed_ = make_seed(queue()->resources(), pattern_, size_);
}

void FillBuffer::emit(cuda::Stream& stream) {
  if (!size_) return;
  const CUdeviceptr begin = begin_of(uses_, offset_);
  if (is_memset(pattern_)) return set_memory(stream, begin, pattern_, size_);
  fill_by_doubling(stream, begin);
}

void FillBuffer::fill_by_doubling(cuda::Stream& stream, CUdeviceptr begin) const {
  std::size_t filled = put_seed(seed_.get(), stream, begin, pattern_, size_);
  for (; filled < size_; filled += std::min(filled, size_ - filled))
    stream.copy_on_device(begin + filled, begin, std::min(filled, size_ - filled));
}

}  // namespace clcuda
