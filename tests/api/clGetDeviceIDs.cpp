// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

class DeviceIDs : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  }
  cl_platform_id platform = nullptr;
  cl_device_type type = 0;
};

TEST_F(DeviceIDs, ListsByType) {
  cl_uint all = 0, of_type = 0, by_default = 0;
  CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &all));
  CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, type, 0, nullptr, &of_type));
  CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &by_default));
  EXPECT_EQ(all, of_type);
  EXPECT_EQ(1u, by_default);
  // The call returns at most num_entries devices.
  std::vector<cl_device_id> found(all + 1, nullptr);
  CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, found.data(), nullptr));
  EXPECT_EQ(device, found[0]);
  EXPECT_EQ(nullptr, found[1]);
}

TEST_F(DeviceIDs, RefusesBadArguments) {
  cl_device_id found = nullptr;
  cl_uint count = 7;
  CL_EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &found, &count));
  CL_EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &found, nullptr));
  CL_EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &found, nullptr));
  CL_EXPECT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &found, nullptr));
}

TEST_F(DeviceIDs, RootDevicesAreNotCounted) {
  CL_EXPECT(CL_SUCCESS, clRetainDevice(device));
  CL_EXPECT(CL_SUCCESS, clReleaseDevice(device));
  CL_EXPECT(CL_SUCCESS, clReleaseDevice(device));
  cl_uint count = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_REFERENCE_COUNT, sizeof count, &count, nullptr));
  EXPECT_EQ(1u, count);
}

TEST_F(DeviceIDs, TimersRunTogether) {
  cl_ulong first_device = 0, first_host = 0, host = 0, second_device = 0, second_host = 0;
  CL_OK(clGetDeviceAndHostTimer(device, &first_device, &first_host));
  CL_OK(clGetHostTimer(device, &host));
  CL_OK(clGetDeviceAndHostTimer(device, &second_device, &second_host));
  EXPECT_LE(first_host, host);
  EXPECT_LE(host, second_host);
  EXPECT_LE(first_device, second_device);
  CL_EXPECT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, nullptr, &host));
  CL_EXPECT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &host, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetHostTimer(device, nullptr));
}

// The type of a CPU device that CLCUDA_CPU_TYPE sets, which a process reads once: in the query, of a sub-device, in clGetDeviceIDs and in
// clCreateContextFromType.
class CpuType : public DeviceIDs {
 protected:
  void expect_type(cl_device_type is, cl_device_type is_not) {
    EXPECT_EQ(is, type);
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_id part = nullptr;
    if (clCreateSubDevices(device, one, 1, &part, nullptr) == CL_SUCCESS) {
      CL_OK(clGetDeviceInfo(part, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
      EXPECT_EQ(is, type);
      CL_OK(clReleaseDevice(part));
    }
    cl_device_id found = nullptr;
    CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, is, 1, &found, nullptr));
    EXPECT_EQ(device, found);
    CL_EXPECT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, is_not, 1, &found, nullptr));
    CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, is | is_not, 1, &found, nullptr));
    const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                          reinterpret_cast<cl_context_properties>(platform), 0};
    cl_int error = 1;
    const test::Context made = clCreateContextFromType(list, is, nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_OK(clGetContextInfo(made, CL_CONTEXT_DEVICES, sizeof found, &found, nullptr));
    EXPECT_EQ(device, found);
    EXPECT_EQ(nullptr, clCreateContextFromType(list, is_not, nullptr, nullptr, &error));
    CL_EXPECT(CL_DEVICE_NOT_FOUND, error);
  }
};
TEST_F(CpuType, DISABLED_IsGpu) { expect_type(CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU); }
TEST_F(CpuType, DISABLED_IsCpu) { expect_type(CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU); }

TEST(CpuTypeAlone, IsWhatIsAskedFor) {
  const char* devices = std::getenv("CLCUDA_DEVICES");
  const std::string before = devices ? devices : "";
  setenv("CLCUDA_DEVICES", "cpu", 1);
  setenv("CLCUDA_CPU_TYPE", "gpu", 1);
  test::run_alone("CpuType.DISABLED_IsGpu");
  for (const char* other : {"", "cpu", "GPU"}) {
    setenv("CLCUDA_CPU_TYPE", other, 1);
    test::run_alone("CpuType.DISABLED_IsCpu");
  }
  unsetenv("CLCUDA_CPU_TYPE");
  devices ? setenv("CLCUDA_DEVICES", before.c_str(), 1) : unsetenv("CLCUDA_DEVICES");
}

}  // namespace
