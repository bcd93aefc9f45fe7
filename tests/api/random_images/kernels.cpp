// SPDX-License-Identifier: Apache-2.0
#include "world.h"

namespace random_images {
namespace {

struct Geometry {
  cl_mem_object_type type;
  const char *name, *place;
};
constexpr Geometry kGeometries[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "q.x"},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "q.x"},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "q.xy"},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "q.xy"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "q"},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "q"},
};

constexpr char kPlaces[] = R"(
#define PLACES                                                                                       \
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);                        \
  const int4 q = origin + (int4)(x, y, z, 0);                                                        \
  const size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x;
)";

}  // namespace

test::Program Kernels::build(cl_mem_object_type type, const std::string& suffix) const {
  const Geometry& geometry = *std::ranges::find(kGeometries, type, &Geometry::type);
  const std::string image = geometry.name, place = geometry.place,
                    color = suffix == "f"   ? "as_float4"
                            : suffix == "i" ? "as_int4"
                                            : "as_uint4";
  const auto unload = [&](const std::string& name, const std::string& access, const std::string& sampler) {
    return "kernel void " + name + "(" + access + " " + image +
           " image, global uint4* texels, int4 origin) {\n  PLACES\n" + "  texels[i] = as_uint4(read_image" +
           suffix + "(image, " + sampler + place + "));\n}\n";
  };
  std::string source =
      kPlaces + unload("unload", "read_only", "") + unload("unload_shared", "read_write", "");
  if (type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
    source +=
        "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
        "CLK_FILTER_NEAREST;\n" +
        unload("sample", "read_only", "nearest, ");
  source += "kernel void store(write_only " + image +
            " image, global const uint4* texels, int4 origin) {\n  PLACES\n" + "  write_image" + suffix +
            "(image, " + place + ", " + color + "(texels[i]));\n}\n";
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  test::Program program = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr)) << source;
  return program;
}

cl_kernel Kernels::find(cl_mem_object_type type, const std::string& suffix, const std::string& name) {
  const auto key = [&](const std::string& of) { return std::to_string(type) + suffix + of; };
  if (!kernels_.contains(key(name))) {
    const test::Program program = build(type, suffix);
    cl_kernel all[4] = {};
    cl_uint count = 0;
    CL_EXPECT(CL_SUCCESS, clCreateKernelsInProgram(program, 4, all, &count));
    for (cl_uint i = 0; i < count; ++i) {
      char called[32] = {};
      CL_EXPECT(CL_SUCCESS, clGetKernelInfo(all[i], CL_KERNEL_FUNCTION_NAME, sizeof called, called, nullptr));
      kernels_[key(called)] = all[i];
    }
  }
  return kernels_[key(name)];
}

}  // namespace random_images
