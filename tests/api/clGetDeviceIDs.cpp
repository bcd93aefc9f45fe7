// SPDX-License-Identifier: Apache-2.0
#include "support/opencl.h"

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
  // No more than there is room for.
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

}  // namespace
