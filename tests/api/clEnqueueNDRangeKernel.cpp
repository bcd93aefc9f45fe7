// SPDX-License-Identifier: Apache-2.0
// clEnqueueNDRangeKernel and clEnqueueTask.
#include <array>

#include "support/device_info.h"
#include "support/wait_list.h"

namespace {

using Size3 = std::array<std::size_t, 3>;

constexpr const char* kSource = R"(
  kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }
  kernel void ids(global uint* out, uint nx, uint ny, ulong ox, ulong oy, ulong oz) {
    size_t x = get_global_id(0) - ox, y = get_global_id(1) - oy, z = get_global_id(2) - oz;
    global uint* at = out + ((z * ny + y) * nx + x) * 8;
    at[0] += 1;
    at[1] = get_group_id(0) + 1000 * get_group_id(1) + 1000000 * get_group_id(2);
    at[2] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2);
    at[3] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
    at[4] = get_num_groups(0) + 1000 * get_num_groups(1) + 1000000 * get_num_groups(2);
    at[5] = get_global_size(0) + get_global_size(1) + get_global_size(2);
    at[6] = get_work_dim();
    at[7] = get_enqueued_local_size(0) + 100 * get_enqueued_local_size(1) + 10000 * get_enqueued_local_size(2);
  }
  kernel __attribute__((reqd_work_group_size(8, 4, 1))) void required(global uint* a) { a[get_global_linear_id()] = get_local_size(0); }
  kernel __attribute__((reqd_work_group_size(2, 3, 120))) void deep(global uint* a, local uint* l) {
    l[get_local_linear_id()] = get_local_id(2);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint behind = (get_local_linear_id() + 6) % (2 * 3 * 120);
    a[get_global_linear_id()] = work_group_scan_inclusive_add(1u) * 1000 + l[behind] - get_local_id(2) + 1;
  }
  kernel void through_local(global uint* a, local uint* l, uint n) {
    for (uint i = get_local_id(0); i < n; i += get_local_size(0)) l[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = 0; i < n; ++i) sum += l[i];
    a[get_global_id(0)] = sum;
  }
)";

class NDRangeKernel : public test::WaitListTest {
 protected:
  void SetUp() override {
    test::WaitListTest::SetUp();
    program = build(kSource);
  }
  cl_int launch(cl_kernel kernel, cl_uint dimensions, const Size3& global, const std::size_t* local = nullptr,
                const std::size_t* offset = nullptr) {
    return clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global.data(), local, 0, nullptr,
                                  nullptr);
  }
  test::Program program;
};

TEST_F(NDRangeKernel, AddsToEveryElement) {
  for (const std::size_t size : {1ul, 31ul, 1000ul, 65'536ul, 1'000'003ul}) {
    auto values = test::random_values<cl_uint>(size);
    const test::Buffer buffer = make_buffer(values);
    const test::Kernel kernel = make_kernel(program, "add");
    const auto addend = test::random_values<cl_uint>(1).front();
    set_arguments(kernel, buffer, addend);
    for (int i = 0; i < 3; ++i) CL_OK(launch(kernel, 1, {size}));
    for (cl_uint& value : values) value += 3 * addend;
    ASSERT_TRUE(contents<cl_uint>(buffer, size) == values) << size;
  }
}

// Argument values are captured at the enqueue: setting them again, and releasing the kernel, does not affect the enqueued command.
TEST_F(NDRangeKernel, ArgumentsAreASnapshot) {
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(64, 0)),
                     other = make_buffer(std::vector<cl_uint>(64, 0));
  const test::Event gate = make_user_event();
  test::Kernel kernel = make_kernel(program, "add");
  const std::size_t size = 64;
  set_arguments(kernel, buffer, cl_uint{5});
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 1, gate.list(), nullptr));
  set_arguments(kernel, other, cl_uint{7});
  kernel.reset();
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(contents<cl_uint>(buffer, 64), std::vector<cl_uint>(64, 5));
  EXPECT_EQ(contents<cl_uint>(other, 64), std::vector<cl_uint>(64, 0));
}

