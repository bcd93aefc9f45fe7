// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <span>

namespace clcuda {

class Device;

// What an image in a buffer must be aligned to, in bytes: the pitches that are given, and its beginning.
struct ImageAlignment {
  std::size_t row_pitch = 1, slice_pitch = 1, base = 1;
};

// How large images can be, in texels, and how those in buffers must lie, in bytes.
struct ImageLimits {
  std::array<std::size_t, 2> flat{};    // of one and two dimensions, and arrays of them
  std::array<std::size_t, 3> volume{};  // of three
  std::size_t layers = 0, buffer = 0;
  std::size_t row_alignment = 0, base_alignment = 0;
  std::size_t sampled_pitch = 0;  // the largest with which texture units read rows in a buffer
  std::size_t sampled_width =
      0;  // the most texels of one row that they read in a buffer, which begins at `base_alignment`

  static ImageLimits of(const Device& device);
  // What the largest device allows and every device needs.
  static ImageLimits of(std::span<Device* const> devices);

  // For images of a type; 0 for any.
  ImageAlignment in_buffer(cl_mem_object_type type, std::size_t texel_size) const;
};

}  // namespace clcuda
