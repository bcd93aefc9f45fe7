// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/native_kernel.h"

#include <algorithm>
#include <cstring>

#include "runtime/device/host_worker_pool.h"
#include "runtime/platform/application_call.h"
#include "runtime/queue/command_queue.h"

namespace clcuda {
namespace {

// Memory of the device, and its copy in host memory. Buffers that overlap are in one copy, as they share bytes.
struct HostCopy {
  CUdeviceptr begin, end;
  cuda::PinnedBlock bytes{};
  std::vector<std::byte> before{};

  std::size_t size() const { return end - begin; }
};

std::vector<HostCopy> united(std::span<const MemoryUse> uses) {
  std::vector<HostCopy> ranges;
  for (const MemoryUse& use : uses) ranges.push_back({use.address(), use.address() + use.size()});
  std::ranges::sort(ranges, {}, &HostCopy::begin);
  std::vector<HostCopy> all;
  for (HostCopy& range : ranges) {
    if (!all.empty() && range.begin < all.back().end)
      all.back().end = std::max(all.back().end, range.end);
    else
      all.push_back(std::move(range));
  }
  return all;
}

// Writes the bytes that the function has changed: others may be written by commands that run at the same time.
void write_back(const HostCopy& copy, cuda::Stream& stream) {
  constexpr std::size_t kMostRuns = 4096;
  const std::byte *now = copy.bytes.data(), *before = copy.before.data();
  const auto changed_at = [&](std::size_t i) { return now[i] != before[i]; };
  const auto write = [&](std::size_t from, std::size_t to) {
    if (from < to) stream.copy_to_device(copy.begin + from, now + from, to - from);
  };
  std::size_t runs = 0;
  for (std::size_t i = 0; i < copy.size();) {
    i += static_cast<std::size_t>(std::mismatch(now + i, now + copy.size(), before + i).first - (now + i));
    std::size_t end = i;
    while (end < copy.size() && changed_at(end)) ++end;
    // Each run is a command of its own, so very many of them are written as one range.
    if (++runs == kMostRuns) end = copy.size();
    write(i, end);
    i = end;
  }
}

}  // namespace

void NativeKernel::perform(cuda::Stream& stream) {
  std::vector<HostCopy> copies = united(uses_);
  const cuda::DrainOnFailure drain(stream);
  for (HostCopy& copy : copies) {
    copy.bytes = queue()->resources().memory().allocate_pinned(copy.size());
    stream.copy_to_host(copy.bytes.data(), copy.begin, copy.size());
  }
  stream.synchronize();
  tell_running();
  for (HostCopy& copy : copies) copy.before.assign(copy.bytes.data(), copy.bytes.data() + copy.size());
  for (const MemoryUse& use : uses_) {
    const auto holds = [&](const HostCopy& copy) {
      return use.address() >= copy.begin && use.address() + use.size() <= copy.end;
    };
    const HostCopy& copy = *std::ranges::find_if(copies, holds);
    const void* pointer = copy.bytes.data() + (use.address() - copy.begin);
    std::memcpy(bytes_.data() + use.parameter(), static_cast<const void*>(&pointer), sizeof pointer);
  }
  const HostWorkerPool::Outside outside;
  if (!call_application([&] { function_(bytes_.empty() ? nullptr : bytes_.data()); }))
    throw Error(CL_OUT_OF_RESOURCES, "a native kernel was not run, as the process ends");
  for (const HostCopy& copy : copies) write_back(copy, stream);
  stream.synchronize();
}

}  // namespace clcuda
