// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_ext.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

class DeviceInfo : public test::OpenCL {
 protected:
  template <class T>
  T value(cl_device_info name) const {
    T found{};
    size_t size = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, sizeof found, &found, &size));
    EXPECT_EQ(sizeof found, size);
    return found;
  }
  template <class T>
  std::vector<T> values(cl_device_info name) const {
    size_t size = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, 0, nullptr, &size));
    EXPECT_EQ(0u, size % sizeof(T));
    std::vector<T> found(size / sizeof(T));
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, size, found.data(), nullptr));
    return found;
  }
  std::string text(cl_device_info name) const {
    const std::vector<char> found = values<char>(name);
    return found.empty() ? "" : std::string(found.begin(), found.end() - 1);
  }
  std::vector<std::string> extensions() const {
    std::istringstream words(text(CL_DEVICE_EXTENSIONS));
    return {std::istream_iterator<std::string>(words), {}};
  }
};

// Table 5 of the specification: the minimum values for the full profile.
TEST_F(DeviceInfo, MeetsTheFullProfile) {
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY), 100u);  // in MHz
  EXPECT_LE(value<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY), 20000u);
  EXPECT_EQ(3u, value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  EXPECT_EQ(3u, values<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES).size());
  EXPECT_GE(value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE), 1u);
  const auto memory = value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
            std::max<cl_ulong>(std::min<cl_ulong>(1 << 30, memory / 4), 32 << 20));
  EXPECT_GE(value<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 64u << 10);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), 32u << 10);
  EXPECT_GE(value<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE), 1u << 20);
  EXPECT_EQ(CL_TRUE, value<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE));
  EXPECT_EQ(CL_TRUE, value<cl_bool>(CL_DEVICE_LINKER_AVAILABLE));
  EXPECT_TRUE(value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
  EXPECT_TRUE(value<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
              CL_QUEUE_PROFILING_ENABLE);
  const auto single = value<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG);
  EXPECT_EQ(cl_device_fp_config(CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
            single & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
  const auto memory_orders = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_TRUE(memory_orders & CL_DEVICE_ATOMIC_ORDER_RELAXED);
  EXPECT_TRUE(memory_orders & CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP);
  const auto fences = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  EXPECT_TRUE(fences & CL_DEVICE_ATOMIC_ORDER_ACQ_REL);
}

TEST_F(DeviceInfo, NamesVersions) {
  EXPECT_EQ(0u, text(CL_DEVICE_VERSION).find("OpenCL 3.1 "));
  EXPECT_EQ(0u, text(CL_DEVICE_OPENCL_C_VERSION).find("OpenCL C 1.2 "));
  EXPECT_EQ("FULL_PROFILE", text(CL_DEVICE_PROFILE));
  EXPECT_FALSE(text(CL_DEVICE_NAME).empty());
  EXPECT_FALSE(text(CL_DRIVER_VERSION).empty());
  std::vector<cl_version> versions;
  for (const cl_name_version& entry : values<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    EXPECT_STREQ("OpenCL C", entry.name);
    versions.push_back(entry.version);
  }
  for (const cl_version wanted : {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                  CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(3, 0, 0)})
    EXPECT_NE(versions.end(), std::find(versions.begin(), versions.end(), wanted));
}

// Section 5.8.6.5: a version that is not listed fails to compile.
TEST_F(DeviceInfo, ProgramsOfTheVersionsListedAndOfNoOthersAreBuilt) {
  std::vector<cl_version> versions;
  for (const cl_name_version& entry : values<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS))
    versions.push_back(entry.version);
  const bool has_device_enqueue =
      value<cl_device_device_enqueue_capabilities>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0;
  EXPECT_EQ(has_device_enqueue, std::ranges::find(versions, CL_MAKE_VERSION(2, 0, 0)) != versions.end());
  const char* source = "kernel void k(global int* p) { *p = __OPENCL_C_VERSION__; }";
  for (const auto& [option, version] : {std::pair{"-cl-std=CL1.0", CL_MAKE_VERSION(1, 0, 0)},
                                        std::pair{"-cl-std=CL1.1", CL_MAKE_VERSION(1, 1, 0)},
                                        std::pair{"-cl-std=CL1.2", CL_MAKE_VERSION(1, 2, 0)},
                                        std::pair{"-cl-std=CL2.0", CL_MAKE_VERSION(2, 0, 0)},
                                        std::pair{"-cl-std=CL3.0", CL_MAKE_VERSION(3, 0, 0)},
                                        std::pair{"-cl-std=CL3.1", CL_MAKE_VERSION(3, 1, 0)}}) {
    const bool listed = std::ranges::find(versions, version) != versions.end();
    cl_int error = CL_SUCCESS;
    const test::Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
    CL_OK(error);
    CL_EXPECT(listed ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 1, &device, option, nullptr, nullptr))
        << option;
  }
}

