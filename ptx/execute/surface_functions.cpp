// SPDX-License-Identifier: Apache-2.0
// The functions that generated code calls for suld, sust and suq.
#include "ptx/execute/surface_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ptx/abi/surface_clamp.h"
#include "ptx/execute/bindless_objects.h"
#include "ptx/execute/fault_guard.h"
#include "ptx/execute/narrow_float.h"
#include "ptx/execute/texel_query.h"
#include "ptx/execute/texture.h"

namespace clcuda::ptx {
namespace {

const TexelResource& surface_of(std::uint64_t handle) {
  const TexelResource* surface = surfaces().find(handle);
  if (!surface) [[unlikely]]
    raise_fault({FaultKind::illegal_address, handle});
  return *surface;
}

struct Position {
  std::int32_t x, y, z;
  std::uint32_t layer;
};

// The address of `bytes` bytes from byte x of a row; null if the access has no effect.
std::byte* place(const TexelResource& surface, Position at, std::uint32_t bytes, SurfaceClamp clamp) {
  const TexelGrid& grid = surface.levels[0];
  const std::int64_t row_bytes = std::int64_t{grid.width} * surface.format.bytes();
  const std::int64_t last[] = {row_bytes - bytes, surface.dimensions < 2 ? 0 : std::int64_t{grid.height} - 1,
                               std::int64_t{grid.depth} - 1};
  const bool flat = surface.dimensions < 3;
  std::int64_t index[] = {at.x, surface.dimensions < 2 ? 0 : at.y,
                          flat ? (surface.layered ? std::int64_t{at.layer} : 0) : std::int64_t{at.z}};
  for (unsigned i = 0; i < 3; ++i) {
    if (index[i] >= 0 && index[i] <= last[i]) [[likely]]
      continue;
    if (clamp == SurfaceClamp::trap) raise_fault({FaultKind::illegal_address, 0});
    if (clamp == SurfaceClamp::zero || last[i] < 0) return nullptr;
    index[i] = std::clamp<std::int64_t>(index[i], 0, last[i]);
  }
  return grid.base + static_cast<std::uint64_t>(index[2]) * grid.slice_pitch +
         static_cast<std::uint64_t>(index[1]) * grid.row_pitch + static_cast<std::uint64_t>(index[0]);
}

// With a constant size, the copy is an instruction instead of a call.
void copy(void* to, const void* from, std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      std::memcpy(to, from, 1);
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    default:
      std::memcpy(to, from, 16);
  }
}

// Loads `bytes` bytes of a row into the first bytes of the result.
Channels load(std::uint64_t handle, std::uint32_t layer, std::int32_t x, std::int32_t y, std::int32_t z,
              std::uint32_t bytes, std::uint32_t clamp) {
  const std::byte* from =
      place(surface_of(handle), {x, y, z, layer}, bytes, static_cast<SurfaceClamp>(clamp));
  Channels value{};
  if (from) copy(&value, from, bytes);
  return value;
}

void store(std::uint64_t handle, std::uint32_t layer, std::int32_t x, std::int32_t y, std::int32_t z,
           std::uint32_t bytes, std::uint32_t clamp, Channels value) {
  std::byte* to = place(surface_of(handle), {x, y, z, layer}, bytes, static_cast<SurfaceClamp>(clamp));
  if (to) copy(to, &value, bytes);
}

std::uint32_t rounded(float value, float low, float high) {
  const float bounded = std::min(std::max(value == value ? value : 0.0f, low), high);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::nearbyint(bounded)));
}

// Converts a channel to the surface's format. Integers that do not fit are clamped.
std::uint32_t converted(TexelFormat format, std::uint32_t bits) {
  const auto as_float = std::bit_cast<float>(bits);
  const auto as_signed = static_cast<std::int32_t>(bits);
  const std::uint32_t largest = format.bits == 32 ? ~0u : (1u << format.bits) - 1;
  const auto half_range = static_cast<std::int32_t>(largest >> 1);
  switch (format.kind) {
    case ChannelKind::unsigned_integer:
      return std::min(bits, largest);
    case ChannelKind::signed_integer:
      return static_cast<std::uint32_t>(std::clamp(as_signed, -half_range - 1, half_range));
    case ChannelKind::floating:
      return format.bits == 32 ? bits : narrow<5, 10>(as_float, Rounding::nearest);
    case ChannelKind::unorm:
      return rounded(as_float * static_cast<float>(largest), 0, static_cast<float>(largest));
    case ChannelKind::snorm:
      return rounded(as_float * static_cast<float>(half_range), -static_cast<float>(half_range),
                     static_cast<float>(half_range));
  }
  return 0;
}

// x counts elements; the channels are numbers, which are converted to the surface's format.
void store_formatted(std::uint64_t handle, std::uint32_t layer, std::int32_t x, std::int32_t y,
                     std::int32_t z, std::uint32_t clamp, Channels value) {
  const TexelResource& surface = surface_of(handle);
  const TexelFormat format = surface.format;
  const std::int64_t byte = std::int64_t{x} * format.bytes();
  const auto column = static_cast<std::int32_t>(std::clamp<std::int64_t>(
      byte, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
  std::byte* to = place(surface, {column, y, z, layer}, format.bytes(), static_cast<SurfaceClamp>(clamp));
  if (!to) return;
  for (unsigned i = 0; i < format.channels; ++i) {
    const std::uint32_t bits = converted(format, value[i]);
    std::memcpy(to + i * (format.bits / 8u), &bits, format.bits / 8u);
  }
}

std::uint32_t query_surface(std::uint64_t handle, std::uint32_t what) {
  return query(surface_of(handle), static_cast<TexelQuery>(what));
}

}  // namespace

std::span<const RuntimeFunction> surface_functions() {
  static const RuntimeFunction functions[] = {
      {"clcuda_suld", address_of(load)},
      {"clcuda_sust", address_of(store)},
      {"clcuda_sust_formatted", address_of(store_formatted)},
      {"clcuda_suq", address_of(query_surface)},
  };
  return functions;
}

}  // namespace clcuda::ptx
