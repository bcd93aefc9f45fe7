// SPDX-License-Identifier: Apache-2.0
// For a program that links the whole library and replaces the CPU device's driver: by the executor's table of driver functions, of which it
// exchanges some (clcuda_test's OWN_DRIVER, which has the linker redirect ptx::driver_table). Includes no OpenCL.
#pragma once

#include <algorithm>

#include "ptx/driver/driver.h"

namespace test {

// The original ptx::driver_table(device_count).
const clcuda::cuda::DriverTable& executors_table(int device_count) __asm__(
    "__real__ZN6clcuda3ptx12driver_tableEi");
// Called by the library instead; defined by the program.
const clcuda::cuda::DriverTable& own_table(int device_count) __asm__("__wrap__ZN6clcuda3ptx12driver_tableEi");

// For own_table(): the executor's table, changed once.
template <class Change>
const clcuda::cuda::DriverTable& changed_table(int device_count, const Change& change) {
  static const clcuda::cuda::DriverTable table = [&] {
    clcuda::cuda::DriverTable made = executors_table(device_count);
    change(made);
    return made;
  }();
  return table;
}

// Has the table report a GPU that does not use the host's page tables, as most: its kernels do not access pageable memory at all, or by
// page faults (heterogeneous memory management).
enum class PageableAccess { none, page_faults };
template <PageableAccess kAccess = PageableAccess::none>
void leave_host_page_tables(clcuda::cuda::DriverTable& table) {
  static decltype(table.cuDeviceGetAttribute) sound;
  sound = table.cuDeviceGetAttribute;
  table.cuDeviceGetAttribute = [](int* value, CUdevice_attribute name, CUdevice device) {
    const CUresult result = sound(value, name, device);
    if (result != CUDA_SUCCESS) return result;
    if (name == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) *value = 0;
    if (name == CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS && kAccess == PageableAccess::none) *value = 0;
    return result;
  };
}

// Has the table report another generation of chips, such as 9.0, whose kernels may overlap.
template <int kMajor, int kMinor>
void report_compute_capability(clcuda::cuda::DriverTable& table) {
  static decltype(table.cuDeviceGetAttribute) sound;
  sound = table.cuDeviceGetAttribute;
  table.cuDeviceGetAttribute = [](int* value, CUdevice_attribute name, CUdevice device) {
    const CUresult result = sound(value, name, device);
    if (name == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = kMajor;
    if (name == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = kMinor;
    return result;
  };
}

// Whether a launch may begin before the kernel in front of it has ended.
inline bool may_overlap(const CUlaunchConfig& config) {
  return std::any_of(config.attrs, config.attrs + config.numAttrs, [](const CUlaunchAttribute& each) {
    return each.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
           each.value.programmaticStreamSerializationAllowed;
  });
}

}  // namespace test