// Each work-item function is compared with its definition, for global sizes that are multiples of the local size and others, with offsets.
TEST_F(NDRangeKernel, IdsInEveryKindOfRange) {
  struct Case {
    cl_uint dimensions;
    Size3 global, local, offset;
  };
  const Case cases[] = {
      {1, {256, 1, 1}, {64, 1, 1}, {0, 0, 0}},      {1, {250, 1, 1}, {64, 1, 1}, {0, 0, 0}},
      {1, {7, 1, 1}, {16, 1, 1}, {3, 0, 0}},        {2, {20, 12, 1}, {5, 4, 1}, {0, 0, 0}},
      {2, {21, 13, 1}, {5, 4, 1}, {100, 7, 0}},     {3, {8, 6, 4}, {4, 3, 2}, {0, 0, 0}},
      {3, {9, 7, 5}, {4, 3, 2}, {1ul << 33, 2, 3}}, {3, {2, 2, 2048}, {1, 1, 1024}, {0, 0, 0}},
      {3, {9, 8, 130}, {3, 5, 65}, {0, 0, 0}},      {3, {1, 47, 300}, {1, 15, 68}, {1, 2, 3}},
  };
  const test::Kernel kernel = make_kernel(program, "ids");
  for (const Case& c : cases) {
    const std::size_t items = c.global[0] * c.global[1] * c.global[2];
    const test::Buffer buffer = make_buffer(std::vector<cl_uint>(items * 8, 0));
    set_arguments(kernel, buffer, static_cast<cl_uint>(c.global[0]), static_cast<cl_uint>(c.global[1]),
                  cl_ulong{c.offset[0]}, cl_ulong{c.offset[1]}, cl_ulong{c.offset[2]});
    CL_OK(launch(kernel, c.dimensions, c.global, c.local.data(), c.offset.data()));
    std::vector<cl_uint> expected;
    for (std::size_t z = 0; z < c.global[2]; ++z)
      for (std::size_t y = 0; y < c.global[1]; ++y)
        for (std::size_t x = 0; x < c.global[0]; ++x) {
          const Size3 id{x, y, z};
          Size3 group, inside, size, count;
          for (int d = 0; d < 3; ++d) {
            group[d] = id[d] / c.local[d];
            inside[d] = id[d] % c.local[d];
            size[d] = std::min(c.local[d], c.global[d] - group[d] * c.local[d]);
            count[d] = (c.global[d] + c.local[d] - 1) / c.local[d];
          }
          const auto join = [](const Size3& v, std::size_t base) {
            return static_cast<cl_uint>(v[0] + base * v[1] + base * base * v[2]);
          };
          expected.insert(expected.end(),
                          {1, join(group, 1000), join(inside, 100), join(size, 100), join(count, 1000),
                           static_cast<cl_uint>(c.global[0] + c.global[1] + c.global[2]), c.dimensions,
                           join(c.local, 100)});
        }
    EXPECT_EQ(contents<cl_uint>(buffer, items * 8), expected)
        << c.dimensions << " dimensions of " << c.global[0];
  }
}

TEST_F(NDRangeKernel, MoreGroupsThanCudaHasInY) {
  constexpr std::size_t kRows = 70'000;
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kRows * 8, 0));
  const test::Kernel kernel = make_kernel(program, "ids");
  set_arguments(kernel, buffer, cl_uint{1}, static_cast<cl_uint>(kRows), cl_ulong{0}, cl_ulong{0},
                cl_ulong{0});
  const Size3 one{1, 1, 1};
  CL_OK(launch(kernel, 2, {1, kRows, 1}, one.data()));
  const auto seen = contents<cl_uint>(buffer, kRows * 8);
  for (std::size_t row = 0; row < kRows; ++row) {
    ASSERT_EQ(seen[row * 8], 1u) << row;
    ASSERT_EQ(seen[row * 8 + 1], static_cast<cl_uint>(1000 * row)) << row;
    ASSERT_EQ(seen[row * 8 + 4], static_cast<cl_uint>(1000001 + 1000 * kRows)) << row;
  }
}

