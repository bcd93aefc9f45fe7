// SPDX-License-Identifier: Apache-2.0
// clCreateSubDevices, clRetainDevice, clReleaseDevice: sub-devices execute commands of their queues, and share memory and programs.
#include <algorithm>
#include <numeric>
#include <set>

#include "support/device_info.h"
#include "support/programs.h"

namespace {

using Properties = std::vector<cl_device_partition_property>;
using SubDevice = test::Owned<cl_device_id, clReleaseDevice>;

using test::device_info;
using test::device_list;

cl_uint units_of(cl_device_id device) { return device_info<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS); }

class SubDevices : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    if (HasFatalFailure()) return;
    most = device_info<cl_uint>(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    if (most < 2) GTEST_SKIP() << "a device that cannot be divided";
    least = units_of(device) / most;
  }
  static std::vector<SubDevice> divide(cl_device_id from, const Properties& properties) {
    cl_uint count = 0;
    CL_EXPECT(CL_SUCCESS, clCreateSubDevices(from, properties.data(), 0, nullptr, &count));
    std::vector<cl_device_id> handles(count);
    CL_EXPECT(CL_SUCCESS, clCreateSubDevices(from, properties.data(), count, handles.data(), nullptr));
    return {handles.begin(), handles.end()};
  }
  std::vector<SubDevice> halves() const {
    const auto half = static_cast<cl_device_partition_property>(most / 2 * least);
    return divide(device,
                  {CL_DEVICE_PARTITION_BY_COUNTS, half, half, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  }
  static test::Context context_of(const std::vector<cl_device_id>& devices) {
    cl_int error = 1;
    test::Context made = clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(),
                                         nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  static test::Queue queue_on(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties = 0) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = 1;
    test::Queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  cl_int refusal(const Properties& properties, cl_device_id from = nullptr) const {
    cl_uint count = 77;
    const cl_int error = clCreateSubDevices(from ? from : device, properties.data(), 0, nullptr, &count);
    if (error != CL_SUCCESS) EXPECT_EQ(count, 77u);
    return error;
  }

  cl_uint most = 0, least = 0;  // number of sub-devices; compute units of the smallest
};

TEST_F(SubDevices, DivideEqually) {
  for (const cl_uint each : {least, most / 2 * least}) {
    const Properties properties{CL_DEVICE_PARTITION_EQUALLY, static_cast<intptr_t>(each), 0};
    const std::vector<SubDevice> parts = divide(device, properties);
    EXPECT_EQ(parts.size(), most * least / each);
    for (const SubDevice& part : parts) {
      EXPECT_EQ(units_of(part), each);
      EXPECT_EQ(device_info<cl_device_id>(part, CL_DEVICE_PARENT_DEVICE), device);
      EXPECT_EQ(device_list<cl_device_partition_property>(part, CL_DEVICE_PARTITION_TYPE), properties);
    }
  }
}

TEST_F(SubDevices, DivideByCounts) {
  const auto smallest = static_cast<intptr_t>(least), rest = static_cast<intptr_t>((most - 1) * least);
  const Properties properties{CL_DEVICE_PARTITION_BY_COUNTS, rest, smallest,
                              CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const std::vector<SubDevice> parts = divide(device, properties);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(units_of(parts[0]), rest);
  EXPECT_EQ(units_of(parts[1]), smallest);
  for (const SubDevice& part : parts)
    EXPECT_EQ(device_list<cl_device_partition_property>(part, CL_DEVICE_PARTITION_TYPE), properties);
}

TEST_F(SubDevices, AreDividedFurther) {
  const std::vector<SubDevice> parts = halves();
  EXPECT_EQ(device_info<cl_uint>(parts[0], CL_DEVICE_PARTITION_MAX_SUB_DEVICES), most / 2 < 2 ? 0 : most / 2);
  const Properties smallest{CL_DEVICE_PARTITION_EQUALLY, static_cast<intptr_t>(least), 0};
  if (most / 2 < 2) {
    CL_EXPECT(CL_DEVICE_PARTITION_FAILED, refusal(smallest, parts[0]));
    EXPECT_EQ(device_list<cl_device_partition_property>(parts[0], CL_DEVICE_PARTITION_PROPERTIES),
              Properties{0});
    return;
  }
  const std::vector<SubDevice> quarters = divide(parts[0], smallest);
  EXPECT_EQ(quarters.size(), most / 2);
  EXPECT_EQ(device_info<cl_device_id>(quarters.back(), CL_DEVICE_PARENT_DEVICE), parts[0]);
  EXPECT_EQ(units_of(quarters.back()), least);
  CL_EXPECT(CL_DEVICE_PARTITION_FAILED, refusal(smallest, quarters.back()));
}

TEST_F(SubDevices, TellWhatTheRootTells) {
  const std::vector<SubDevice> parts = halves();
  EXPECT_EQ(device_info<cl_device_id>(device, CL_DEVICE_PARENT_DEVICE), nullptr);
  EXPECT_EQ(device_list<cl_device_partition_property>(device, CL_DEVICE_PARTITION_PROPERTIES),
            (Properties{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS}));
  EXPECT_EQ(device_info<cl_device_affinity_domain>(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN), 0u);
  for (const cl_device_info name :
       {CL_DEVICE_NAME, CL_DEVICE_TYPE, CL_DEVICE_PLATFORM, CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_EXTENSIONS,
        CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_SVM_CAPABILITIES, CL_DEVICE_IMAGE2D_MAX_WIDTH,
        CL_DEVICE_LOCAL_MEM_SIZE, CL_DRIVER_VERSION})
    EXPECT_EQ(device_list<char>(parts[0], name), device_list<char>(device, name)) << name;
}

TEST_F(SubDevices, AreCounted) {
  std::vector<SubDevice> parts = halves();
  const cl_device_id counted = parts[0];
  const auto count = [](cl_device_id of) { return device_info<cl_uint>(of, CL_DEVICE_REFERENCE_COUNT); };
  EXPECT_EQ(count(counted), 1u);
  CL_OK(clRetainDevice(counted));
  EXPECT_EQ(count(counted), 2u);
  CL_OK(clReleaseDevice(counted));
  EXPECT_EQ(count(counted), 1u);
  parts.clear();
  CL_EXPECT(CL_INVALID_DEVICE, clRetainDevice(counted));
  CL_EXPECT(CL_INVALID_DEVICE, clReleaseDevice(counted));
  // A root device is not reference-counted.
  CL_OK(clRetainDevice(device));
  EXPECT_EQ(count(device), 1u);
  CL_OK(clReleaseDevice(device));
  CL_OK(clReleaseDevice(device));
  EXPECT_EQ(count(device), 1u);
}

// A context keeps its sub-devices after the application has released them.
TEST_F(SubDevices, LiveAsLongAsTheirContexts) {
  std::vector<SubDevice> parts = halves();
  const cl_device_id last = parts[1];
  test::Context context = context_of({parts[0], parts[1]});
  parts.clear();
  test::Queue queue = queue_on(context, last);
  const cl_uint value = 5;
  cl_uint seen = 0;
  cl_int error = 1;
  test::Buffer buffer = clCreateBuffer(context, 0, sizeof value, nullptr, &error);
  CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof value, &value, 0, nullptr, nullptr));
  CL_OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof seen, &seen, 0, nullptr, nullptr));
  EXPECT_EQ(seen, value);
  EXPECT_EQ(units_of(last), most / 2 * least);
  buffer.reset();
  queue.reset();
  context.reset();
  CL_EXPECT(CL_INVALID_DEVICE, clRetainDevice(last));
}

