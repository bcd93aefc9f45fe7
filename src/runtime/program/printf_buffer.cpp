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

constexpr std::size_t kCapacity = PrintfBuffer::kSize - sizeof(clcuda_printf_buffer);
// Copied back together with the head, which is all that most launches print.
constexpr std::size_t kFirstPart = 16 << 10;

// The texts of launches that end at the same time do not mix.
void write_out(const std::string& text) {
  static Mutex& mutex = *new Mutex(LockRank::printf_output);
  MutexLock lock(mutex);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    log::warning("printf: the standard output does not take what a kernel printed");
}

}  // namespace

PrintfBuffer::PrintfBuffer(DeviceResources& resources, cuda::Stream& stream)
    : resources_(resources), memory_(resources, kSize, stream) {
  stream.fill(address(), 0, 4, 1);
  stream.fill(address() + offsetof(clcuda_printf_buffer, capacity), kCapacity, 4, 1);
}

void PrintfBuffer::print(const std::vector<std::string>& formats) {
  cuda::Current current(resources_.context());
  const cuda::PinnedBlock block = resources_.allocate_pinned(kSize);
  ScopedStream stream(resources_);
  stream->copy_to_host(block.data(), address(), kFirstPart);
  stream->synchronize();
  clcuda_printf_buffer head;
  std::memcpy(&head, block.data(), sizeof head);
  if (head.used == 0) return;
  if (head.used > kCapacity)
    log::warning("printf: a launch printed more than its buffer holds; the rest is lost");
  const std::size_t end = sizeof head + std::min<std::size_t>(head.used, kCapacity);
  if (end > kFirstPart) {
    stream->copy_to_host(block.data() + kFirstPart, address() + kFirstPart, end - kFirstPart);
    stream->synchronize();
  }
  write_out(printf_text({block.data() + sizeof head, end - sizeof head}, formats));
}

}  // namespace clcuda
