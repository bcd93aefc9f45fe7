// SPDX-License-Identifier: Apache-2.0
// Sub-group sizes and counts that queries return, compared with those that a kernel sees.
#include <CL/cl_ext.h>

#include "support/device_info.h"
#include "support/own_process.h"
#include "support/programs.h"

namespace {

class SubGroupInfo : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    program = build(
        "kernel void count(global uint* out) {\n"
        "  if (get_local_linear_id() == 0) { out[0] = get_num_sub_groups(); out[1] = "
        "get_max_sub_group_size(); }\n"
        "}\n"
        "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void required(global uint* out) { out[0] = "
        "0; }\n");
    kernel = make_kernel(program, "count");
    CL_OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof most,
                                  &most, nullptr));
  }
  std::size_t for_range(cl_kernel_sub_group_info name, const std::vector<std::size_t>& local) const {
    std::size_t answer = 0;
    CL_EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(kernel, device, name, local.size() * sizeof(std::size_t),
                                                  local.data(), sizeof answer, &answer, nullptr));
    return answer;
  }
  std::vector<std::size_t> local_size(cl_kernel of, std::size_t groups, std::size_t dimensions) const {
    std::vector<std::size_t> local(dimensions, 77);
    std::size_t size = 0;
    CL_EXPECT(CL_SUCCESS,
              clGetKernelSubGroupInfo(of, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof groups,
                                      &groups, dimensions * sizeof(std::size_t), local.data(), &size));
    EXPECT_EQ(dimensions * sizeof(std::size_t), size);
    return local;
  }
  test::Program program;
  test::Kernel kernel;
  std::size_t most = 0;
};

TEST_F(SubGroupInfo, IsWhatTheKernelSees) {
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(2));
  const cl_mem memory = buffer;
  CL_OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  for (const std::vector<std::size_t>& local :
       {std::vector<std::size_t>{1}, {32}, {33}, {64}, {100}, {8, 4}, {7, 5}, {4, 4, 4}, {3, 5, 7}}) {
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, static_cast<cl_uint>(local.size()), nullptr, local.data(),
                                 local.data(), 0, nullptr, nullptr));
    const auto seen = contents<cl_uint>(buffer, 2);
    EXPECT_EQ(seen[0], for_range(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local));
    EXPECT_EQ(seen[1], for_range(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local));
  }
}

TEST_F(SubGroupInfo, CountsOfHugeSizes) {
  const std::size_t most_items = ~std::size_t{0}, most_full = most_items / 32;
  EXPECT_EQ(most_full + 1, for_range(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {most_items}));
  EXPECT_EQ(most_full + 1, for_range(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {32 * most_full + 1}));
  EXPECT_EQ(most_full, for_range(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, {1, 32 * most_full}));
}

TEST_F(SubGroupInfo, LocalSizeHasSoManySubGroups) {
  EXPECT_GE(most, 1u);
  EXPECT_LE(most, test::device_info<cl_uint>(device, CL_DEVICE_MAX_NUM_SUB_GROUPS));
  for (std::size_t groups = 1; groups <= most; ++groups) {
    const auto local = local_size(kernel, groups, 1 + groups % 3);
    EXPECT_EQ(groups, for_range(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local));
    for (std::size_t d = 1; d < local.size(); ++d) EXPECT_EQ(1u, local[d]);
  }
  for (const std::size_t impossible : {std::size_t{0}, most + 1, ~std::size_t{0}})
    EXPECT_EQ((std::vector<std::size_t>{0, 0, 0}), local_size(kernel, impossible, 3));
  const test::Kernel required = make_kernel(program, "required");
  EXPECT_EQ((std::vector<std::size_t>{64, 1}), local_size(required, 2, 2));
  EXPECT_EQ((std::vector<std::size_t>{0, 0}), local_size(required, 1, 2));
}

TEST_F(SubGroupInfo, NoNumberIsCompiledIn) {
  std::size_t number = 7;
  CL_OK(clGetKernelSubGroupInfo(kernel, nullptr, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, nullptr, sizeof number,
                                &number, nullptr));
  EXPECT_EQ(0u, number);
}

// cl_intel_required_subgroup_size.
TEST_F(SubGroupInfo, ASizeIsRequired) {
  std::size_t sizes[4] = {}, bytes = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
  ASSERT_EQ(sizeof(std::size_t), bytes);
  const auto source = [](std::size_t size) {
    return "kernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
           "))) void sized(global uint* out) { out[0] = get_max_sub_group_size(); }";
  };
  const auto compiled_size = [&](cl_kernel of) {
    std::size_t size = 77;
    CL_EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(of, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0,
                                                  nullptr, sizeof size, &size, nullptr));
    return size;
  };
  const test::Program with_size = build(source(sizes[0]));
  const test::Kernel sized = make_kernel(with_size, "sized");
  EXPECT_EQ(sizes[0], compiled_size(sized));
  EXPECT_EQ(0u, compiled_size(kernel));
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(1));
  const cl_mem memory = buffer;
  CL_OK(clSetKernelArg(sized, 0, sizeof memory, &memory));
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, sized, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(sizes[0], contents<cl_uint>(buffer, 1)[0]);

  const test::Program impossible = create(source(sizes[0] / 2));
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(impossible, 1, &device, "", nullptr, nullptr));
  EXPECT_NE(std::string::npos, info(impossible, CL_PROGRAM_BUILD_LOG).find("sized"));
}

