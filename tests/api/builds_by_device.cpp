// SPDX-License-Identifier: Apache-2.0
// A program that is built with different options for the two devices of a context (section 5.8.4): each device has its own code behind the
// same kernel object.
#include <array>
#include <string>

#include "support/device_info.h"
#include "support/images.h"
#include "support/two_devices.h"

namespace {

using Values = std::vector<cl_uint>;

class BuildsByDevice : public test::TwoDevicesTest {
 protected:
  test::Program build_differently(const std::string& source,
                                  const std::array<const char*, 2>& options) const {
    test::Program program = create(source);
    for (int i = 0; i < 2; ++i)
      CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &both[i], options[i], nullptr, nullptr));
    return program;
  }
  void run(int on, cl_kernel kernel, std::size_t items, std::size_t group = 0,
           cl_int expected = CL_SUCCESS) const {
    CL_EXPECT(expected, clEnqueueNDRangeKernel(queues[on], kernel, 1, nullptr, &items,
                                               group ? &group : nullptr, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFinish(queues[on]));
  }
};

// What one device writes, the other one sees, although its own code only reads.
TEST_F(BuildsByDevice, WriteDifferentArguments) {
  const test::Program program = build_differently(
      "kernel void k(global uint* a, global uint* sum) {\n"
      "#ifdef WRITES\n  a[get_global_id(0)] = 5;\n#else\n  sum[get_global_id(0)] = "
      "a[get_global_id(0)];\n#endif\n}",
      {"", "-D WRITES"});
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer buffer = make_buffer(Values{1, 2, 3, 4}), sum = make_buffer(Values(4));
  set_arguments(kernel, buffer, sum);
  run(0, kernel, 4);
  EXPECT_EQ(read(0, sum, 4), (Values{1, 2, 3, 4}));
  run(1, kernel, 4);
  EXPECT_EQ(read(0, buffer, 4), Values(4, 5));
}

// Whether arguments overlap is decided by what the device's own code writes.
TEST_F(BuildsByDevice, WriteOverlappingArguments) {
  const test::Program program = build_differently(
      "kernel void k(global uint* a, global uint* b, uint n) {\n"
      "#ifdef WRITES\n  for (uint i = 0; i < n; ++i) b[i + 1] = a[i] + 1;\n#endif\n}",
      {"", "-D WRITES"});
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer buffer = make_buffer(Values(9));
  set_arguments(kernel, buffer, buffer, cl_uint{8});
  run(1, kernel, 1);
  EXPECT_EQ(read(1, buffer, 9), (Values{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(BuildsByDevice, TakeDifferentLocalMemory) {
  const test::Program program = build_differently(
      "typedef struct { uint value; } __attribute__((aligned(ALIGNMENT))) S;\n"
      "kernel void k(local S* argument, global uint* out) {\n"
      "  local uint own[N];\n"
      "  const uint id = get_local_id(0), size = get_local_size(0);\n"
      "  for (uint i = id; i < N; i += size) own[i] = 7;\n"
      "  argument[id].value = 100 + id;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  uint right = (ulong)argument % ALIGNMENT == 0;\n"
      "  for (uint i = 0; i < N; ++i) right &= own[i] == 7;\n"
      "  out[id] = right * argument[id].value;\n"
      "}",
      {"-D N=1 -D ALIGNMENT=128", "-D N=15000 -D ALIGNMENT=128"});
  const test::Kernel kernel = make_kernel(program, "k");
  constexpr std::size_t kItems = 16;
  const test::Buffer out = make_buffer(Values(kItems));
  CL_OK(clSetKernelArg(kernel, 0, kItems * 128, nullptr));
  CL_OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), out.list()));
  Values expected(kItems);
  for (std::size_t i = 0; i < kItems; ++i) expected[i] = static_cast<cl_uint>(100 + i);
  for (const int on : {1, 0}) {
    run(on, kernel, kItems, kItems);
    EXPECT_EQ(read(on, out, kItems), expected) << on;
  }
}

TEST_F(BuildsByDevice, AlignLocalArgumentsDifferently) {
  const test::Program program = build_differently(
      "typedef struct { uchar bytes[128]; } __attribute__((aligned(ALIGNMENT))) S;\n"
      "kernel void k(local uchar* before, local S* argument, global ulong* out) { *out = (ulong)argument % "
      "ALIGNMENT; }",
      {"-D ALIGNMENT=1", "-D ALIGNMENT=128"});
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_ulong>{1});
  CL_OK(clSetKernelArg(kernel, 0, 5, nullptr));
  CL_OK(clSetKernelArg(kernel, 1, 128, nullptr));
  CL_OK(clSetKernelArg(kernel, 2, sizeof(cl_mem), out.list()));
  for (const int on : {0, 1}) {
    run(on, kernel, 1);
    EXPECT_EQ(read<cl_ulong>(on, out, 1), std::vector<cl_ulong>{0}) << on;
  }
}

