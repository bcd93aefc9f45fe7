// SPDX-License-Identifier: Apache-2.0
// The border colour (OpenCL C 6.15.15.1): alpha is 0 for channel orders with alpha (those with x included), otherwise 1.
#include <string>

#include "support/images.h"

namespace {

using ImageBorders = test::ImageTest;

TEST_F(ImageBorders, OfEveryFormat) {
  struct Kind {
    cl_mem_object_type type;
    const char *name, *beside;  // coordinates outside of the image on each axis with a border
  };
  const test::Sampler nearest = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
                      linear = make_sampler(false, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
  for (const Kind& kind : {Kind{CL_MEM_OBJECT_IMAGE1D, "image1d_t", "-5.5f"},
                           Kind{CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(float2)(9.5f, 1)"},
                           Kind{CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(float2)(2.5f, 99.0f)"},
                           Kind{CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(float4)(-2, 1, 1, 0)"},
                           Kind{CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(float4)(2, 1, -3, 0)"}}) {
    const std::string name = kind.name, at = std::string(kind.beside) + ")";
    const test::Program program =
        build("kernel void f(read_only " + name + " i, sampler_t s, global float4* out) {" +
              " *out = read_imagef(i, s, " + at + "; }" +  //
              "kernel void i(read_only " + name + " i, sampler_t s, global float4* out) {" +
              " *out = convert_float4(read_imagei(i, s, " + at + "); }" +  //
              "kernel void ui(read_only " + name + " i, sampler_t s, global float4* out) {" +
              " *out = convert_float4(read_imageui(i, s, " + at + "); }");
    const bool line = kind.type == CL_MEM_OBJECT_IMAGE1D || kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const cl_image_desc desc = test::image_desc(kind.type, 4, line ? 0 : 4, 4);
    for (const cl_image_format& format : formats(CL_MEM_READ_ONLY, kind.type)) {
      if (format.image_channel_order == CL_DEPTH) continue;
      SCOPED_TRACE(name + ", order " + std::to_string(format.image_channel_order - CL_R) + ", type " +
                   std::to_string(format.image_channel_data_type - CL_SNORM_INT8));
      const cl_channel_type type = format.image_channel_data_type;
      const bool is_signed = type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32,
                 is_unsigned =
                     type == CL_UNSIGNED_INT8 || type == CL_UNSIGNED_INT16 || type == CL_UNSIGNED_INT32;
      const test::Image image = make_image(format, desc, CL_MEM_READ_ONLY);
      const std::vector<std::uint8_t> ones(16 * 4 * 4 * 4, 0x3c);
      write(image, test::region_of(desc), ones);
      const test::Kernel kernel = make_kernel(program, is_signed ? "i" : is_unsigned ? "ui" : "f");
      const test::Buffer out = make_buffer(16);
      for (const cl_sampler sampler : {nearest.get(), linear.get()}) {
        if (sampler == linear.get() && (is_signed || is_unsigned)) continue;
        set_arguments(kernel, image.get(), sampler, out);
        run(kernel, {1, 1, 1});
        EXPECT_EQ(contents<float>(out, 4),
                  (std::vector<float>{0, 0, 0,
                                      static_cast<float>(test::border_alpha(format.image_channel_order))}));
      }
    }
  }
}

}  // namespace