TEST_F(NDRangeKernel, LocalMemoryUpToTheDevicesLimit) {
  cl_ulong limit = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof limit, &limit, nullptr));
  const test::Kernel kernel = make_kernel(program, "through_local");
  const test::Buffer buffer = make_buffer(64 * sizeof(cl_uint));
  for (const std::size_t bytes : {std::size_t{400}, std::size_t{limit}}) {
    const auto count = static_cast<cl_uint>(bytes / sizeof(cl_uint));
    set_argument(kernel, 0, buffer);
    CL_OK(clSetKernelArg(kernel, 1, bytes, nullptr));
    set_argument(kernel, 2, count);
    const Size3 local{64, 1, 1};
    CL_OK(launch(kernel, 1, {64}, local.data()));
    EXPECT_EQ(contents<cl_uint>(buffer, 64), std::vector<cl_uint>(64, count * (count - 1) / 2));
  }
}

// Neither of the two is large.
TEST_F(NDRangeKernel, LocalVariablesAndArgumentsTogether) {
  const test::Kernel kernel = make_kernel(build("kernel void k(global int* a, local int* argument) {\n"
                                                "  local int variable[10000];\n"
                                                "  const int i = get_local_id(0);\n"
                                                "  variable[i] = i;\n"
                                                "  argument[i] = 2 * i;\n"
                                                "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                                "  a[i] = variable[63 - i] + argument[63 - i];\n"
                                                "}\n"),
                                          "k");
  const test::Buffer buffer = make_buffer(64 * sizeof(cl_int));
  set_argument(kernel, 0, buffer);
  for (const std::size_t bytes : {4096, 8000, 12000, 24000, 30000}) {
    CL_OK(clSetKernelArg(kernel, 1, bytes, nullptr));
    const Size3 local{64, 1, 1};
    CL_OK(launch(kernel, 1, {64}, local.data()));
    const auto seen = contents<cl_int>(buffer, 64);
    for (int i = 0; i < 64; ++i) ASSERT_EQ(seen[i], 3 * (63 - i)) << bytes;
  }
}

TEST_F(NDRangeKernel, NothingToRun) {
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(4, 1));
  const test::Kernel kernel = make_kernel(program, "add");
  set_arguments(kernel, buffer, cl_uint{1});
  test::Event event;
  const std::size_t none = 0;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &none, nullptr, 0, nullptr, event.out()));
  CL_OK(clWaitForEvents(1, event.list()));
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(buffer, 4), std::vector<cl_uint>(4, 1));
}

TEST_F(NDRangeKernel, Errors) {
  const test::Buffer buffer = make_buffer(4096);
  const test::Kernel kernel = make_kernel(program, "add"), unset = make_kernel(program, "add");
  set_arguments(kernel, buffer, cl_uint{1});
  const Size3 ok{64, 1, 1};
  CL_EXPECT(CL_INVALID_KERNEL, launch(nullptr, 1, ok));
  CL_EXPECT(CL_INVALID_KERNEL_ARGS, launch(unset, 1, ok));
  CL_EXPECT(CL_INVALID_WORK_DIMENSION, launch(kernel, 0, ok));
  CL_EXPECT(CL_INVALID_WORK_DIMENSION, launch(kernel, 4, ok));
  const Size3 far{~std::size_t{0}, 0, 0}, none{0, 1, 1}, deep{1, 1, 1025}, many{1024, 2, 1}, cube{4, 4, 128};
  CL_EXPECT(CL_INVALID_GLOBAL_OFFSET, launch(kernel, 1, ok, nullptr, far.data()));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 1, ok, none.data()));
  // A local size of 0 is an error even if the global size is 0 or null, but only in the first work_dim dimensions.
  const Size3 flat{8, 1, 0};
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 1, {0, 1, 1}, none.data()));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, nullptr, none.data(), 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 3, {8, 1, 1}, flat.data()));
  CL_EXPECT(CL_SUCCESS, launch(kernel, 2, {8, 1, 1}, flat.data()));
  CL_EXPECT(CL_INVALID_WORK_ITEM_SIZE, launch(kernel, 3, {1, 1, 1025}, deep.data()));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 3, {4, 4, 128}, cube.data()));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 2, {1024, 2, 1}, many.data()));
  CL_EXPECT(CL_OUT_OF_RESOURCES, launch(kernel, 2, {1, ~std::size_t{0}, 1}, Size3{1, 1, 1}.data()));
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const test::Queue foreign = clCreateCommandQueueWithProperties(other, device, nullptr, nullptr);
  CL_EXPECT(CL_INVALID_CONTEXT,
            clEnqueueNDRangeKernel(foreign, kernel, 1, nullptr, ok.data(), nullptr, 0, nullptr, nullptr));
  const test::Kernel local = make_kernel(program, "through_local");
  set_argument(local, 0, buffer);
  set_argument(local, 2, cl_uint{1});
  const auto most = test::device_info<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  CL_OK(clSetKernelArg(local, 1, most, nullptr));
  CL_EXPECT(CL_SUCCESS, launch(local, 1, ok));
  for (const std::size_t size : {2 * most, std::size_t{1} << 30}) {
    CL_OK(clSetKernelArg(local, 1, size, nullptr));
    CL_EXPECT(CL_OUT_OF_RESOURCES, launch(local, 1, ok));
  }
}