// The multiprocessors on which the work-groups of a launch run.
TEST_F(SubDevices, RunTheirQueuesCommandsAlone) {
  const std::vector<SubDevice> parts = halves();
  context = context_of({parts[0], parts[1]});
  const test::Program program = create(
      "kernel void where(global uint* places, uint turns) {\n"
      "  uint x = turns;\n"
      "  for (uint i = 0; i < turns; ++i) x = x * 1664525u + 1013904223u + (x >> 7);\n"
      "  uint place;\n"
      "  __asm__ volatile(\"mov.u32 %0, %%smid;\" : \"=r\"(place));\n"
      "  if (get_local_id(0) == 0) places[get_group_id(0)] = x == 1 ? place + 1 : place;\n"
      "}\n");
  CL_OK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  const test::Kernel kernel = make_kernel(program, "where");
  constexpr std::size_t kGroups = 2000, kLocal = 64, kGlobal = kGroups * kLocal;
  std::vector<std::set<cl_uint>> used;
  for (const SubDevice& part : parts) {
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
      const test::Queue on = queue_on(context, part, properties);
      const test::Buffer places = make_buffer(kGroups * sizeof(cl_uint));
      set_arguments(kernel, places, cl_uint{300});
      std::vector<cl_uint> seen(kGroups);
      CL_OK(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &kGlobal, &kLocal, 0, nullptr, nullptr));
      CL_OK(clFinish(on));
      CL_OK(clEnqueueReadBuffer(on, places, CL_TRUE, 0, kGroups * sizeof(cl_uint), seen.data(), 0, nullptr,
                                nullptr));
      const std::set<cl_uint> distinct(seen.begin(), seen.end());
      EXPECT_LE(distinct.size(), units_of(part));
      used.push_back(distinct);
    }
  }
  for (const cl_uint place : used[0]) EXPECT_FALSE(used[2].contains(place) || used[3].contains(place));
}

