// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/seed_fill.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/device/device_resources.h"
#include "runtime/memory/host_transfer.h"

namespace clcuda {
namespace {

constexpr std::size_t kSeed = 64 << 10;

// Writes one pattern, word by word.
std::size_t fill_words(cuda::Stream& stream, CUdeviceptr begin, std::span<const std::byte> pattern) {
  const std::size_t size = std::min<std::size_t>(pattern.size(), 4);
  for (std::size_t at = 0; at < pattern.size(); at += size) {
    std::uint32_t word = 0;
    std::memcpy(&word, pattern.data() + at, size);
    stream.fill(begin + at, word, static_cast<unsigned>(size), 1);
  }
  return pattern.size();
}

}  // namespace

std::shared_ptr<cuda::PinnedBlock> make_seed(DeviceResources& resources, std::span<const std::byte> pattern,
                                             std::size_t size) {
  const std::size_t filled = std::min(size, kSeed);
  if (!worth_packing(resources, filled, false)) return nullptr;
  std::shared_ptr<cuda::PinnedBlock> seed = resources.memory().lend_staging(filled);
  for (std::size_t at = 0; at < filled; at += pattern.size())
    std::memcpy(seed->data() + at, pattern.data(), pattern.size());
  return seed;
}

std::size_t put_seed(const cuda::PinnedBlock* seed, cuda::Stream& stream, CUdeviceptr begin,
                     std::span<const std::byte> pattern, std::size_t size) {
  if (!seed) return fill_words(stream, begin, pattern);
  const std::size_t filled = std::min(size, kSeed);
  stream.copy_to_device(begin, seed->data(), filled);
  return filled;
}

}  // namespace clcuda