TEST_F(BuildsByDevice, RequireDifferentWorkGroups) {
  const test::Program program = build_differently(
      "kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void k(global uint* out) {\n"
      "  out[get_global_id(0)] = get_local_size(0); }",
      {"-D SIZE=8", "-D SIZE=4"});
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(Values(8));
  set_arguments(kernel, out);
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(test::device_info<cl_platform_id>(device, CL_DEVICE_PLATFORM),
                                               "clGetKernelSuggestedLocalWorkSizeKHR"));
  ASSERT_NE(suggest, nullptr);
  for (const int on : {0, 1}) {
    const cl_uint own = on ? 4 : 8, other = on ? 8 : 4;
    run(on, kernel, 8, other, CL_INVALID_WORK_GROUP_SIZE);
    run(on, kernel, 8, own);
    run(on, kernel, 8);
    EXPECT_EQ(read(on, out, 8), Values(8, own));
    std::size_t suggested = 0;
    const std::size_t items = 8;
    CL_EXPECT(CL_SUCCESS, suggest(queues[on], kernel, 1, nullptr, &items, &suggested));
    EXPECT_EQ(suggested, own);
  }
}

TEST_F(BuildsByDevice, TakeDifferentRanges) {
  const test::Program program =
      build_differently("kernel void k(global uint* out) { out[get_global_id(0)] = get_local_size(0); }",
                        {"-cl-std=CL1.2", "-cl-std=CL3.0"});
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(Values(10));
  set_arguments(kernel, out);
  run(0, kernel, 10, 4, CL_INVALID_WORK_GROUP_SIZE);
  run(1, kernel, 10, 4);
  EXPECT_EQ(read(1, out, 10), (Values{4, 4, 4, 4, 4, 4, 4, 4, 2, 2}));
}

TEST_F(BuildsByDevice, UseDifferentSamplers) {
  const test::Program program = build_differently(
      "kernel void k(read_only image2d_t image, global float* out) {\n"
      "  const sampler_t s = SAMPLER;\n"
      "  *out = read_imagef(image, s, (float2)(0.25f, 0.25f)).x; }",
      {"-D SAMPLER=CLK_NORMALIZED_COORDS_FALSE|CLK_FILTER_NEAREST|CLK_ADDRESS_CLAMP",
       "-D SAMPLER=CLK_NORMALIZED_COORDS_TRUE|CLK_FILTER_LINEAR|CLK_ADDRESS_REPEAT"});
  const test::Kernel kernel = make_kernel(program, "k");
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  std::vector<cl_float> texels(64);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<cl_float>(i / 4);
  cl_int error = 1;
  const test::Image image =
      clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data(), &error);
  CL_OK(error);
  const test::Buffer out = make_buffer(std::vector<cl_float>{-1});
  set_argument(kernel, 0, image.get());
  set_argument(kernel, 1, out);
  for (const int on : {1, 0}) {
    run(on, kernel, 1);
    // Between texels 0, 1, 4 and 5; and in the first texel.
    EXPECT_EQ(read<cl_float>(on, out, 1), std::vector<cl_float>{on ? 2.5f : 0.0f});
  }
}

// Section 5.8.4: arguments of different types are not one kernel's.
TEST_F(BuildsByDevice, CannotHaveDifferentAccess) {
  const test::Program program = build_differently("kernel void k(ACCESS image2d_t image) {}",
                                                  {"-D ACCESS=read_only", "-D ACCESS=write_only"});
  cl_int error = 1;
  EXPECT_EQ(clCreateKernel(program, "k", &error), nullptr);
  CL_EXPECT(CL_INVALID_KERNEL_DEFINITION, error);
}

TEST_F(BuildsByDevice, TellTheirArguments) {
  const test::Program program =
      build_differently("kernel void k(global uint* values) {}", {"", "-cl-kernel-arg-info"});
  const test::Kernel kernel = make_kernel(program, "k");
  char name[16] = "";
  CL_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr));
  EXPECT_STREQ(name, "values");
}

// Section 5.8.4: without options, a binary's own are used again.
TEST_F(BuildsByDevice, KeepTheOptionsOfBinaries) {
  const std::string source = "kernel void k(global uint* out) { *out = X; }";
  std::array<std::vector<unsigned char>, 2> binaries;
  const std::array<const char*, 2> options{"-D X=1", "-D X=2"};
  for (int i = 0; i < 2; ++i) {
    const test::Program program = create(source);
    CL_OK(clBuildProgram(program, 1, &both[i], options[i], nullptr, nullptr));
    std::array<std::size_t, 2> sizes{};
    CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes.data(), nullptr));
    binaries[i].resize(sizes[i]);
    std::array<unsigned char*, 2> places{};
    places[i] = binaries[i].data();
    CL_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof places, places.data(), nullptr));
  }
  const std::size_t lengths[] = {binaries[0].size(), binaries[1].size()};
  const unsigned char* bytes[] = {binaries[0].data(), binaries[1].data()};
  cl_int error = 1;
  const test::Program program =
      clCreateProgramWithBinary(context, 2, both.data(), lengths, bytes, nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  for (int i = 0; i < 2; ++i) {
    char text[16] = "";
    CL_OK(clGetProgramBuildInfo(program, both[i], CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, nullptr));
    EXPECT_STREQ(text, options[i]);
  }
}

}  // namespace