// Section 4.2: the two queries of SPIR-V versions agree.
TEST_F(DeviceInfo, NamesVersionsOfSpirV) {
  std::string both;
  for (const cl_name_version& entry : values<cl_name_version>(CL_DEVICE_ILS_WITH_VERSION)) {
    EXPECT_STREQ("SPIR-V", entry.name);
    both += (both.empty() ? "SPIR-V_" : " SPIR-V_") + std::to_string(CL_VERSION_MAJOR(entry.version)) + "." +
            std::to_string(CL_VERSION_MINOR(entry.version));
  }
  EXPECT_EQ(both, text(CL_DEVICE_IL_VERSION));
  // OpenCL 3.1 requires these.
  for (const char* version : {"SPIR-V_1.0", "SPIR-V_1.1", "SPIR-V_1.2", "SPIR-V_1.3", "SPIR-V_1.4"})
    EXPECT_NE(std::string::npos, (both + " ").find(std::string(version) + " ")) << version;
}

// cl_khr_spirv_queries.
TEST_F(DeviceInfo, NamesWhatItTakesOfSpirV) {
  constexpr cl_device_info kExtendedInstructionSets = 0x12B9, kExtensions = 0x12BA, kCapabilities = 0x12BB;
  constexpr cl_uint kAddresses = 4, kLinkage = 5, kKernel = 6, kVector16 = 7, kFloat16Buffer = 8, kInt64 = 11,
                    kInt16 = 22, kInt8 = 39, kShader = 1;
  std::vector<cl_uint> capabilities = values<cl_uint>(kCapabilities);
  for (const cl_uint required :
       {kAddresses, kLinkage, kKernel, kVector16, kFloat16Buffer, kInt64, kInt16, kInt8})
    EXPECT_EQ(1, std::ranges::count(capabilities, required)) << required;
  EXPECT_EQ(0, std::ranges::count(capabilities, kShader));
  std::ranges::sort(capabilities);
  EXPECT_EQ(capabilities.end(), std::ranges::adjacent_find(capabilities));
  std::vector<std::string> sets;
  for (const char* set : values<const char*>(kExtendedInstructionSets)) sets.emplace_back(set);
  EXPECT_EQ(1, std::ranges::count(sets, "OpenCL.std"));
  std::vector<std::string> spirv_extensions;
  for (const char* extension : values<const char*>(kExtensions)) {
    EXPECT_TRUE(std::string_view(extension).starts_with("SPV_")) << extension;
    spirv_extensions.emplace_back(extension);
  }
  // Extensions of the API that require a SPIR-V extension.
  const std::vector<std::string> names = extensions();
  for (const auto& [name, promised] :
       {std::pair{"cl_khr_spirv_linkonce_odr", "SPV_KHR_linkonce_odr"},
        std::pair{"cl_khr_spirv_no_integer_wrap_decoration", "SPV_KHR_no_integer_wrap_decoration"},
        std::pair{"cl_khr_expect_assume", "SPV_KHR_expect_assume"},
        std::pair{"cl_khr_integer_dot_product", "SPV_KHR_integer_dot_product"},
        std::pair{"cl_khr_extended_bit_ops", "SPV_KHR_bit_instructions"},
        std::pair{"cl_khr_subgroup_rotate", "SPV_KHR_subgroup_rotate"}})
    EXPECT_EQ(std::ranges::count(names, name), std::ranges::count(spirv_extensions, promised)) << name;
}

