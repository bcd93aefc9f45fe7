// SPDX-License-Identifier: Apache-2.0
// get_image_… (OpenCL C 6.15.15.5).
#include "image.h"

#define QUERY(type, access, name, member) \
  int OVERLOAD get_image_##name(access type image) { return (int)descriptor_of(image)->member; }

#define ANY(type, name, member) FOR_ACCESSES(QUERY, type, name, member)
FOR_IMAGES(ANY, width, width)
FOR_IMAGES(ANY, channel_data_type, channel_type)
FOR_IMAGES(ANY, channel_order, channel_order)

// An image that is no mipmap has one level.
#define LEVELS(type, access, ...)                                                 \
  int OVERLOAD get_image_num_mip_levels(access type image) {                      \
    return (int)__builtin_elementwise_max(descriptor_of(image)->level_count, 1u); \
  }
#define ANY_LEVELS(type, ...) FOR_ACCESSES(LEVELS, type, )
FOR_SAMPLED_IMAGES(ANY_LEVELS, )
FOR_DEPTH_IMAGES(ANY_LEVELS, )

#define HEIGHT(type) ANY(type, height, height)
HEIGHT(image2d_t)
HEIGHT(image2d_array_t)
HEIGHT(image3d_t)
HEIGHT(image2d_depth_t)
HEIGHT(image2d_array_depth_t)
ANY(image3d_t, depth, depth)

#define LAYERS(type, access, ...) \
  size_t OVERLOAD get_image_array_size(access type image) { return descriptor_of(image)->array_size; }
FOR_ACCESSES(LAYERS, image1d_array_t, )
FOR_ACCESSES(LAYERS, image2d_array_t, )
FOR_ACCESSES(LAYERS, image2d_array_depth_t, )

#define DIM2(type, access, ...)                                     \
  int2 OVERLOAD get_image_dim(access type image) {                  \
    return (int2)(get_image_width(image), get_image_height(image)); \
  }
FOR_ACCESSES(DIM2, image2d_t, )
FOR_ACCESSES(DIM2, image2d_array_t, )
FOR_ACCESSES(DIM2, image2d_depth_t, )
FOR_ACCESSES(DIM2, image2d_array_depth_t, )
#define DIM3(type, access, ...)                                                                \
  int4 OVERLOAD get_image_dim(access type image) {                                             \
    return (int4)(get_image_width(image), get_image_height(image), get_image_depth(image), 0); \
  }
FOR_ACCESSES(DIM3, image3d_t, )
