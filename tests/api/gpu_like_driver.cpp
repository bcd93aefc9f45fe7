// SPDX-License-Identifier: Apache-2.0
// The CPU device's driver, which says that it is that of a GPU that does not use the host's page tables and, without PAGE_FAULTS, does not
// reach pageable memory at all; with it, kernels do by page faults (heterogeneous memory management). Transfers of such memory then take
// the ways that they take on GPUs. It stands in for ptx::driver_table in this program (the linker's --wrap).
#include <cstdlib>

#include "ptx/driver/driver.h"

// The two names that --wrap gives to clcuda::ptx::driver_table(int).
const clcuda::cuda::DriverTable& sound_table(int) __asm__("__real__ZN6clcuda3ptx12driver_tableEi");
const clcuda::cuda::DriverTable& gpu_like_table(int) __asm__("__wrap__ZN6clcuda3ptx12driver_tableEi");

namespace {

using clcuda::cuda::DriverTable;

[[maybe_unused]] const bool kEnvironmentIsSet = [] {
  setenv("CLCUDA_DEVICES", "cpu", 1);
  setenv("CLCUDA_CACHE", "0", 1);
  return true;
}();

decltype(DriverTable::cuDeviceGetAttribute) sound_attribute;

CUresult attribute(int* value, CUdevice_attribute name, CUdevice device) {
  const CUresult result = sound_attribute(value, name, device);
  if (result != CUDA_SUCCESS) return result;
  if (name == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) *value = 0;
#ifndef PAGE_FAULTS
  if (name == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) *value = 0;
#endif
  return result;
}

}  // namespace

const DriverTable& gpu_like_table(int device_count) {
  static const DriverTable table = [device_count] {
    DriverTable made = sound_table(device_count);
    sound_attribute = made.cuDeviceGetAttribute;
    made.cuDeviceGetAttribute = attribute;
    return made;
  }();
  return table;
}
