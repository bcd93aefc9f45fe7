// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/device_features.h"

#include "base/config.h"
#include "compiler/spirv/reader.h"
#include "runtime/platform/device.h"
#include "runtime/platform/opencl_version.h"
#include "runtime/platform/platform.h"

namespace clcuda {
namespace {

constexpr cl_version kV1 = CL_MAKE_VERSION(1, 0, 0);
constexpr cl_version kV3 = CL_MAKE_VERSION(3, 0, 0);

// Of the host API.
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
    {kV1, "cl_ext_cxx_for_opencl"},  // has no macro of its name
    {CL_MAKE_VERSION(0, 5, 0), "cl_ext_image_requirements_info"},
    {kV1, "cl_ext_image_from_buffer"},
    {CL_MAKE_VERSION(1, 0, 2), "cl_ext_buffer_device_address"},
    {kV1, "cl_ext_immutable_memory_objects"},
    {kV1, "cl_intel_create_buffer_with_properties"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_intel_unified_shared_memory"},
    {kV1, "cl_clcuda_cuda_interop"},
};
// Only where there is such a bus.
constexpr cl_name_version kGpuExtensions[] = {
    {kV1, "cl_khr_pci_bus_info"},
    {kV1, "cl_nv_device_attribute_query"},
    {kV1, "cl_nv_compiler_options"},
};
// Of OpenCL C: the compiler declares them, builtins/ implements them.
constexpr cl_name_version kLanguageExtensions[] = {
    {kV1, "cl_khr_byte_addressable_store"},
    {kV1, "cl_khr_global_int32_base_atomics"},
    {kV1, "cl_khr_global_int32_extended_atomics"},
    {kV1, "cl_khr_local_int32_base_atomics"},
    {kV1, "cl_khr_local_int32_extended_atomics"},
    {kV1, "cl_khr_int64_base_atomics"},
    {kV1, "cl_khr_int64_extended_atomics"},
    {kV1, "cl_khr_fp16"},
    {kV1, "cl_khr_fp64"},
    {kV1, "cl_khr_extended_async_copies"},
    {kV1, "cl_khr_async_work_group_copy_fence"},
    {kV1, "cl_khr_work_group_uniform_arithmetic"},
    {kV1, "cl_ext_float_atomics"},
    {kV1, "cl_khr_3d_image_writes"},
    {kV1, "cl_khr_depth_images"},
    {kV1, "cl_khr_image2d_from_buffer"},
    {kV1, "cl_khr_srgb_image_writes"},
    {kV1, "cl_ext_image_unorm_int_2_101010"},
    {kV1, "cl_khr_mipmap_image"},
    {kV1, "cl_khr_mipmap_image_writes"},
    {kV1, "cl_khr_extended_bit_ops"},
    {kV1, "cl_khr_expect_assume"},
    {kV1, "cl_nv_pragma_unroll"},
    {CL_MAKE_VERSION(2, 0, 0), "cl_khr_integer_dot_product"},
    {kV1, "cl_khr_kernel_clock"},
    {kV1, "cl_khr_subgroups"},
    {kV1, "cl_khr_subgroup_extended_types"},
    {kV1, "cl_khr_subgroup_non_uniform_vote"},
    {kV1, "cl_khr_subgroup_ballot"},
    {kV1, "cl_khr_subgroup_non_uniform_arithmetic"},
    {kV1, "cl_khr_subgroup_shuffle"},
    {kV1, "cl_khr_subgroup_shuffle_relative"},
    {kV1, "cl_khr_subgroup_clustered_reduce"},
    {kV1, "cl_khr_subgroup_rotate"},
    {kV1, "cl_intel_required_subgroup_size"},
};
// Of OpenCL C too, but programs that find them take the device for a GPU of Intel's and its sub-groups for 8 or 16 work-items without
// asking (OpenCV's gemm, CLBlast's of halves), and compute something else with 32. So only where the user asks for them.
constexpr cl_name_version kIntelExtensions[] = {
    {kV1, "cl_intel_subgroups"},
    {kV1, "cl_intel_subgroups_char"},
    {CL_MAKE_VERSION(1, 1, 0), "cl_intel_subgroups_short"},
    {kV1, "cl_intel_subgroups_long"},
    {kV1, "cl_intel_subgroup_local_block_io"},
};
constexpr cl_name_version kFeatures[] = {
    {kV3, "__opencl_c_fp64"},
    {kV3, "__opencl_c_int64"},
    {kV3, "__opencl_c_images"},
    {kV3, "__opencl_c_3d_image_writes"},
    {kV3, "__opencl_c_read_write_images"},
    {kV3, "__opencl_c_atomic_order_acq_rel"},
    {kV3, "__opencl_c_atomic_order_seq_cst"},
    {kV3, "__opencl_c_atomic_scope_device"},
    {kV3, "__opencl_c_atomic_scope_all_devices"},
    {kV3, "__opencl_c_generic_address_space"},
    {kV3, "__opencl_c_program_scope_global_variables"},
    {kV3, "__opencl_c_work_group_collective_functions"},
    {kV3, "__opencl_c_subgroups"},
    {kV3, "__opencl_c_pipes"},
    {kV3, "__opencl_c_integer_dot_product_input_4x8bit"},
    {kV3, "__opencl_c_integer_dot_product_input_4x8bit_packed"},
    {kV3, "__opencl_c_ext_fp16_global_atomic_load_store"},
    {kV3, "__opencl_c_ext_fp16_local_atomic_load_store"},
    {kV3, "__opencl_c_ext_fp16_global_atomic_add"},
    {kV3, "__opencl_c_ext_fp16_local_atomic_add"},
    {kV3, "__opencl_c_ext_fp16_global_atomic_min_max"},
    {kV3, "__opencl_c_ext_fp16_local_atomic_min_max"},
    {kV3, "__opencl_c_ext_fp32_global_atomic_add"},
    {kV3, "__opencl_c_ext_fp32_local_atomic_add"},
    {kV3, "__opencl_c_ext_fp32_global_atomic_min_max"},
    {kV3, "__opencl_c_ext_fp32_local_atomic_min_max"},
    {kV3, "__opencl_c_ext_fp64_global_atomic_add"},
    {kV3, "__opencl_c_ext_fp64_local_atomic_add"},
    {kV3, "__opencl_c_ext_fp64_global_atomic_min_max"},
    {kV3, "__opencl_c_ext_fp64_local_atomic_min_max"},
    {kV3, "__opencl_c_ext_image_unorm_int_2_101010"},
    {kV3, "__opencl_c_kernel_clock_scope_device"},
    {kV3, "__opencl_c_kernel_clock_scope_work_group"},
    {kV3, "__opencl_c_kernel_clock_scope_sub_group"},
};
constexpr cl_name_version kVersions[] = {
    {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
    {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"},
};

std::vector<cl_name_version> language_extensions() {
  std::vector<cl_name_version> all(std::begin(kLanguageExtensions), std::end(kLanguageExtensions));
  if (config().intel_subgroups)
    all.insert(all.end(), std::begin(kIntelExtensions), std::end(kIntelExtensions));
  return all;
}

}  // namespace

// Those that all of its devices have (section 4.1), and for which none needs to be asked.
std::vector<cl_name_version> platform_extensions(const Platform& platform) {
  std::vector<cl_name_version> all = language_extensions();
  all.insert(all.end(), std::begin(kHostExtensions), std::end(kHostExtensions));
  if (!platform.is_cpu()) all.insert(all.end(), std::begin(kGpuExtensions), std::end(kGpuExtensions));
  return all;
}

std::vector<cl_name_version> device_extensions(const Device& device) {
  return platform_extensions(device.platform());
}

std::vector<cl_name_version> opencl_c_features(const Device& device) {
  std::vector<cl_name_version> all(std::begin(kFeatures), std::end(kFeatures));
  if (offers_device_enqueue(device)) all.push_back({kV3, "__opencl_c_device_enqueue"});
  return all;
}

bool offers_device_enqueue(const Device& device) {
  constexpr int kDeviceRuntime = 13000;  // of CUDA 13.0
  int version = 0;
  return device.platform().is_cpu() ||
         (device.driver().cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= kDeviceRuntime);
}

// 2.0 where all is there that it requires: whatever is optional in 3.0.
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
  compiler::DeviceFeatures features;
  features.opencl_version =
      static_cast<int>(CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10);
  for (const cl_name_version& entry : language_extensions()) features.extensions.emplace_back(entry.name);
  for (const cl_name_version& entry : opencl_c_features(device)) features.features.emplace_back(entry.name);
  return features;
}

}  // namespace clcuda