TEST_F(SubGroupInfo, SpillMemoryIsPrivateMemory) {
  const auto spilled = [&](const std::string& source) {
    const test::Program of = build(source);
    const test::Kernel made = make_kernel(of, "f");
    cl_ulong bytes = 77;
    CL_EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(made, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof bytes,
                                                   &bytes, nullptr));
    return bytes;
  };
  EXPECT_EQ(0u, spilled("kernel void f(global int* p) { p[0] = 1; }"));
  EXPECT_GE(
      spilled(
          "kernel void f(global int* p) { volatile int a[1000]; for (int i = 0; i < 1000; ++i) a[i] = i;\n"
          "  p[0] = a[p[1] % 1000]; }"),
      4000u);
}

// The sub-group extensions do not need OpenCL C 2.0.
TEST_F(SubGroupInfo, SubGroupsAreThereInOpenCLC12) {
  const test::Program program12 = build(
      "kernel void f(global uint* out) {\n"
      "  uint sum = sub_group_reduce_add(get_sub_group_local_id());\n"
      "  if (get_sub_group_local_id() == 0) out[get_sub_group_id()] = sub_group_shuffle(sum, 0);\n"
      "}",
      "-cl-std=CL1.2");
  const test::Kernel sums = make_kernel(program12, "f");
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(2));
  const cl_mem memory = buffer;
  CL_OK(clSetKernelArg(sums, 0, sizeof memory, &memory));
  const std::size_t items = 40;
  CL_OK(clEnqueueNDRangeKernel(queue, sums, 1, nullptr, &items, &items, 0, nullptr, nullptr));
  EXPECT_EQ((std::vector<cl_uint>{31 * 32 / 2, 7 * 8 / 2}), (contents<cl_uint>(buffer, 2)));
}

// CLCUDA_INTEL_SUBGROUPS enables extension names, macros and functions together; a process reads it once.
constexpr char kIntelMacro[] = "constant int size = cl_intel_subgroups;";
constexpr char kIntelFunction[] =
    "kernel void f(global float* p) { p[0] = intel_sub_group_shuffle(p[0], 0); }";

TEST_F(SubGroupInfo, IntelsAreNotThereUnasked) {
  EXPECT_EQ(std::string::npos, test::device_text(device, CL_DEVICE_EXTENSIONS).find("cl_intel_subgroup"));
  for (const char* source : {kIntelMacro, kIntelFunction}) {
    const test::Program refused = create(source);
    CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(refused, 1, &device, "", nullptr, nullptr));
    EXPECT_NE(std::string::npos, info(refused, CL_PROGRAM_BUILD_LOG).find("undeclared"));
  }
}

TEST_F(SubGroupInfo, DISABLED_IntelsAreThere) {
  EXPECT_TRUE(test::offers(device, "cl_intel_subgroups"));
  for (const char* source : {kIntelMacro, kIntelFunction}) build(source);
}

TEST(SubGroupInfoAlone, IntelsAreThereWhereAsked) {
  setenv("CLCUDA_INTEL_SUBGROUPS", "1", 1);
  test::run_alone("SubGroupInfo.DISABLED_IntelsAreThere");
  unsetenv("CLCUDA_INTEL_SUBGROUPS");
}

TEST_F(SubGroupInfo, RefusesBadQueries) {
  const std::size_t local[4] = {8, 1, 1, 1}, none = 0;
  std::size_t answer = 0;
  const auto ask = [&](cl_kernel_sub_group_info name, std::size_t input_size, const void* input,
                       std::size_t size = sizeof(std::size_t)) {
    return clGetKernelSubGroupInfo(kernel, device, name, input_size, input, size, &answer, nullptr);
  };
  CL_EXPECT(CL_INVALID_VALUE, ask(0x7777, 0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof none, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof none, &none));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 5, local));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof none, local, 1));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1, local));
  CL_EXPECT(CL_INVALID_VALUE, ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof none, local, 5));
  CL_EXPECT(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(nullptr, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                                       nullptr, sizeof answer, &answer, nullptr));
  const auto no_device = reinterpret_cast<cl_device_id>(kernel.get());
  CL_EXPECT(CL_INVALID_DEVICE, clGetKernelSubGroupInfo(kernel, no_device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                                       nullptr, sizeof answer, &answer, nullptr));
}

}  // namespace