// Memory belongs to the root device: contents need not be migrated. A program that was built for the root device serves its sub-devices.
TEST_F(SubDevices, ShareMemoryAndProgramsWithTheRoot) {
  const std::vector<SubDevice> parts = halves();
  context = context_of({parts[0], device, parts[1]});
  const test::Queue queues[] = {queue_on(context, parts[0]), queue_on(context, parts[1]),
                                queue_on(context, device)};
  const test::Program program =
      create("kernel void add(global uint* a, uint b) { a[get_global_id(0)] += b; }");
  CL_OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  for (const SubDevice& part : parts) {
    cl_build_status status = CL_BUILD_NONE;
    CL_OK(clGetProgramBuildInfo(program, part, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr));
    EXPECT_EQ(status, CL_BUILD_SUCCESS);
  }
  const test::Kernel add = make_kernel(program, "add");
  std::vector<cl_uint> expected = test::random_values<cl_uint>(3000), seen(3000);
  const test::Buffer buffer = make_buffer(expected);
  const std::size_t count = expected.size();
  for (cl_uint round = 0; round < 9; ++round) {
    set_arguments(add, buffer, round);
    const test::Queue& on = queues[round % 3];
    CL_OK(clEnqueueNDRangeKernel(on, add, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
    CL_OK(clFinish(on));
    for (cl_uint& value : expected) value += round;
  }
  for (const test::Queue& on : queues) {
    CL_OK(clEnqueueReadBuffer(on, buffer, CL_TRUE, 0, count * sizeof(cl_uint), seen.data(), 0, nullptr,
                              nullptr));
    EXPECT_EQ(seen, expected);
  }
  // A queue needs a device of the context; a parent or sibling of one does not suffice.
  const test::Context of_a_part = context_of({parts[0]});
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateCommandQueueWithProperties(of_a_part, device, nullptr, &error), nullptr);
  CL_EXPECT(CL_INVALID_DEVICE, error);
}

TEST_F(SubDevices, CommandsOfPartsWaitForEachOther) {
  const std::vector<SubDevice> parts = halves();
  context = context_of({parts[0], parts[1]});
  const test::Queue queues[] = {queue_on(context, parts[0]), queue_on(context, parts[1])};
  const test::Program program =
      create("kernel void twice(global uint* a) { a[get_global_id(0)] = a[get_global_id(0)] * 2 + 1; }");
  CL_OK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  const test::Kernel twice = make_kernel(program, "twice");
  std::vector<cl_uint> expected = test::random_values<cl_uint>(500), seen(500);
  const test::Buffer buffer = make_buffer(expected);
  set_arguments(twice, buffer);
  const std::size_t count = expected.size();
  test::Event last;
  for (int round = 0; round < 20; ++round) {
    test::Event next;
    CL_OK(clEnqueueNDRangeKernel(queues[round % 2], twice, 1, nullptr, &count, nullptr, last ? 1 : 0,
                                 last ? last.list() : nullptr, next.out()));
    CL_OK(clFlush(queues[round % 2]));
    last = std::move(next);
    for (cl_uint& value : expected) value = value * 2 + 1;
  }
  CL_OK(clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, count * sizeof(cl_uint), seen.data(), 1,
                            last.list(), nullptr));
  EXPECT_EQ(seen, expected);
}

