// SPDX-License-Identifier: Apache-2.0
// The CPU device's driver, which reports a GPU that does not use the host's page tables. Without PAGE_FAULTS kernels do not access pageable
// memory at all; with it they do by page faults (heterogeneous memory management). Transfers of pageable memory then use the same methods
// as on a GPU. With INTEGRATED_GPU it is the GPU of a Jetson: it uses the host's memory, but the host must not access managed memory while
// the GPU is busy, so shared memory has to be of another kind.
#include <cstdlib>

#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

[[maybe_unused]] const bool kEnvironmentIsSet = [] {
  setenv("CLCUDA_DEVICES", "cpu", 1);
  setenv("CLCUDA_CACHE", "0", 1);
  return true;
}();

#ifdef PAGE_FAULTS
constexpr auto kAccess = test::PageableAccess::page_faults;
#else
constexpr auto kAccess = test::PageableAccess::none;
#endif

#ifdef INTEGRATED_GPU
decltype(DriverTable::cuDeviceGetAttribute) sound_attribute;

CUresult attribute(int* value, CUdevice_attribute name, CUdevice device) {
  const CUresult result = sound_attribute(value, name, device);
  if (result != CUDA_SUCCESS) return result;
  if (name == CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS ||
      name == CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST ||
      name == CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED)
    *value = 0;
  return result;
}

// Without concurrent managed access the driver does not prefetch, and the host could not access managed memory while kernels run.
CUresult refuse_prefetch(CUdeviceptr, std::size_t, CUmemLocation, unsigned, CUstream) {
  return CUDA_ERROR_INVALID_DEVICE;
}
CUresult refuse_managed(CUdeviceptr*, std::size_t, unsigned) { return CUDA_ERROR_NOT_SUPPORTED; }
#endif

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& made) {
    test::leave_host_page_tables<kAccess>(made);
#ifdef INTEGRATED_GPU
    sound_attribute = made.cuDeviceGetAttribute;
    made.cuDeviceGetAttribute = attribute;
    made.cuMemPrefetchAsync = refuse_prefetch;
    made.cuMemAllocManaged = refuse_managed;
#endif
  });
}
