// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "builtins/image_descriptor.h"
#include "cuda/driver_table.h"

namespace clcuda {

// CL_UNORM_INT_2_101010_EXT of cl_ext_image_unorm_int_2_101010, which older headers lack.
constexpr cl_channel_type kUnormInt2101010 = 0x10E5;

// A supported image format: the layout of a texel, the CUDA format of its channels, and conversions by builtins/.
struct ImageFormat {
  cl_image_format name{};
  CUarray_format channel_format{};
  unsigned channels = 0;
  std::size_t texel_size = 0;
  bool integer = false;  // read_imagei, read_imageui
  bool srgb = false;
  bool filtered_by_us = false;  // by builtins/, because texture units do not filter precisely enough
  clcuda_texel_format texel{};

  // Several channels share a word (CL_UNORM_SHORT_565 …).
  bool is_packed() const {
    return texel.channel_type < 32 && (CLCUDA_PACKED_TYPES >> texel.channel_type & 1);
  }
  bool is_floating() const {
    return channel_format == CU_AD_FORMAT_FLOAT || channel_format == CU_AD_FORMAT_HALF;
  }
  bool is_depth() const { return name.image_channel_order == CL_DEPTH; }
};

// Empty if the format is not supported.
std::optional<ImageFormat> find_format(const cl_image_format& name);
// Section 5.3.1.1: whether the specification allows the format (if not: CL_INVALID_IMAGE_FORMAT_DESCRIPTOR).
bool is_valid_format(const cl_image_format& name);
// Whether images of that type, with these access flags, can have the format.
bool supports(const ImageFormat& format, cl_mem_flags flags, cl_mem_object_type type);
// clGetSupportedImageFormats.
std::vector<cl_image_format> supported_formats(cl_mem_flags flags, cl_mem_object_type type);

}  // namespace clcuda
