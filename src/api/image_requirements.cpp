// SPDX-License-Identifier: Apache-2.0
// cl_ext_image_requirements_info: what an image would need, without creating it.
#include <CL/cl_ext.h>

#include <algorithm>

#include "api/entry_point.h"
#include "api/image_pitches.h"
#include "api/info_writer.h"
#include "api/memory_flags.h"
#include "runtime/image/image.h"
#include "runtime/image/image_limits.h"

namespace clcuda::api {
namespace {

// The descriptor's type must be one of these, or 0 for any of them.
void require_type(const cl_image_desc* desc, std::initializer_list<cl_mem_object_type> types) {
  require(!desc || !desc->image_type || std::ranges::find(types, desc->image_type) != types.end(),
          CL_INVALID_IMAGE_DESCRIPTOR, "images of that type have no such size");
}

Size3 sizes_of(const cl_image_desc& desc) {
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE2D:
      return {desc.image_width, desc.image_height, 1};
    case CL_MEM_OBJECT_IMAGE3D:
      return {desc.image_width, desc.image_height, desc.image_depth};
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {desc.image_width, desc.image_array_size, 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {desc.image_width, desc.image_height, desc.image_array_size};
    default:
      return {desc.image_width, 1, 1};
  }
}

// An image in a buffer has no mipmap. A size of 0, which stands for any size, is allowed only in queries for maximum sizes.
void require_sizes_in_buffer(const cl_image_desc* desc) {
  require(!desc || desc->num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR, "a mipmap in a buffer");
  if (!desc || !desc->image_type) return;
  const Size3 sizes = sizes_of(*desc);
  require(std::ranges::find(sizes, size_t{0}) == sizes.end(), CL_INVALID_IMAGE_DESCRIPTOR,
          "a size of the image is 0");
}

size_t max_width(const ImageLimits& limits, const cl_image_desc* desc) {
  switch (desc ? desc->image_type : 0) {
    case 0:
      return std::min({limits.flat[0], limits.volume[0], limits.buffer});
    case CL_MEM_OBJECT_IMAGE3D:
      return limits.volume[0];
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return limits.buffer;
    default:
      return limits.flat[0];
  }
}

size_t max_height(const ImageLimits& limits, const cl_image_desc* desc) {
  require_type(desc, {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D});
  if (!desc || !desc->image_type) return std::min(limits.flat[1], limits.volume[1]);
  return desc->image_type == CL_MEM_OBJECT_IMAGE3D ? limits.volume[1] : limits.flat[1];
}

// The bytes of the image in a buffer; sizes that a type lacks are 1.
size_t size_of(const cl_image_format* name, const cl_image_desc* desc) {
  require(name && desc, CL_INVALID_VALUE, "the size depends on the format and the descriptor");
  require(desc->image_type, CL_INVALID_IMAGE_DESCRIPTOR, "the size depends on the type of the image");
  const std::optional<ImageFormat> format = find_format(*name);
  if (!format) throw Error(CL_IMAGE_FORMAT_NOT_SUPPORTED, "the image format is not supported");
  ImageShape shape{.type = desc->image_type, .size = sizes_of(*desc)};
  take_pitches(*desc, *format, true, shape);
  return shape.pitched_size();
}

// Alignments are multiples of the texel's size; without a format, that of the largest texel.
size_t texel_size(const cl_image_format* name) {
  constexpr size_t kLargest = 16;
  if (!name) return kLargest;
  const std::optional<ImageFormat> format = find_format(*name);
  return format ? format->texel_size : kLargest;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clGetImageRequirementsInfoEXT(cl_context handle, const cl_mem_properties* properties,
                                                 cl_mem_flags flags, const cl_image_format* format,
                                                 const cl_image_desc* desc,
                                                 cl_image_requirements_info_ext name, size_t size,
                                                 void* value, size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    const Context& context = object_of<Context>(handle);
    require(!properties || *properties == 0, CL_INVALID_PROPERTY, "an unknown image property");
    check_flags(flags, kObjectFlags | CL_MEM_KERNEL_READ_AND_WRITE);
    require(!format || is_valid_format(*format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no such image format");
    require(
        !desc || !desc->image_type ||
            (desc->image_type >= CL_MEM_OBJECT_IMAGE2D && desc->image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER),
        CL_INVALID_IMAGE_DESCRIPTOR, "not the type of an image");
    require(!desc || desc->num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR,
            "images of several samples are not supported");
    const ImageLimits limits = ImageLimits::of(context.devices());
    InfoWriter out(name, size, value, size_ret);
    const auto alignment = [&](size_t ImageAlignment::* which) {
      require_sizes_in_buffer(desc);
      return out.write<size_t>(limits.in_buffer(desc ? desc->image_type : 0, texel_size(format)).*which);
    };
    const auto number = [&](size_t most) { return out.write<cl_uint>(static_cast<cl_uint>(most)); };
    switch (name) {
      case CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT:
        return alignment(&ImageAlignment::row_pitch);
      case CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT:
        return alignment(&ImageAlignment::slice_pitch);
      case CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT:
        return alignment(&ImageAlignment::base);
      case CL_IMAGE_REQUIREMENTS_SIZE_EXT:
        require_sizes_in_buffer(desc);
        return out.write<size_t>(size_of(format, desc));
      case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
        return number(max_width(limits, desc));
      case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
        return number(max_height(limits, desc));
      case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
        require_type(desc, {CL_MEM_OBJECT_IMAGE3D});
        return number(limits.volume[2]);
      case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT:
        require_type(desc, {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY});
        return number(limits.layers);
    }
    out.unknown();
  });
}
