// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "images.h"

// Section 8.2 of the specification, computed on the host: the texels that a read uses, and their weights.
namespace test {

// A type of image with up to three axes; the last axis of an array is the layer.
struct FilteredKind {
  cl_mem_object_type type;
  const char *name, *coordinates;  // of the float4 `at`
  int filtered;                    // the number of filtered axes
};
inline constexpr FilteredKind kFilteredKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "at.x", 1},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "at.xy", 1},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "at.xy", 2},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "at", 2},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "at", 3},
};

// A kernel that reads the first channel at float4 coordinates; `level` is "" or ", at.w".
inline std::string sampling_source(const FilteredKind& kind, const std::string& level = "") {
  return std::string("kernel void sample(read_only ") + kind.name +
         " image, sampler_t s, global const float4* places, global float* colors) {"
         "  const float4 at = places[get_global_id(0)];"
         "  colors[get_global_id(0)] = read_imagef(image, s, " +
         kind.coordinates + level + ").x; }";
}

inline int clamped(int i, int low, int high) { return i < low ? low : i > high ? high : i; }

// Section 8.2: the unnormalized coordinate u of s, by addressing mode.
inline double place(float s, int size, bool normalized, cl_addressing_mode mode) {
  if (!normalized) return s;
  if (mode == CL_ADDRESS_REPEAT) return (s - std::floor(s)) * size;
  if (mode == CL_ADDRESS_MIRRORED_REPEAT) return std::fabs(s - 2.0 * std::rint(0.5 * s)) * size;
  return static_cast<double>(s) * size;
}

// The index of the texel that is used for an index outside of the image; -1 and `size` select the border colour.
inline int index_of(int i, int size, cl_addressing_mode mode) {
  switch (mode) {
    case CL_ADDRESS_REPEAT:
      return i < 0 ? i + size : i >= size ? i - size : i;
    case CL_ADDRESS_CLAMP:
      return clamped(i, -1, size);
    default:
      return clamped(i, 0, size - 1);
  }
}

// A texel of an image with one channel, or 0 outside of it. Layers are the last axis of `size`.
inline double texel_at(const std::vector<float>& texels, const Size3& size, const int (&place)[3]) {
  for (int axis = 0; axis < 3; ++axis)
    if (place[axis] < 0 || place[axis] >= static_cast<int>(size[axis])) return 0;
  return texels[(static_cast<size_t>(place[2]) * size[1] + static_cast<size_t>(place[1])) * size[0] +
                static_cast<size_t>(place[0])];
}

// The result of linear filtering for one channel, at unnormalized coordinates.
inline double filtered(const std::vector<float>& texels, const Size3& size, const FilteredKind& kind,
                       cl_addressing_mode mode, const double (&at)[3]) {
  double sum = 0;
  for (int corner = 0; corner < 1 << kind.filtered; ++corner) {
    double weight = 1;
    int place[3] = {};
    for (int axis = 0; axis < 3; ++axis) {
      const int last = static_cast<int>(size[static_cast<size_t>(axis)]) - 1;
      if (axis >= kind.filtered) {
        place[axis] = clamped(static_cast<int>(std::rint(at[axis])), 0, last);
        continue;
      }
      const double first = std::floor(at[axis] - 0.5), fraction = at[axis] - 0.5 - first;
      const int second = corner >> axis & 1;
      weight *= second ? fraction : 1 - fraction;
      place[axis] = index_of(static_cast<int>(first) + second, last + 1, mode);
    }
    sum += weight * texel_at(texels, size, place);
  }
  return sum;
}

inline std::vector<float> random_places(int count, float low, float high) {
  std::vector<float> places;
  std::uniform_real_distribution<float> distribution(low, high);
  for (int i = 0; i < count; ++i) places.push_back(distribution(random_engine()));
  return places;
}

// Random float4 coordinates inside and outside of an image, normalized or in texels; layers are integers.
inline std::vector<float> random_places(const FilteredKind& kind, const Size3& size, int count,
                                        bool normalized) {
  std::vector<float> places = random_places(4 * count, -0.2f, 1.2f);
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t axis = i % 4;
    if (axis == 3) continue;
    const bool is_layer = static_cast<int>(axis) >= kind.filtered;
    if (!normalized || is_layer) places[i] *= static_cast<float>(size[axis]);
    if (is_layer) places[i] = std::rint(places[i]);
  }
  return places;
}

}  // namespace test
