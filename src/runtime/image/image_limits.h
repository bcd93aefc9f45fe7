// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <span>

namespace clcuda {

class Device;

// Alignment, in bytes, of an image in a buffer: of its pitches and of its first texel.
struct ImageAlignment {
  std::size_t row_pitch = 1, slice_pitch = 1, base = 1;
};

// The largest images, in texels, and the alignment of images in buffers, in bytes.
struct ImageLimits {
  std::array<std::size_t, 2> flat{};    // 1D and 2D images, and arrays of them
  std::array<std::size_t, 3> volume{};  // 3D images
  std::size_t layers = 0, buffer = 0;
  std::size_t row_alignment = 0, base_alignment = 0;
  std::size_t sampled_pitch = 0;  // largest row pitch, in bytes, with which texture units read a buffer
  std::size_t sampled_width =
      0;  // most texels in a row that texture units read in a buffer aligned to `base_alignment`

  static ImageLimits of(const Device& device);
  // The largest sizes of any device, and the strictest alignments of all.
  static ImageLimits of(std::span<Device* const> devices);

  // For images of this type; 0: of any type.
  ImageAlignment in_buffer(cl_mem_object_type type, std::size_t texel_size) const;
};

}  // namespace clcuda
