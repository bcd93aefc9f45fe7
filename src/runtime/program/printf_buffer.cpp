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

// Holds the lock of the standard output, so that the texts of launches that end at the same time do not mix.
class StandardOutput {
 public:
  StandardOutput() { flockfile(stdout); }
  ~StandardOutput() {
    taken_ &= std::fflush(stdout) == 0;
    funlockfile(stdout);
    if (!taken_) log::warning("printf: the standard output does not take what a kernel printed");
  }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  void write(std::string_view text) {
    taken_ &= std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  }

 private:
  bool taken_ = true;
};

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

bool PrintfBuffer::fetch() {
  if (fetched_) return head_.used > 0;
  cuda::Current current(resources_.context());
  const std::size_t first = std::min(kFirstPart, share_.size());
  cuda::PinnedBlock block = resources_.memory().allocate_pinned(share_.size());
  ScopedStream stream(resources_);
  const cuda::DrainOnFailure drain(*stream);
  stream->copy_to_host(block.data(), address(), first);
  stream->synchronize();
  std::memcpy(&head_, block.data(), sizeof head_);
  const std::size_t end = sizeof head_ + std::min(head_.used, capacity());
  if (end > first) {
    stream->copy_to_host(block.data() + first, address() + first, end - first);
    stream->synchronize();
  }
  fetched_ = std::move(block);
  return head_.used > 0;
}

void PrintfBuffer::print(const std::vector<std::string>& formats) {
  if (!fetch()) return;
  if (head_.used > capacity())
    log::warning("printf: a launch printed more than its buffer holds; the rest is lost");
  StandardOutput output;
  print_records({fetched_.data() + sizeof head_, std::min(head_.used, capacity())}, formats,
                [&](std::string_view text) { output.write(text); });
}

}  // namespace clcuda
