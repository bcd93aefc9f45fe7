// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/printf_buffer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/log.h"
#include "builtins/printf_record.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/program/printf.h"

namespace clcuda {
namespace {

// The bytes that are copied back first, with the head; most launches print no more.
constexpr std::size_t kFirstPart = 16 << 10;

// Writes by one call, so that the texts of launches that end at the same time do not mix.
void write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    log::warning("printf: the standard output does not take what a kernel printed");
}

}  // namespace

std::size_t PrintfBuffer::size_for(std::size_t items, std::uint32_t bytes) noexcept {
  constexpr std::size_t kHead = sizeof(clcuda_printf_buffer);
  return bytes == 0 || items > (kMost - kHead) / bytes ? kMost : kHead + items * bytes;
}

PrintfBuffer::PrintfBuffer(DeviceResources& resources, cuda::Stream& stream, std::size_t size,
                           Watched* launch)
    : resources_(resources),
      share_(resources.printf_memory(), size, launch),
      memory_(resources, size, stream) {
  stream.fill(address(), 0, 4, 1);
  stream.fill(address() + offsetof(clcuda_printf_buffer, capacity), capacity(), 4, 1);
}

void PrintfBuffer::print(const std::vector<std::string>& formats) {
  cuda::Current current(resources_.context());
  const std::size_t first = std::min(kFirstPart, share_.size());
  const cuda::PinnedBlock block = resources_.memory().allocate_pinned(share_.size());
  ScopedStream stream(resources_);
  const cuda::DrainOnFailure drain(*stream);
  stream->copy_to_host(block.data(), address(), first);
  stream->synchronize();
  clcuda_printf_buffer head;
  std::memcpy(&head, block.data(), sizeof head);
  if (head.used == 0) return;
  if (head.used > capacity())
    log::warning("printf: a launch printed more than its buffer holds; the rest is lost");
  const std::size_t end = sizeof head + std::min(head.used, capacity());
  if (end > first) {
    stream->copy_to_host(block.data() + first, address() + first, end - first);
    stream->synchronize();
  }
  write_out(printf_text({block.data() + sizeof head, end - sizeof head}, formats));
}

}  // namespace clcuda