// Required capabilities (OpenCL SPIR-V Environment, sections 4 and 5), by device version, feature and extension.
TEST_F(DeviceInfo, TakesTheSpirVThatItsFeaturesRequire) {
  struct Requirement {
    std::string of;  // empty: of every device that has OpenCL 3.1 and SPIR-V up to 1.6
    std::vector<cl_uint> capabilities;
    std::vector<std::string> extensions = {};
  };
  const Requirement requirements[] = {
      // Addresses, Linkage, Kernel, Vector16, Float16Buffer, Int64, Int16, Int8; Groups, SubgroupDispatch; GroupNonUniformShuffle and
      // -Relative, UniformDecoration; DotProduct, -Input4x8Bit, -Packed; BitInstructions, GroupNonUniformRotateKHR
      {"",
       {4, 5, 6, 7, 8, 11, 22, 39, 18, 58, 65, 66, 71, 6019, 6017, 6018, 6025, 6026},
       {"SPV_KHR_bit_instructions", "SPV_KHR_integer_dot_product", "SPV_KHR_subgroup_rotate"}},
      // LiteralSampler, Sampled1D, Image1D, SampledBuffer, ImageBuffer, ImageBasic; ImageReadWrite, -Mipmap
      {"__opencl_c_images", {20, 43, 44, 46, 47, 13}},
      {"__opencl_c_read_write_images", {14}},
      {"cl_khr_mipmap_image_writes", {15}},
      // Float16, Float64, Int64Atomics, GenericPointer, Pipes, DeviceEnqueue
      {"cl_khr_fp16", {9}},
      {"__opencl_c_fp64", {10}},
      {"cl_khr_int64_base_atomics", {12}},
      {"__opencl_c_generic_address_space", {38}},
      {"__opencl_c_pipes", {17}},
      {"__opencl_c_device_enqueue", {19}},
      // GroupNonUniform, -Vote, -Ballot, -Arithmetic, -Clustered; GroupUniformArithmeticKHR
      {"cl_khr_subgroup_non_uniform_vote", {61, 62}},
      {"cl_khr_subgroup_ballot", {64}},
      {"cl_khr_subgroup_non_uniform_arithmetic", {63}},
      {"cl_khr_subgroup_clustered_reduce", {67}},
      {"cl_khr_work_group_uniform_arithmetic", {6400}, {"SPV_KHR_uniform_group_instructions"}},
      {"cl_khr_expect_assume", {5629}, {"SPV_KHR_expect_assume"}},
      {"cl_khr_kernel_clock", {5055}, {"SPV_KHR_shader_clock"}},
      {"cl_khr_spirv_linkonce_odr", {}, {"SPV_KHR_linkonce_odr"}},
      {"cl_khr_spirv_no_integer_wrap_decoration", {}, {"SPV_KHR_no_integer_wrap_decoration"}},
      // AtomicFloat16AddEXT, -32-, -64-; AtomicFloat16MinMaxEXT, -32-, -64-
      {"__opencl_c_ext_fp16_global_atomic_add", {6095}, {"SPV_EXT_shader_atomic_float16_add"}},
      {"__opencl_c_ext_fp32_global_atomic_add", {6033}, {"SPV_EXT_shader_atomic_float_add"}},
      {"__opencl_c_ext_fp64_global_atomic_add", {6034}, {"SPV_EXT_shader_atomic_float_add"}},
      {"__opencl_c_ext_fp16_global_atomic_min_max", {5616}, {"SPV_EXT_shader_atomic_float_min_max"}},
      {"__opencl_c_ext_fp32_global_atomic_min_max", {5612}, {"SPV_EXT_shader_atomic_float_min_max"}},
      {"__opencl_c_ext_fp64_global_atomic_min_max", {5613}, {"SPV_EXT_shader_atomic_float_min_max"}}};
  std::vector<std::string> offered = extensions();
  for (const cl_name_version& feature : values<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES))
    offered.emplace_back(feature.name);
  offered.emplace_back("");
  const std::vector<cl_uint> capabilities = values<cl_uint>(0x12BB);
  std::vector<std::string> spirv_extensions;
  for (const char* extension : values<const char*>(0x12BA)) spirv_extensions.emplace_back(extension);
  for (const Requirement& requirement : requirements) {
    if (!std::ranges::count(offered, requirement.of)) continue;
    for (const cl_uint capability : requirement.capabilities)
      EXPECT_EQ(1, std::ranges::count(capabilities, capability)) << capability << " of " << requirement.of;
    for (const std::string& extension : requirement.extensions)
      EXPECT_EQ(1, std::ranges::count(spirv_extensions, extension)) << extension << " of " << requirement.of;
  }
}

