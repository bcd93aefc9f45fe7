// SPDX-License-Identifier: Apache-2.0
// Devices whose primary context the driver does not create: by section 4.4 a context of a device type leaves them out, a context of these
// very devices is refused. This program's driver refuses.
#include <cstdlib>
#include <vector>

#include "support/opencl.h"
#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kEnvironmentIsSet =
    setenv("CLCUDA_DEVICES", "cpu,cpu,cpu", 1) == 0 && setenv("CLCUDA_CACHE", "0", 1) == 0;

int devices_refused = 0;  // the first ones
decltype(DriverTable::cuDevicePrimaryCtxRetain) sound_retain;

CUresult retain(CUcontext* context, CUdevice device) {
  return device < devices_refused ? CUDA_ERROR_DEVICE_UNAVAILABLE : sound_retain(context, device);
}

// The contexts of devices are never given back: the tests refuse fewer and fewer devices.
TEST(UnavailableDevices, AreLeftOutOfContextsOfAType) {
  ASSERT_TRUE(kEnvironmentIsSet);
  const std::vector<cl_device_id> devices = test::devices();
  ASSERT_EQ(devices.size(), 3u);
  cl_platform_id platform = nullptr;
  CL_OK(clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(platform), 0};
  cl_int error = CL_SUCCESS;

  devices_refused = 3;
  EXPECT_EQ(clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &error), nullptr);
  CL_EXPECT(CL_DEVICE_NOT_AVAILABLE, error);

  for (devices_refused = 2; devices_refused >= 0; --devices_refused) {
    SCOPED_TRACE(devices_refused);
    const test::Context some =
        clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &error);
    CL_OK(error);
    std::vector<cl_device_id> found(3 - devices_refused);
    std::size_t size = 0;
    CL_OK(
        clGetContextInfo(some, CL_CONTEXT_DEVICES, found.size() * sizeof(cl_device_id), found.data(), &size));
    EXPECT_EQ(size, found.size() * sizeof(cl_device_id));
    EXPECT_EQ(found, std::vector(devices.begin() + devices_refused, devices.end()));
    for (int i = 0; i < devices_refused; ++i) {
      const cl_device_id both[] = {devices[2], devices[i]};
      EXPECT_EQ(clCreateContext(nullptr, 2, both, nullptr, nullptr, &error), nullptr);
      CL_EXPECT(CL_DEVICE_NOT_AVAILABLE, error);
    }
  }
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& own) {
    sound_retain = own.cuDevicePrimaryCtxRetain;
    own.cuDevicePrimaryCtxRetain = retain;
  });
}
