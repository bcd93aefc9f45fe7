// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The interface between the driver, which makes arrays, textures and surfaces, and the execution of kernels, which accesses their elements.
namespace clcuda::ptx {

// How the bits of a channel represent a number.
enum class ChannelKind : std::uint8_t { unsigned_integer, signed_integer, floating, unorm, snorm };

// The format of an element: {ChannelKind::unorm, 8, 4} is RGBA with 8 bits a channel, 4 bytes in all.
struct TexelFormat {
  ChannelKind kind = ChannelKind::unsigned_integer;
  std::uint8_t bits = 8;      // of a channel
  std::uint8_t channels = 1;  // 1, 2 or 4

  std::uint32_t bytes() const { return std::uint32_t{bits} / 8 * channels; }
  bool operator==(const TexelFormat&) const = default;
};

// The memory of one mip level. Extents are in elements, and 1 in dimensions that the level does not have; the layers of a layered level
// are its slices.
struct TexelGrid {
  std::byte* base = nullptr;
  std::uint64_t row_pitch = 0, slice_pitch = 0;  // in bytes
  std::uint32_t width = 1, height = 1, depth = 1;
};

constexpr unsigned kMaxMipLevels = 18;  // enough for 131072 elements

// What a texture or a surface accesses. Refers to memory that others own.
struct TexelResource {
  TexelFormat format;
  std::uint8_t dimensions = 1;  // without layers
  bool layered = false;
  std::uint8_t level_count = 1;
  std::array<TexelGrid, kMaxMipLevels> levels{};
};

}  // namespace clcuda::ptx
