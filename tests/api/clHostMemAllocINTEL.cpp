// SPDX-License-Identifier: Apache-2.0
#include "usm_test.h"

namespace {

class HostMemAlloc : public test::UsmTest {};

TEST_F(HostMemAlloc, SizesAlignmentsAndErrors) {
  check_allocation(test::Usm::host);
  cl_int error = 1;
  EXPECT_EQ(nullptr, usm->host_alloc(nullptr, nullptr, 64, 0, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, usm->host_alloc(reinterpret_cast<cl_context>(queue.get()), nullptr, 64, 0, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
}

// Host and device access the same bytes at the same address.
TEST_F(HostMemAlloc, IsReachedByHostAndDevice) {
  constexpr std::size_t kCount = 10'000;
  const test::UsmMemory memory = allocate(test::Usm::host, kCount * sizeof(cl_uint));
  auto expected = test::random_values<cl_uint>(kCount);
  std::copy(expected.begin(), expected.end(), memory.as<cl_uint>());
  const test::Program program = build("kernel void k(global uint* p) { p[get_global_id(0)] ^= 0x5555; }");
  const test::Kernel kernel = make_kernel(program, "k");
  CL_OK(usm->set_argument(kernel, 0, memory.get()));
  launch(kernel, kCount);
  CL_OK(clFinish(queue));
  for (cl_uint& value : expected) value ^= 0x5555;
  EXPECT_EQ(std::vector<cl_uint>(memory.as<cl_uint>(), memory.as<cl_uint>() + kCount), expected);
}

TEST_F(HostMemAlloc, Capabilities) {
  for (const cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL}) {
    cl_device_unified_shared_memory_capabilities_intel capabilities = ~0ul;
    std::size_t size = 0;
    CL_OK(clGetDeviceInfo(device, name, sizeof capabilities, &capabilities, &size));
    EXPECT_EQ(size, sizeof capabilities);
    EXPECT_EQ(capabilities & ~0xful, 0u);
    if (name != CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL)
      EXPECT_TRUE(capabilities & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) << name;
  }
  // Shared system memory is supported exactly if fine-grain system SVM is.
  cl_device_svm_capabilities svm = 0;
  cl_device_unified_shared_memory_capabilities_intel system = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr));
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, sizeof system, &system,
                        nullptr));
  EXPECT_EQ((svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0, system != 0);
}

TEST_F(HostMemAlloc, ABufferUsesItInPlace) {
  const test::UsmMemory memory = allocate(test::Usm::host, 1000);
  const auto values = test::random_values(1000);
  std::copy(values.begin(), values.end(), memory.get());
  const test::Buffer buffer = make_buffer(500, CL_MEM_USE_HOST_PTR, memory.get() + 128);
  EXPECT_EQ(contents(buffer, 500), std::vector<std::uint8_t>(values.begin() + 128, values.begin() + 628));
  const std::uint8_t pattern = 7;
  CL_OK(clEnqueueFillBuffer(queue, buffer, &pattern, 1, 0, 500, 0, nullptr, nullptr));
  CL_OK(clFinish(queue));
  EXPECT_EQ(memory.get()[128], 7);
  EXPECT_EQ(memory.get()[627], 7);
  EXPECT_EQ(static_cast<std::uint8_t>(memory.get()[628]), values[628]);
}

}  // namespace
