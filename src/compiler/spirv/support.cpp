// SPDX-License-Identifier: Apache-2.0
// The capabilities and extensions that the reader supports. Both the device's queries and the check of a module's OpCapability use these
// tables.
#include "compiler/spirv/support.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/spirv/enumerants.h"
#include "compiler/spirv/reader.h"

namespace clcuda::compiler::spirv {
namespace {

constexpr std::array<std::uint32_t, 7> kReadVersions = {0x00010600, 0x00010500, 0x00010400, 0x00010300,
                                                        0x00010200, 0x00010100, 0x00010000};

// A capability or extension, and the feature or extension that a device needs for it; empty: none.
struct Support {
  Capability capability;
  std::string_view needs;
};
struct ExtensionSupport {
  const char* name;
  std::string_view needs;
};

constexpr Support kSupported[] = {
    {Capability::Addresses, ""},
    {Capability::Linkage, ""},
    {Capability::Kernel, ""},
    {Capability::Vector16, ""},
    {Capability::Float16Buffer, ""},
    {Capability::Float16, "cl_khr_fp16"},
    {Capability::Float64, "__opencl_c_fp64"},
    {Capability::Int64, ""},
    {Capability::Int64Atomics, "cl_khr_int64_base_atomics"},
    {Capability::Int16, ""},
    {Capability::Int8, ""},
    {Capability::GenericPointer, "__opencl_c_generic_address_space"},
    {Capability::ImageBasic, "__opencl_c_images"},
    {Capability::ImageReadWrite, "__opencl_c_read_write_images"},
    {Capability::ImageMipmap, "cl_khr_mipmap_image"},
    {Capability::LiteralSampler, "__opencl_c_images"},
    {Capability::Sampled1D, "__opencl_c_images"},
    {Capability::Image1D, "__opencl_c_images"},
    {Capability::SampledBuffer, "__opencl_c_images"},
    {Capability::ImageBuffer, "__opencl_c_images"},
    {Capability::Pipes, "__opencl_c_pipes"},
    {Capability::Groups, ""},
    {Capability::DeviceEnqueue, "__opencl_c_device_enqueue"},
    {Capability::SubgroupDispatch, "__opencl_c_subgroups"},
    {Capability::UniformDecoration, ""},
    {Capability::GroupNonUniform, "__opencl_c_subgroups"},
    {Capability::GroupNonUniformVote, "cl_khr_subgroup_non_uniform_vote"},
    {Capability::GroupNonUniformArithmetic, "cl_khr_subgroup_non_uniform_arithmetic"},
    {Capability::GroupNonUniformBallot, "cl_khr_subgroup_ballot"},
    {Capability::GroupNonUniformShuffle, "cl_khr_subgroup_shuffle"},
    {Capability::GroupNonUniformShuffleRelative, "cl_khr_subgroup_shuffle_relative"},
    {Capability::GroupNonUniformClustered, "cl_khr_subgroup_clustered_reduce"},
    {Capability::GroupNonUniformRotateKHR, "cl_khr_subgroup_rotate"},
    {Capability::GroupUniformArithmeticKHR, "cl_khr_work_group_uniform_arithmetic"},
    {Capability::BitInstructions, "cl_khr_extended_bit_ops"},
    {Capability::DotProduct, "cl_khr_integer_dot_product"},
    {Capability::DotProductInputAll, "cl_khr_integer_dot_product"},
    {Capability::DotProductInput4x8Bit, "cl_khr_integer_dot_product"},
    {Capability::DotProductInput4x8BitPacked, "cl_khr_integer_dot_product"},
    {Capability::ExpectAssumeKHR, "cl_khr_expect_assume"},
    {Capability::ShaderClockKHR, "cl_khr_kernel_clock"},
    {Capability::AtomicFloat16AddEXT, "__opencl_c_ext_fp16_global_atomic_add"},
    {Capability::AtomicFloat32AddEXT, "__opencl_c_ext_fp32_global_atomic_add"},
    {Capability::AtomicFloat64AddEXT, "__opencl_c_ext_fp64_global_atomic_add"},
    {Capability::AtomicFloat16MinMaxEXT, "__opencl_c_ext_fp16_global_atomic_min_max"},
    {Capability::AtomicFloat32MinMaxEXT, "__opencl_c_ext_fp32_global_atomic_min_max"},
    {Capability::AtomicFloat64MinMaxEXT, "__opencl_c_ext_fp64_global_atomic_min_max"},
    // SYCL compilers emit these for any device with sub-groups, whether or not it has the OpenCL C extension.
    {Capability::SubgroupShuffleINTEL, "__opencl_c_subgroups"},
    {Capability::SubgroupBufferBlockIOINTEL, "__opencl_c_subgroups"},
    {Capability::SubgroupImageBlockIOINTEL, "__opencl_c_subgroups"},
    {Capability::MemoryAccessAliasingINTEL, ""},
    {Capability::FPFastMathModeINTEL, ""},
    {Capability::DenormPreserve, ""},
    {Capability::DenormFlushToZero, ""},
    {Capability::SignedZeroInfNanPreserve, ""},
    {Capability::RoundingModeRTE, ""},
    {Capability::FloatControls2, ""},
    {Capability::UntypedPointersKHR, ""},
    {Capability::OptNoneINTEL, ""},
    {Capability::UnstructuredLoopControlsINTEL, ""},
    {Capability::FunctionPointersINTEL, ""},
    {Capability::IndirectReferencesINTEL, ""},
};

constexpr ExtensionSupport kSupportedExtensions[] = {
    {"SPV_KHR_no_integer_wrap_decoration", ""},
    {"SPV_KHR_linkonce_odr", ""},
    {"SPV_KHR_non_semantic_info", ""},
    {"SPV_KHR_float_controls", ""},
    {"SPV_KHR_float_controls2", ""},
    {"SPV_KHR_untyped_pointers", ""},
    {"SPV_KHR_bit_instructions", "cl_khr_extended_bit_ops"},
    {"SPV_KHR_integer_dot_product", "cl_khr_integer_dot_product"},
    {"SPV_KHR_subgroup_rotate", "cl_khr_subgroup_rotate"},
    {"SPV_KHR_expect_assume", "cl_khr_expect_assume"},
    {"SPV_KHR_shader_clock", "cl_khr_kernel_clock"},
    {"SPV_KHR_uniform_group_instructions", "cl_khr_work_group_uniform_arithmetic"},
    {"SPV_EXT_shader_atomic_float_add", "cl_ext_float_atomics"},
    {"SPV_EXT_shader_atomic_float16_add", "cl_ext_float_atomics"},
    {"SPV_EXT_shader_atomic_float_min_max", "cl_ext_float_atomics"},
    {"SPV_EXT_relaxed_printf_string_address_space", ""},
    {"SPV_EXT_optnone", ""},
    {"SPV_INTEL_optnone", ""},
    {"SPV_INTEL_subgroups", "__opencl_c_subgroups"},
    {"SPV_INTEL_memory_access_aliasing", ""},
    {"SPV_INTEL_fp_fast_math_mode", ""},
    {"SPV_INTEL_unstructured_loop_controls", ""},
    {"SPV_INTEL_function_pointers", ""},
};

bool offers(const DeviceFeatures& features, std::string_view name) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  return name.empty() || has(features.extensions) || has(features.features);
}

}  // namespace

bool is_supported(Capability capability, const DeviceFeatures& features) {
  return std::ranges::any_of(kSupported, [&](const Support& support) {
    return support.capability == capability && offers(features, support.needs);
  });
}

std::span<const std::uint32_t> versions() { return kReadVersions; }

std::vector<std::uint32_t> capabilities(const DeviceFeatures& features) {
  std::vector<std::uint32_t> list;
  for (const Support& support : kSupported)
    if (offers(features, support.needs)) list.push_back(static_cast<std::uint32_t>(support.capability));
  return list;
}

std::vector<const char*> extensions(const DeviceFeatures& features) {
  std::vector<const char*> list;
  for (const ExtensionSupport& extension : kSupportedExtensions)
    if (offers(features, extension.needs)) list.push_back(extension.name);
  return list;
}

std::vector<const char*> extended_instruction_sets() { return {"OpenCL.std"}; }

}  // namespace clcuda::compiler::spirv
