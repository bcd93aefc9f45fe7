// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "builtins/image_descriptor.h"
#include "cuda/driver_table.h"

namespace clcuda {

// cl_ext_image_unorm_int_2_101010, which headers are only beginning to have.
constexpr cl_channel_type kUnormInt2101010 = 0x10E5;

// An image format that works: how a texel lies in memory, what CUDA calls its channels, what is left to builtins/.
struct ImageFormat {
  cl_image_format name{};
  CUarray_format channel_format{};
  unsigned channels = 0;
  std::size_t texel_size = 0;
  bool integer = false;  // read_imagei, read_imageui
  bool srgb = false;
  bool filtered_by_us = false;  // texture units filter it with too little precision
  clcuda_texel_format texel{};

  bool is_packed() const {
    return texel.channel_type < 32 && (CLCUDA_PACKED_TYPES >> texel.channel_type & 1);
  }
  bool is_floating() const {
    return channel_format == CU_AD_FORMAT_FLOAT || channel_format == CU_AD_FORMAT_HALF;
  }
  bool is_depth() const { return name.image_channel_order == CL_DEPTH; }
};

// Nothing for a format that is not supported.
std::optional<ImageFormat> find_format(const cl_image_format& name);
// Section 5.3.1.1: whether the specification knows such a format (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR otherwise).
bool is_valid_format(const cl_image_format& name);
// Whether an image of that type can have it, with these access flags.
bool supports(const ImageFormat& format, cl_mem_flags flags, cl_mem_object_type type);
std::vector<cl_image_format> supported_formats(cl_mem_flags flags, cl_mem_object_type type);

}  // namespace clcuda
