// SPDX-License-Identifier: Apache-2.0
// Sub-devices with a driver that refuses to divide the device once. Such a refusal is not remembered: it may have been for lack of memory.
#include <array>

#include "refusing_driver.h"

namespace faults {
namespace {

using PartitionRefusals = RefusingDriver<test::OpenCL>;

TEST_F(PartitionRefusals, AreNotRemembered) {
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  std::array<cl_device_id, 2> parts{};
  struct Call {
    const char* function;
    std::uint64_t number;
  };
  for (const Call& call : {Call{"cuDeviceGetDevResource", 1}, Call{"cuDevSmResourceSplitByCount", 1},
                           Call{"cuDevSmResourceSplitByCount", 2}}) {
    driver::arm({.call = call.number, .error = CUDA_ERROR_OUT_OF_MEMORY, .function = call.function});
    CL_EXPECT(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(device, counts, 2, parts.data(), nullptr));
    EXPECT_NE(driver::disarm().failed, nullptr) << call.function;
  }
  CL_OK(clCreateSubDevices(device, counts, 2, parts.data(), nullptr));
  for (cl_device_id part : parts) CL_EXPECT(CL_SUCCESS, clReleaseDevice(part));
}

}  // namespace
}  // namespace faults
