// SPDX-License-Identifier: Apache-2.0
#include "support/two_devices.h"
#include "usm_test.h"

namespace {

class SharedMemAlloc : public test::UsmTest {};

TEST_F(SharedMemAlloc, SizesAlignmentsAndErrors) {
  check_allocation(test::Usm::shared);
  cl_int error = 1;
  const auto refuses = [&](cl_int code, cl_context in, cl_device_id on) {
    EXPECT_EQ(nullptr, usm->shared_alloc(in, on, nullptr, 64, 0, &error));
    CL_EXPECT(code, error);
  };
  refuses(CL_INVALID_CONTEXT, nullptr, device);
  refuses(CL_INVALID_CONTEXT, reinterpret_cast<cl_context>(queue.get()), device);
  refuses(CL_INVALID_DEVICE, context, reinterpret_cast<cl_device_id>(queue.get()));
  for (cl_device_id other : test::devices())
    if (other != device) refuses(CL_INVALID_DEVICE, context, other);
}

// Allocated with and without a device; the host accesses the memory between kernels.
TEST_F(SharedMemAlloc, MovesBetweenHostAndDevice) {
  constexpr std::size_t kCount = 5000;
  const test::Program program = build("kernel void k(global uint* p) { p[get_global_id(0)] *= 3; }");
  const test::Kernel kernel = make_kernel(program, "k");
  for (cl_device_id on : {device, cl_device_id{}}) {
    cl_int error = 1;
    const test::UsmMemory memory(
        *usm, context, usm->shared_alloc(context, on, nullptr, kCount * sizeof(cl_uint), 0, &error));
    CL_OK(error);
    auto expected = test::random_values<cl_uint>(kCount);
    std::copy(expected.begin(), expected.end(), memory.as<cl_uint>());
    CL_OK(usm->set_argument(kernel, 0, memory.get()));
    for (int round = 0; round < 3; ++round) {
      launch(kernel, kCount);
      CL_OK(clFinish(queue));
      for (cl_uint& value : expected) value *= 3;
      ASSERT_EQ(std::vector<cl_uint>(memory.as<cl_uint>(), memory.as<cl_uint>() + kCount), expected);
      const std::size_t at = test::random_engine()() % kCount;
      expected[at] = memory.as<cl_uint>()[at] = 77;
    }
  }
}

class UsmSeveralDevices : public test::UsmTest {
 protected:
  void SetUp() override {
    UsmTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device only";
    test::TwoDevices both;
    context = std::move(both.context);
    queues = std::move(both.queues);
    queue = make_queue(0);
  }
  std::array<test::Queue, 2> queues;
};

TEST_F(UsmSeveralDevices, EachReachesSharedAndHostMemory) {
  constexpr std::size_t kCount = 1000;
  const char* source = "kernel void k(global uint* p) { p[get_global_id(0)] += 5; }";
  cl_int error = 1;
  const test::Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  CL_OK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  const test::Kernel kernel = make_kernel(program, "k");
  for (const test::Usm kind : {test::Usm::host, test::Usm::shared}) {
    const test::UsmMemory memory = allocate(kind, kCount * sizeof(cl_uint));
    auto expected = test::random_values<cl_uint>(kCount);
    std::copy(expected.begin(), expected.end(), memory.as<cl_uint>());
    CL_OK(usm->set_argument(kernel, 0, memory.get()));
    for (const test::Queue& on : queues) {
      launch(kernel, kCount, on);
      CL_OK(clFinish(on));
    }
    for (cl_uint& value : expected) value += 10;
    EXPECT_EQ(std::vector<cl_uint>(memory.as<cl_uint>(), memory.as<cl_uint>() + kCount), expected);
  }
}

// Copies from each device's own memory, in queues of either device: to the other device, to shared and host memory, and to pageable memory.
TEST_F(UsmSeveralDevices, CopiesGoWhereverTheyAreEnqueued) {
  for (const std::size_t size : {std::size_t{100}, std::size_t{700'000}, std::size_t{6} << 20}) {
    test::UsmMemory own[2];
    for (int i : {0, 1}) {
      cl_int error = 1;
      own[i] = {*usm, context, usm->device_alloc(context, test::devices()[i], nullptr, size, 0, &error)};
      CL_OK(error);
    }
    const test::UsmMemory host = allocate(test::Usm::host, size), shared = allocate(test::Usm::shared, size);
    for (const test::Queue& by : queues) {
      const auto values = test::random_values(size);
      std::vector<std::uint8_t> seen(size);
      const void* path[] = {values.data(), own[0].get(), own[1].get(), host.get(),
                            own[0].get(),  shared.get(), own[1].get(), seen.data()};
      for (std::size_t i = 0; i + 1 < std::size(path); ++i)
        CL_OK(usm->copy(by, CL_FALSE, const_cast<void*>(path[i + 1]), path[i], size, 0, nullptr, nullptr));
      CL_OK(clFinish(by));
      EXPECT_EQ(seen, values) << size;
    }
  }
}

TEST_F(UsmSeveralDevices, DeviceMemoryBelongsToOne) {
  cl_int error = 1;
  const test::UsmMemory memory(*usm, context,
                               usm->device_alloc(context, test::devices()[1], nullptr, 256, 0, &error));
  CL_OK(error);
  cl_device_id found = nullptr;
  CL_OK(usm->info(context, memory.get(), CL_MEM_ALLOC_DEVICE_INTEL, sizeof found, &found, nullptr));
  EXPECT_EQ(found, test::devices()[1]);
  const cl_uint pattern = 9;
  CL_EXPECT(CL_INVALID_VALUE,
            usm->fill(queues[0], memory.get(), &pattern, sizeof pattern, 256, 0, nullptr, nullptr));
  CL_OK(usm->fill(queues[1], memory.get(), &pattern, sizeof pattern, 256, 0, nullptr, nullptr));
  CL_OK(clFinish(queues[1]));
  EXPECT_EQ(read<cl_uint>(memory, 64), std::vector<cl_uint>(64, 9));
}

}  // namespace