TEST_F(DeviceInfo, ExtensionsAreTheSameInBothForms) {
  std::vector<std::string> names;
  for (const cl_name_version& entry : values<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    names.emplace_back(entry.name);
  EXPECT_EQ(extensions(), names);
  for (const char* required : {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
                               "cl_khr_local_int32_extended_atomics"})
    EXPECT_NE(names.end(), std::find(names.begin(), names.end(), required)) << required;
}

// Each feature and extension that a query reports has a macro.
TEST_F(DeviceInfo, ReportsWhatTheCompilerDefines) {
  std::string source;
  for (const cl_name_version& feature : values<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES))
    source += "#ifndef " + std::string(feature.name) + "\n#error " + feature.name + "\n#endif\n";
  const std::vector<std::string> host_only = {"cl_khr_icd",
                                              "cl_khr_extended_versioning",
                                              "cl_khr_device_uuid",
                                              "cl_khr_create_command_queue",
                                              "cl_khr_pci_bus_info",
                                              "cl_nv_device_attribute_query",
                                              "cl_nv_compiler_options",
                                              "cl_khr_suggested_local_work_size",
                                              "cl_ext_image_requirements_info",
                                              "cl_ext_image_from_buffer",
                                              "cl_ext_buffer_device_address",
                                              "cl_clcuda_cuda_interop",
                                              "cl_ext_immutable_memory_objects",
                                              "cl_intel_create_buffer_with_properties",
                                              "cl_intel_unified_shared_memory",
                                              "cl_ext_cxx_for_opencl",
                                              "cl_arm_import_memory",
                                              "cl_arm_import_memory_host",
                                              "cl_khr_il_program",
                                              "cl_khr_spirv_queries",
                                              "cl_khr_spirv_linkonce_odr",
                                              "cl_khr_spirv_no_integer_wrap_decoration"};
  for (const std::string& extension : extensions())
    if (std::find(host_only.begin(), host_only.end(), extension) == host_only.end())
      source += "#ifndef " + extension + "\n#error " + extension + "\n#endif\n";
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.1"})
    build(source + "kernel void k() {}", options);
}

