// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/device_features.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/config.h"
#include "compiler/language_features.h"
#include "compiler/spirv/reader.h"
#include "runtime/platform/device.h"
#include "runtime/platform/opencl_version.h"
#include "runtime/platform/platform.h"

namespace clcuda {
namespace {

constexpr cl_version kV1 = CL_MAKE_VERSION(1, 0, 0);

// Extensions of the host API.
constexpr cl_name_version kHostExtensions[] = {
    {CL_MAKE_VERSION(2, 0, 0), "cl_khr_icd"},
    {kV1, "cl_khr_extended_versioning"},
    {kV1, "cl_khr_device_uuid"},
    {kV1, "cl_khr_create_command_queue"},
    {kV1, "cl_khr_suggested_local_work_size"},
    {kV1, "cl_khr_il_program"},
    {kV1, "cl_khr_spirv_queries"},
    {kV1, "cl_khr_spirv_linkonce_odr"},
    {kV1, "cl_khr_spirv_no_integer_wrap_decoration"},
    {kV1, "cl_ext_cxx_for_opencl"},  // defines no macro of this name
    {CL_MAKE_VERSION(0, 5, 0), "cl_ext_image_requirements_info"},
    {kV1, "cl_ext_image_from_buffer"},
    {CL_MAKE_VERSION(1, 0, 2), "cl_ext_buffer_device_address"},
    {kV1, "cl_ext_immutable_memory_objects"},
    {kV1, "cl_intel_create_buffer_with_properties"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_intel_unified_shared_memory"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_clcuda_cuda_interop"},
};
// Extensions of GPUs only.
constexpr cl_name_version kGpuExtensions[] = {
    {kV1, "cl_khr_pci_bus_info"},
    {kV1, "cl_nv_device_attribute_query"},
    {kV1, "cl_nv_compiler_options"},
};
// Only if host memory can be registered with the driver.
constexpr cl_name_version kImportExtensions[] = {
    {CL_MAKE_VERSION(1, 1, 0), "cl_arm_import_memory"},
    {kV1, "cl_arm_import_memory_host"},
};
constexpr cl_name_version kVersions[] = {
    {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
    {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
};

cl_name_version entry_of(const compiler::LanguageFeature& feature) {
  cl_name_version entry{.version = feature.version, .name = {}};
  std::string_view(feature.name).copy(entry.name, sizeof entry.name - 1);
  return entry;
}
void add(std::vector<cl_name_version>& all, std::span<const compiler::LanguageFeature> features) {
  std::ranges::transform(features, std::back_inserter(all), entry_of);
}

}  // namespace

// Section 4.1: the extensions that all of its devices support; which these are does not depend on the devices.
std::vector<cl_name_version> platform_extensions(const Platform& platform) {
  std::vector<cl_name_version> all;
  add(all, compiler::language_extensions());
  if (config().intel_subgroups) add(all, compiler::intel_extensions());
  all.insert(all.end(), std::begin(kHostExtensions), std::end(kHostExtensions));
  if (!platform.is_cpu()) all.insert(all.end(), std::begin(kGpuExtensions), std::end(kGpuExtensions));
  return all;
}

std::vector<cl_name_version> device_extensions(const Device& device) {
  std::vector<cl_name_version> all = platform_extensions(device.platform());
  if (imports_host_memory(device))
    all.insert(all.end(), std::begin(kImportExtensions), std::end(kImportExtensions));
  return all;
}

std::vector<cl_name_version> opencl_c_features(const Device& device) {
  std::vector<cl_name_version> all;
  add(all, compiler::language_features());
  if (offers_device_enqueue(device)) all.push_back(entry_of(compiler::kDeviceEnqueueFeature));
  return all;
}

bool offers_device_enqueue(const Device& device) {
  constexpr int kDeviceRuntime = 13000;  // of CUDA 13.0
  int version = 0;
  return device.platform().is_cpu() ||
         (device.driver().cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= kDeviceRuntime);
}

bool imports_host_memory(const Device& device) {
  constexpr CUdevice_attribute kNeeded[] = {
      CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY,
      CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM};
  return std::ranges::all_of(kNeeded, [&](CUdevice_attribute name) { return device.attribute(name) != 0; });
}

bool imports_read_only_memory(const Device& device) {
  return device.attribute(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED) != 0;
}

// 2.0 is included if everything that it requires, and that is optional in 3.0, is supported.
std::vector<cl_name_version> opencl_c_versions(const Device& device) {
  std::vector<cl_name_version> all(std::begin(kVersions), std::end(kVersions));
  if (offers_device_enqueue(device)) all.push_back({CL_MAKE_VERSION(2, 0, 0), "OpenCL C"});
  if (opencl_version() >= kOpenCl31) all.push_back({kOpenCl31, "OpenCL C"});
  return all;
}

std::vector<cl_name_version> intermediate_languages() {
  std::vector<cl_name_version> all;
  for (const std::uint32_t version : compiler::spirv::versions())
    all.push_back({CL_MAKE_VERSION(version >> 16 & 0xFF, version >> 8 & 0xFF, 0), "SPIR-V"});
  return all;
}

std::string names_of(std::span<const cl_name_version> entries) {
  std::string text;
  for (const cl_name_version& entry : entries) {
    if (!text.empty()) text += ' ';
    text += entry.name;
  }
  return text;
}

compiler::DeviceFeatures compiler_features(const Device& device) {
  const cl_version version = opencl_version();
  return compiler::features_for(
      {.device_enqueue = offers_device_enqueue(device),
       .intel_subgroups = config().intel_subgroups,
       .opencl_version = static_cast<int>(CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10)});
}

}  // namespace clcuda
