// SPDX-License-Identifier: Apache-2.0
#include "compiler/language_features.h"

namespace clcuda::compiler {
namespace {

constexpr std::uint32_t version(std::uint32_t major, std::uint32_t minor) {
  return major << 22 | minor << 12;
}
constexpr std::uint32_t kV1 = version(1, 0);
constexpr std::uint32_t kV3 = version(3, 0);

constexpr LanguageFeature kExtensions[] = {
    {"cl_khr_byte_addressable_store", kV1},
    {"cl_khr_global_int32_base_atomics", kV1},
    {"cl_khr_global_int32_extended_atomics", kV1},
    {"cl_khr_local_int32_base_atomics", kV1},
    {"cl_khr_local_int32_extended_atomics", kV1},
    {"cl_khr_int64_base_atomics", kV1},
    {"cl_khr_int64_extended_atomics", kV1},
    {"cl_khr_fp16", kV1},
    {"cl_khr_fp64", kV1},
    {"cl_khr_extended_async_copies", kV1},
    {"cl_khr_async_work_group_copy_fence", kV1},
    {"cl_khr_work_group_uniform_arithmetic", kV1},
    {"cl_ext_float_atomics", kV1},
    {"cl_khr_3d_image_writes", kV1},
    {"cl_khr_depth_images", kV1},
    {"cl_khr_image2d_from_buffer", kV1},
    {"cl_khr_srgb_image_writes", kV1},
    {"cl_ext_image_unorm_int_2_101010", kV1},
    {"cl_khr_mipmap_image", kV1},
    {"cl_khr_mipmap_image_writes", kV1},
    {"cl_khr_extended_bit_ops", kV1},
    {"cl_khr_expect_assume", kV1},
    {"cl_nv_pragma_unroll", kV1},
    {"cl_khr_integer_dot_product", version(2, 0)},
    {"cl_khr_kernel_clock", kV1},
    {"cl_khr_subgroups", kV1},
    {"cl_khr_subgroup_extended_types", kV1},
    {"cl_khr_subgroup_non_uniform_vote", kV1},
    {"cl_khr_subgroup_ballot", kV1},
    {"cl_khr_subgroup_non_uniform_arithmetic", kV1},
    {"cl_khr_subgroup_shuffle", kV1},
    {"cl_khr_subgroup_shuffle_relative", kV1},
    {"cl_khr_subgroup_clustered_reduce", kV1},
    {"cl_khr_subgroup_rotate", kV1},
    {"cl_intel_required_subgroup_size", kV1},
};
// Programs that find these extensions assume a GPU of Intel's with sub-groups of 8 or 16 work-items without querying the size (OpenCV's
// gemm, CLBlast's half-precision gemm), and compute wrong results with 32. They are therefore offered only if the user asks for them.
constexpr LanguageFeature kIntelExtensions[] = {
    {"cl_intel_subgroups", kV1},
    {"cl_intel_subgroups_char", kV1},
    {"cl_intel_subgroups_short", version(1, 1)},
    {"cl_intel_subgroups_long", kV1},
    {"cl_intel_subgroup_local_block_io", kV1},
};
constexpr LanguageFeature kFeatures[] = {
    {"__opencl_c_fp64", kV3},
    {"__opencl_c_int64", kV3},
    {"__opencl_c_images", kV3},
    {"__opencl_c_3d_image_writes", kV3},
    {"__opencl_c_read_write_images", kV3},
    {"__opencl_c_atomic_order_acq_rel", kV3},
    {"__opencl_c_atomic_order_seq_cst", kV3},
    {"__opencl_c_atomic_scope_device", kV3},
    {"__opencl_c_atomic_scope_all_devices", kV3},
    {"__opencl_c_generic_address_space", kV3},
    {"__opencl_c_program_scope_global_variables", kV3},
    {"__opencl_c_work_group_collective_functions", kV3},
    {"__opencl_c_subgroups", kV3},
    {"__opencl_c_pipes", kV3},
    {"__opencl_c_integer_dot_product_input_4x8bit", kV3},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", kV3},
    {"__opencl_c_ext_fp16_global_atomic_load_store", kV3},
    {"__opencl_c_ext_fp16_local_atomic_load_store", kV3},
    {"__opencl_c_ext_fp16_global_atomic_add", kV3},
    {"__opencl_c_ext_fp16_local_atomic_add", kV3},
    {"__opencl_c_ext_fp16_global_atomic_min_max", kV3},
    {"__opencl_c_ext_fp16_local_atomic_min_max", kV3},
    {"__opencl_c_ext_fp32_global_atomic_add", kV3},
    {"__opencl_c_ext_fp32_local_atomic_add", kV3},
    {"__opencl_c_ext_fp32_global_atomic_min_max", kV3},
    {"__opencl_c_ext_fp32_local_atomic_min_max", kV3},
    {"__opencl_c_ext_fp64_global_atomic_add", kV3},
    {"__opencl_c_ext_fp64_local_atomic_add", kV3},
    {"__opencl_c_ext_fp64_global_atomic_min_max", kV3},
    {"__opencl_c_ext_fp64_local_atomic_min_max", kV3},
    {"__opencl_c_ext_image_unorm_int_2_101010", kV3},
    {"__opencl_c_kernel_clock_scope_device", kV3},
    {"__opencl_c_kernel_clock_scope_work_group", kV3},
    {"__opencl_c_kernel_clock_scope_sub_group", kV3},
};

}  // namespace

std::span<const LanguageFeature> language_extensions() { return kExtensions; }
std::span<const LanguageFeature> language_features() { return kFeatures; }
std::span<const LanguageFeature> intel_extensions() { return kIntelExtensions; }

DeviceFeatures features_for(const LanguageChoice& choice) {
  DeviceFeatures chosen{.choice = choice, .extensions = {}, .features = {}};
  for (const LanguageFeature& entry : kExtensions) chosen.extensions.emplace_back(entry.name);
  if (choice.intel_subgroups)
    for (const LanguageFeature& entry : kIntelExtensions) chosen.extensions.emplace_back(entry.name);
  for (const LanguageFeature& entry : kFeatures) chosen.features.emplace_back(entry.name);
  if (choice.device_enqueue) chosen.features.emplace_back(kDeviceEnqueueFeature.name);
  return chosen;
}

}  // namespace clcuda::compiler
