// SPDX-License-Identifier: Apache-2.0
#include "cuda/partition.h"

#include <algorithm>

#include "cuda/error.h"

namespace clcuda::cuda {
namespace {

// Allows small groups, in which large thread-block clusters cannot run; OpenCL has no clusters.
constexpr unsigned kSplitFlags = CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;

bool divides_devices(const DriverTable& driver) {
  return driver.cuDeviceGetDevResource && driver.cuDevSmResourceSplitByCount &&
         driver.cuDevResourceGenerateDesc && driver.cuGreenCtxCreate && driver.cuGreenCtxStreamCreate;
}

}  // namespace

MultiprocessorGroups multiprocessor_groups(const DriverTable& driver, CUdevice device) {
  constexpr unsigned kSmallest = 1;  // rounded up by the driver
  CUdevResource all{};
  unsigned count = 0;
  if (!divides_devices(driver) ||
      driver.cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
      driver.cuDevSmResourceSplitByCount(nullptr, &count, &all, nullptr, kSplitFlags, kSmallest) !=
          CUDA_SUCCESS)
    return {};
  MultiprocessorGroups found;
  found.groups.resize(count);
  if (driver.cuDevSmResourceSplitByCount(found.groups.data(), &count, &all, nullptr, kSplitFlags,
                                         kSmallest) != CUDA_SUCCESS ||
      count == 0)
    return {};
  found.groups.resize(count);
  found.size = found.groups.front().sm.smCount;
  std::erase_if(found.groups, [&](const CUdevResource& group) { return group.sm.smCount != found.size; });
  return found;
}

Partition::Partition(const DeviceContext& context, std::span<CUdevResource> groups)
    : driver_(context.driver()) {
  CUdevResourceDesc description = nullptr;
  check(driver_,
        driver_.cuDevResourceGenerateDesc(&description, groups.data(), static_cast<unsigned>(groups.size())),
        "cuDevResourceGenerateDesc");
  check(driver_,
        driver_.cuGreenCtxCreate(&handle_, description, context.device(), CU_GREEN_CTX_DEFAULT_STREAM),
        "cuGreenCtxCreate");
}

CUstream Partition::create_stream(int priority) const {
  CUstream stream = nullptr;
  check(driver_, driver_.cuGreenCtxStreamCreate(&stream, handle_, CU_STREAM_NON_BLOCKING, priority),
        "cuGreenCtxStreamCreate");
  return stream;
}

}  // namespace clcuda::cuda
