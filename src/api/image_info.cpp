// SPDX-License-Identifier: Apache-2.0
#include "api/entry_point.h"
#include "api/info_writer.h"
#include "runtime/image/image.h"

using namespace clcuda;
using namespace clcuda::api;

// Section 5.3.7: sizes that the type does not have are 0.
cl_int CL_API_CALL clGetImageInfo(cl_mem handle, cl_image_info name, size_t size, void* value,
                                  size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    const Image& image = object_of<Image>(handle);
    const ImageShape& shape = image.shape();
    InfoWriter out(name, size, value, size_ret);
    const unsigned spatial = shape.dimensions() - (shape.is_array() ? 1 : 0);
    switch (name) {
      case CL_IMAGE_FORMAT:
        return out.write<cl_image_format>(image.format().name);
      case CL_IMAGE_ELEMENT_SIZE:
        return out.write<size_t>(image.format().texel_size);
      case CL_IMAGE_ROW_PITCH:
        return out.write<size_t>(shape.row_pitch);
      case CL_IMAGE_SLICE_PITCH:
        return out.write<size_t>(shape.is_array() || spatial == 3 ? shape.slice_pitch : 0);
      case CL_IMAGE_WIDTH:
        return out.write<size_t>(shape.size[0]);
      case CL_IMAGE_HEIGHT:
        return out.write<size_t>(spatial > 1 ? shape.size[1] : 0);
      case CL_IMAGE_DEPTH:
        return out.write<size_t>(spatial > 2 ? shape.size[2] : 0);
      case CL_IMAGE_ARRAY_SIZE:
        return out.write<size_t>(shape.layers());
      case CL_IMAGE_BUFFER:
        return out.write<cl_mem>(image.buffer() && !image.parent() ? handle_of(*image.buffer()) : nullptr);
      case CL_IMAGE_NUM_MIP_LEVELS:
        return out.write<cl_uint>(shape.described_levels);
      case CL_IMAGE_NUM_SAMPLES:
        return out.write<cl_uint>(0);
    }
    out.unknown();
  });
}
