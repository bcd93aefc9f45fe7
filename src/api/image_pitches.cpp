// SPDX-License-Identifier: Apache-2.0
#include "api/image_pitches.h"

#include "api/address_space.h"
#include "api/entry_point.h"

namespace clcuda::api {

void take_pitches(const cl_image_desc& desc, const ImageFormat& format, bool has_pitches, ImageShape& shape) {
  const bool has_slices = shape.is_array() || shape.type == CL_MEM_OBJECT_IMAGE3D;
  const bool slice_is_row = shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t row = 0;
  require(!__builtin_mul_overflow(shape.size[0], format.texel_size, &row), CL_INVALID_IMAGE_DESCRIPTOR,
          "a row larger than memory");
  require(has_pitches || (!desc.image_row_pitch && !desc.image_slice_pitch), CL_INVALID_IMAGE_DESCRIPTOR,
          "a pitch without host memory or a buffer");
  require(
      !desc.image_row_pitch || (desc.image_row_pitch >= row && desc.image_row_pitch % format.texel_size == 0),
      CL_INVALID_IMAGE_DESCRIPTOR,
      "the row pitch is less than a row, or not a multiple of the element's size");
  shape.row_pitch = desc.image_row_pitch ? desc.image_row_pitch : row;
  size_t slice = shape.row_pitch, whole = 0;
  require(slice_is_row || !__builtin_mul_overflow(shape.row_pitch, shape.size[1], &slice),
          CL_INVALID_IMAGE_DESCRIPTOR, "a slice larger than memory");
  require(!has_slices || !desc.image_slice_pitch ||
              (desc.image_slice_pitch >= slice && desc.image_slice_pitch % shape.row_pitch == 0),
          CL_INVALID_IMAGE_DESCRIPTOR,
          "the slice pitch is less than a slice, or not a multiple of the row pitch");
  shape.slice_pitch = has_slices && desc.image_slice_pitch ? desc.image_slice_pitch : slice;
  const size_t slices = has_slices ? shape.size[shape.dimensions() - 1] : 1;
  require(!__builtin_mul_overflow(shape.slice_pitch, slices, &whole) && whole <= kMostHostMemory,
          CL_INVALID_IMAGE_DESCRIPTOR, "slices larger than memory");
}

}  // namespace clcuda::api