// Section 5.10 lists the errors for ranges without work-items, too. They are those of the same launch with work-items.
TEST_F(NDRangeKernel, ErrorsWithNothingToRun) {
  const test::Buffer buffer = make_buffer(1 << 16);
  const auto both = [&](cl_int expected, cl_kernel kernel, cl_uint dimensions, const Size3& global,
                        const std::size_t* local) {
    CL_EXPECT(expected, launch(kernel, dimensions, global, local));
    for (cl_uint d = 0; d < dimensions; ++d) {
      Size3 none = global;
      none[d] = 0;
      CL_EXPECT(expected, launch(kernel, dimensions, none, local)) << d;
    }
    CL_EXPECT(expected, clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, nullptr, local, 0, nullptr,
                                               nullptr));
  };
  const test::Kernel unset = make_kernel(program, "add"), kernel = make_kernel(program, "add"),
                     required = make_kernel(program, "required"),
                     local = make_kernel(program, "through_local");
  const Size3 eight{8, 8, 1}, deep{1, 1, 1025}, many{1024, 2, 1}, wanted{8, 4, 1};
  both(CL_INVALID_KERNEL_ARGS, unset, 1, eight, nullptr);
  both(CL_INVALID_KERNEL_ARGS, unset, 2, eight, many.data());
  set_arguments(kernel, buffer, cl_uint{1});
  both(CL_SUCCESS, kernel, 2, eight, nullptr);
  both(CL_SUCCESS, kernel, 2, eight, eight.data());
  both(CL_INVALID_WORK_ITEM_SIZE, kernel, 3, {1, 1, 1025}, deep.data());
  both(CL_INVALID_WORK_GROUP_SIZE, kernel, 2, {1024, 2, 1}, many.data());
  set_argument(required, 0, buffer);
  both(CL_SUCCESS, required, 2, eight, nullptr);
  both(CL_SUCCESS, required, 2, eight, wanted.data());
  both(CL_INVALID_WORK_GROUP_SIZE, required, 2, eight, eight.data());
  both(CL_INVALID_WORK_GROUP_SIZE, required, 1, eight, nullptr);
  set_argument(local, 0, buffer);
  set_argument(local, 2, cl_uint{1});
  CL_OK(clSetKernelArg(local, 1, 2 * test::device_info<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE), nullptr));
  both(CL_OUT_OF_RESOURCES, local, 1, eight, nullptr);
  both(CL_OUT_OF_RESOURCES, local, 1, eight, wanted.data());
}