// The compiler defines no macro of a feature or an extension that no query reports.
TEST_F(DeviceInfo, TheCompilerDefinesNothingElse) {
  std::vector<std::string> reported = extensions();
  for (const cl_name_version& feature : values<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES))
    reported.emplace_back(feature.name);
  std::string source;
  for (const std::string name : {"__opencl_c_3d_image_writes",
                                 "__opencl_c_atomic_order_acq_rel",
                                 "__opencl_c_atomic_order_seq_cst",
                                 "__opencl_c_atomic_scope_device",
                                 "__opencl_c_atomic_scope_all_devices",
                                 "__opencl_c_device_enqueue",
                                 "__opencl_c_generic_address_space",
                                 "__opencl_c_fp64",
                                 "__opencl_c_images",
                                 "__opencl_c_int64",
                                 "__opencl_c_pipes",
                                 "__opencl_c_program_scope_global_variables",
                                 "__opencl_c_read_write_images",
                                 "__opencl_c_subgroups",
                                 "__opencl_c_work_group_collective_functions",
                                 "__opencl_c_integer_dot_product_input_4x8bit",
                                 "__opencl_c_integer_dot_product_input_4x8bit_packed",
                                 "__opencl_c_kernel_clock_scope_device",
                                 "__opencl_c_kernel_clock_scope_work_group",
                                 "__opencl_c_kernel_clock_scope_sub_group",
                                 "__opencl_c_ext_fp16_global_atomic_load_store",
                                 "__opencl_c_ext_fp16_local_atomic_load_store",
                                 "__opencl_c_ext_fp16_global_atomic_add",
                                 "__opencl_c_ext_fp16_local_atomic_add",
                                 "__opencl_c_ext_fp16_global_atomic_min_max",
                                 "__opencl_c_ext_fp16_local_atomic_min_max",
                                 "__opencl_c_ext_fp32_global_atomic_add",
                                 "__opencl_c_ext_fp32_local_atomic_add",
                                 "__opencl_c_ext_fp32_global_atomic_min_max",
                                 "__opencl_c_ext_fp32_local_atomic_min_max",
                                 "__opencl_c_ext_fp64_global_atomic_add",
                                 "__opencl_c_ext_fp64_local_atomic_add",
                                 "__opencl_c_ext_fp64_global_atomic_min_max",
                                 "__opencl_c_ext_fp64_local_atomic_min_max",
                                 "__opencl_c_ext_image_raw10_raw12",
                                 "__opencl_c_ext_image_unorm_int_2_101010",
                                 "__opencl_c_ext_image_unsigned_10x6_12x4_14x2",
                                 "__opencl_c_ext_image_tiling_control",
                                 "cl_khr_fp16",
                                 "cl_khr_fp64",
                                 "cl_khr_int64_base_atomics",
                                 "cl_khr_int64_extended_atomics",
                                 "cl_khr_3d_image_writes",
                                 "cl_khr_byte_addressable_store",
                                 "cl_khr_depth_images",
                                 "cl_khr_device_enqueue_local_arg_types",
                                 "cl_khr_expect_assume",
                                 "cl_khr_extended_async_copies",
                                 "cl_khr_async_work_group_copy_fence",
                                 "cl_khr_extended_bit_ops",
                                 "cl_khr_gl_msaa_sharing",
                                 "cl_khr_image2d_from_buffer",
                                 "cl_khr_initialize_memory",
                                 "cl_khr_integer_dot_product",
                                 "cl_khr_kernel_clock",
                                 "cl_khr_mipmap_image",
                                 "cl_khr_mipmap_image_writes",
                                 "cl_khr_select_fprounding_mode",
                                 "cl_khr_srgb_image_writes",
                                 "cl_khr_subgroups",
                                 "cl_khr_subgroup_ballot",
                                 "cl_khr_subgroup_clustered_reduce",
                                 "cl_khr_subgroup_extended_types",
                                 "cl_khr_subgroup_named_barrier",
                                 "cl_khr_subgroup_non_uniform_arithmetic",
                                 "cl_khr_subgroup_non_uniform_vote",
                                 "cl_khr_subgroup_rotate",
                                 "cl_khr_subgroup_shuffle",
                                 "cl_khr_subgroup_shuffle_relative",
                                 "cl_khr_work_group_uniform_arithmetic",
                                 "cl_ext_float_atomics",
                                 "cl_ext_device_side_abort",
                                 "cl_ext_cxx_for_opencl",
                                 "cl_intel_subgroups",
                                 "cl_intel_subgroups_short",
                                 "cl_intel_subgroups_char",
                                 "cl_intel_subgroups_long",
                                 "cl_intel_subgroup_local_block_io",
                                 "cl_intel_required_subgroup_size",
                                 "cl_intel_device_side_avc_motion_estimation",
                                 "cl_intel_planar_yuv",
                                 "cl_intel_bfloat16_conversions",
                                 "cl_intel_split_work_group_barrier",
                                 "cl_amd_media_ops",
                                 "cl_amd_media_ops2",
                                 "cl_arm_printf",
                                 "cl_nv_pragma_unroll",
                                 "cl_nv_device_attribute_query"}) {
    if (std::find(reported.begin(), reported.end(), name) == reported.end())
      source += "#ifdef " + name + "\n#error " + name + "\n#endif\n";
  }
  for (const char* options : {"", "-cl-std=CL3.0", "-cl-std=CL3.1", "-cl-std=CLC++2021"})
    build(source + "kernel void k() {}", options);
}

TEST_F(DeviceInfo, DevicesHaveUuidsOfTheirOwn) {
  std::vector<std::vector<cl_uchar>> uuids;
  for (cl_device_id each : test::devices()) {
    std::vector<cl_uchar> uuid(CL_UUID_SIZE_KHR);
    CL_OK(clGetDeviceInfo(each, CL_DEVICE_UUID_KHR, uuid.size(), uuid.data(), nullptr));
    EXPECT_EQ(uuids.end(), std::find(uuids.begin(), uuids.end(), uuid));
    uuids.push_back(uuid);
  }
}

// CLCUDA_MEMORY limits the memory; a process reads it once.
TEST_F(DeviceInfo, DISABLED_OffersAHundredMegabytes) {
  constexpr cl_ulong kAll = 100 << 20;
  EXPECT_EQ(kAll, value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE));
  EXPECT_EQ(kAll, value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreateBuffer(context, 0, kAll + 1, nullptr, &error));
  CL_EXPECT(CL_INVALID_BUFFER_SIZE, error);
  make_buffer(kAll);
}

TEST(DeviceInfoAlone, OffersNoMoreMemoryThanItIsTold) {
  setenv("CLCUDA_MEMORY", "100", 1);
  test::run_alone("DeviceInfo.DISABLED_OffersAHundredMegabytes");
  unsetenv("CLCUDA_MEMORY");
}

TEST_F(DeviceInfo, RefusesBadQueries) {
  cl_uint number = 0;
  CL_EXPECT(CL_INVALID_VALUE,
            clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof number - 1, &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x7777, sizeof number, &number, nullptr));
  CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, 0, nullptr, nullptr));
}

}  // namespace
