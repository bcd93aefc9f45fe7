// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/sampler.h"

#include <algorithm>
#include <cstring>

#include "builtins/image_descriptor.h"

namespace clcuda {
namespace {

std::uint32_t addressing_of(cl_addressing_mode mode) {
  switch (mode) {
    case CL_ADDRESS_CLAMP:
      return CLCUDA_SAMPLER_CLAMP;
    case CL_ADDRESS_REPEAT:
      return CLCUDA_SAMPLER_REPEAT;
    case CL_ADDRESS_MIRRORED_REPEAT:
      return CLCUDA_SAMPLER_MIRRORED_REPEAT;
    default:
      return CLCUDA_SAMPLER_CLAMP_TO_EDGE;
  }
}

std::uint64_t half_bits(float value) {
  const auto half = static_cast<_Float16>(value);
  std::uint16_t bits = 0;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

}  // namespace

std::uint64_t Sampler::number() const {
  std::uint64_t number = clcuda_sampler_number(addressing_of(state_.addressing), state_.normalized,
                                               state_.filter == CL_FILTER_LINEAR);
  if (state_.mip_filter == CL_FILTER_LINEAR) number |= CLCUDA_SAMPLER_MIP_LINEAR;
  number |= half_bits(state_.lod_min) << CLCUDA_LOD_SHIFT;
  number |= (half_bits(state_.lod_max) ^ CLCUDA_LOD_INFINITY) << (CLCUDA_LOD_SHIFT + 16);
  return number;
}

}  // namespace clcuda