// Section 4.3: an invalid scheme, a scheme that is not supported, more units than there are, and counts of zero or less.
TEST_F(SubDevices, Refusals) {
  const auto units = static_cast<intptr_t>(units_of(device)), smallest = static_cast<intptr_t>(least);
  CL_EXPECT(CL_INVALID_DEVICE, clCreateSubDevices(nullptr, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, refusal({0}));
  CL_EXPECT(CL_INVALID_VALUE, refusal({0x1234, 1, 0}));
  CL_EXPECT(CL_INVALID_VALUE, refusal({CL_DEVICE_PARTITION_EQUALLY, 0, 0}));
  CL_EXPECT(CL_INVALID_VALUE, refusal({CL_DEVICE_PARTITION_EQUALLY, -1, 0}));
  CL_EXPECT(CL_INVALID_VALUE,
            refusal({CL_DEVICE_PARTITION_EQUALLY, smallest, CL_DEVICE_PARTITION_EQUALLY, smallest, 0}));
  for (const cl_device_affinity_domain domain :
       {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE})
    CL_EXPECT(CL_INVALID_VALUE,
              refusal({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<intptr_t>(domain), 0}));
  CL_EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, refusal({CL_DEVICE_PARTITION_EQUALLY, units + 1, 0}));
  CL_EXPECT(CL_DEVICE_PARTITION_FAILED, refusal({CL_DEVICE_PARTITION_EQUALLY, units, 0}));
  if (least > 1) CL_EXPECT(CL_DEVICE_PARTITION_FAILED, refusal({CL_DEVICE_PARTITION_EQUALLY, 1, 0}));
  if (least > 1) {
    CL_EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, refusal({CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}));
    CL_EXPECT(CL_DEVICE_PARTITION_FAILED, refusal({CL_DEVICE_PARTITION_BY_COUNTS, 1, units - 1, 0, 0}));
  }
  CL_EXPECT(CL_INVALID_VALUE, refusal({CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}));
  CL_EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, refusal({CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0}));
  CL_EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, refusal({CL_DEVICE_PARTITION_BY_COUNTS, units + 1, 0, 0}));
  CL_EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT,
            refusal({CL_DEVICE_PARTITION_BY_COUNTS, units, smallest, 0, 0}));
  Properties many(most + 1, smallest);
  many.insert(many.begin(), CL_DEVICE_PARTITION_BY_COUNTS);
  many.insert(many.end(), {0, 0});
  CL_EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT, refusal(many));

  const Properties pair{CL_DEVICE_PARTITION_BY_COUNTS, smallest, smallest, 0, 0};
  cl_device_id made[2] = {};
  cl_uint count = 77;
  CL_EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, pair.data(), 1, made, &count));
  EXPECT_EQ(made[0], nullptr);
  CL_EXPECT(CL_SUCCESS, clCreateSubDevices(device, pair.data(), 0, nullptr, nullptr));
}

}  // namespace