TEST_F(NDRangeKernel, RequiredSize) {
  const test::Buffer buffer = make_buffer(64 * 64 * sizeof(cl_uint));
  const test::Kernel kernel = make_kernel(program, "required");
  set_arguments(kernel, buffer);
  const Size3 right{8, 4, 1}, wrong{4, 8, 1};
  CL_EXPECT(CL_SUCCESS, launch(kernel, 2, {16, 8, 1}, right.data()));
  CL_EXPECT(CL_SUCCESS, launch(kernel, 2, {16, 8, 1}));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 2, {16, 8, 1}, wrong.data()));
  EXPECT_EQ(contents<cl_uint>(buffer, 128), std::vector<cl_uint>(128, 8));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  // With work_dim 1 the second dimension is 1, but the kernel requires 4.
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 1, {16}));
  CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 1, {16}, right.data()));
}

// A CUDA block has at most 64 layers in z; work-items must still be ordered by their linear ids.
TEST_F(NDRangeKernel, RequiredSizeWithMoreLayersThanCudaHas) {
  constexpr cl_uint kItems = 2 * 3 * 120;
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kItems));
  const test::Kernel kernel = make_kernel(program, "deep");
  set_argument(kernel, 0, buffer);
  CL_OK(clSetKernelArg(kernel, 1, kItems * sizeof(cl_uint), nullptr));
  CL_OK(launch(kernel, 3, {2, 3, 120}));
  std::vector<cl_uint> expected(kItems);
  for (cl_uint i = 0; i < kItems; ++i) expected[i] = (i + 1) * 1000 + (i + 6 < kItems ? 2 : 1 - 119);
  EXPECT_EQ(contents<cl_uint>(buffer, kItems), expected);
}

TEST_F(NDRangeKernel, Tasks) {
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>{5, 5});
  const test::Kernel kernel = make_kernel(program, "add");
  CL_EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  set_arguments(kernel, buffer, cl_uint{1});
  CL_EXPECT(CL_SUCCESS, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(buffer, 2), (std::vector<cl_uint>{6, 5}));
  CL_EXPECT(CL_INVALID_KERNEL, clEnqueueTask(queue, nullptr, 0, nullptr, nullptr));
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const test::Queue foreign = clCreateCommandQueueWithProperties(other, device, nullptr, nullptr);
  CL_EXPECT(CL_INVALID_CONTEXT, clEnqueueTask(foreign, kernel, 0, nullptr, nullptr));
  check_wait_list(CL_COMMAND_TASK,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueTask(tested, kernel, count, waits, event);
                  });
}

// Programs in OpenCL C 1.x, and those with -cl-uniform-work-group-size, need a global size that is a multiple of the local size.
TEST_F(NDRangeKernel, UniformGroupsWhereTheProgramWantsThem) {
  for (const char* options : {"", "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"}) {
    const test::Program old =
        build("kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }", options);
    const test::Kernel kernel = make_kernel(old, "add");
    const test::Buffer buffer = make_buffer(std::vector<cl_uint>(100, 0));
    set_arguments(kernel, buffer, cl_uint{1});
    const Size3 local{64, 1, 1};
    CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 1, {100}, local.data()));
    CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(kernel, 2, {100, 0, 1}, local.data()));
    CL_EXPECT(CL_SUCCESS, launch(kernel, 1, {100}));
    EXPECT_EQ(contents<cl_uint>(buffer, 100), std::vector<cl_uint>(100, 1));
  }
}

TEST_F(NDRangeKernel, WaitList) {
  const test::Buffer buffer = make_buffer(4096);
  const test::Kernel kernel = make_kernel(program, "add");
  set_arguments(kernel, buffer, cl_uint{1});
  const std::size_t size = 64;
  check_wait_list(CL_COMMAND_NDRANGE_KERNEL, [&](cl_command_queue tested, cl_uint count,
                                                 const cl_event* waits, cl_event* event) {
    return clEnqueueNDRangeKernel(tested, kernel, 1, nullptr, &size, nullptr, count, waits, event);
  });
  check_wait_list(CL_COMMAND_TASK,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueTask(tested, kernel, count, waits, event);
                  });
}

}  // namespace
