// SPDX-License-Identifier: Apache-2.0
// SPIR-V instructions that are translated to calls of the OpenCL C library: the functions that are called, that the library has them, and
// invalid modules.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "compiler/build_thread.h"
#include "compiler/link.h"
#include "compiler/lowering.h"
#include "compiler/program_error.h"
#include "compiler/spirv/reader.h"
#include "spirv_assembler.h"
#include "support.h"

namespace clcuda::compiler::spirv {
namespace {

const DeviceFeatures& all_features() {
  static const DeviceFeatures features = [] {
    DeviceFeatures all = testing::features();
    for (const char* name :
         {"__opencl_c_images", "__opencl_c_3d_image_writes", "__opencl_c_read_write_images",
          "__opencl_c_pipes", "__opencl_c_ext_fp16_global_atomic_add",
          "__opencl_c_ext_fp32_global_atomic_add", "__opencl_c_ext_fp64_global_atomic_add",
          "__opencl_c_ext_fp16_global_atomic_min_max", "__opencl_c_ext_fp32_global_atomic_min_max",
          "__opencl_c_ext_fp64_global_atomic_min_max"})
      all.features.emplace_back(name);
    for (const char* name :
         {"cl_khr_3d_image_writes", "cl_khr_depth_images", "cl_khr_mipmap_image",
          "cl_khr_mipmap_image_writes", "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_ballot",
          "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_clustered_reduce",
          "cl_khr_subgroup_rotate", "cl_khr_work_group_uniform_arithmetic", "cl_khr_integer_dot_product",
          "cl_khr_kernel_clock", "cl_ext_float_atomics", "cl_intel_subgroups"})
      all.extensions.emplace_back(name);
    return all;
  }();
  return features;
}

// A module with one kernel. The types and values that the bodies use:
constexpr char kHead[] = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Linkage
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float16
OpCapability Float64
OpCapability Vector16
OpCapability GenericPointer
OpCapability ImageBasic
OpCapability ImageReadWrite
OpCapability ImageMipmap
OpCapability LiteralSampler
OpCapability SampledBuffer
OpCapability Sampled1D
OpCapability Pipes
OpCapability Groups
OpCapability DeviceEnqueue
OpCapability SubgroupDispatch
OpCapability Int64Atomics
OpCapability AtomicFloat32AddEXT
OpCapability AtomicFloat32MinMaxEXT
OpCapability AtomicFloat64AddEXT
OpCapability AtomicFloat16AddEXT
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformRotateKHR
OpCapability GroupUniformArithmeticKHR
OpCapability DotProduct
OpCapability DotProductInput4x8Bit
OpCapability DotProductInput4x8BitPacked
OpCapability DotProductInputAll
OpCapability ShaderClockKHR
OpCapability SubgroupShuffleINTEL
OpCapability SubgroupBufferBlockIOINTEL
OpCapability SubgroupImageBlockIOINTEL
OpExtension "SPV_EXT_shader_atomic_float_add"
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "k"
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%bool2 = OpTypeVector %bool 2
%char4 = OpTypeVector %char 4
%short2 = OpTypeVector %short 2
%int2 = OpTypeVector %int 2
%int3 = OpTypeVector %int 3
%int4 = OpTypeVector %int 4
%long2 = OpTypeVector %long 2
%long3 = OpTypeVector %long 3
%half4 = OpTypeVector %half 4
%float2 = OpTypeVector %float 2
%float3 = OpTypeVector %float 3
%float4 = OpTypeVector %float 4
%double2 = OpTypeVector %double 2
%event = OpTypeEvent
%device_event = OpTypeDeviceEvent
%queue = OpTypeQueue
%reserve = OpTypeReserveId
%pipe_in = OpTypePipe ReadOnly
%pipe_out = OpTypePipe WriteOnly
%sampler = OpTypeSampler
%image1d = OpTypeImage %void 1D 0 0 0 0 Unknown ReadOnly
%image1d_array = OpTypeImage %void 1D 0 1 0 0 Unknown ReadOnly
%buffer_image = OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly
%image2d = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%image2d_out = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
%image2d_both = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
%image2d_array = OpTypeImage %void 2D 0 1 0 0 Unknown ReadOnly
%image3d = OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly
%depth = OpTypeImage %void 2D 1 0 0 0 Unknown ReadOnly
%depth_out = OpTypeImage %void 2D 1 0 0 0 Unknown WriteOnly
%sampled1d = OpTypeSampledImage %image1d
%sampled2d = OpTypeSampledImage %image2d
%sampled2d_array = OpTypeSampledImage %image2d_array
%sampled3d = OpTypeSampledImage %image3d
%sampled_depth = OpTypeSampledImage %depth
%global_int = OpTypePointer CrossWorkgroup %int
%global_long = OpTypePointer CrossWorkgroup %long
%global_char = OpTypePointer CrossWorkgroup %char
%global_half = OpTypePointer CrossWorkgroup %half
%global_float = OpTypePointer CrossWorkgroup %float
%global_double = OpTypePointer CrossWorkgroup %double
%global_float4 = OpTypePointer CrossWorkgroup %float4
%local_int = OpTypePointer Workgroup %int
%local_float4 = OpTypePointer Workgroup %float4
%generic_int = OpTypePointer Generic %int
%generic_char = OpTypePointer Generic %char
%function_int = OpTypePointer Function %int
%function_int2 = OpTypePointer Function %int2
%function_char = OpTypePointer Function %char
%function_float = OpTypePointer Function %float
%function_float2 = OpTypePointer Function %float2
%function_half = OpTypePointer Function %half
%function_event = OpTypePointer Function %event
%function_device_event = OpTypePointer Function %device_event
%global_event = OpTypePointer CrossWorkgroup %event
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i3 = OpConstant %int 3
%i4 = OpConstant %int 4
%i5 = OpConstant %int 5
%i8 = OpConstant %int 8
%i16 = OpConstant %int 16
%i272 = OpConstant %int 272
%i784 = OpConstant %int 784
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%l3 = OpConstant %long 3
%c7 = OpConstant %char 7
%s7 = OpConstant %short 7
%h1 = OpConstant %half 1
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%d1 = OpConstant %double 1
%true = OpConstantTrue %bool
%true2 = OpConstantComposite %bool2 %true %true
%c7x4 = OpConstantComposite %char4 %c7 %c7 %c7 %c7
%s7x2 = OpConstantComposite %short2 %s7 %s7
%i1x2 = OpConstantComposite %int2 %i1 %i1
%i1x3 = OpConstantComposite %int3 %i1 %i1 %i1
%i1x4 = OpConstantComposite %int4 %i1 %i1 %i1 %i1
%l1x2 = OpConstantComposite %long2 %l1 %l1
%h1x4 = OpConstantComposite %half4 %h1 %h1 %h1 %h1
%f1x2 = OpConstantComposite %float2 %f1 %f1
%f1x3 = OpConstantComposite %float3 %f1 %f1 %f1
%f1x4 = OpConstantComposite %float4 %f1 %f1 %f1 %f1
%d1x2 = OpConstantComposite %double2 %d1 %d1
%no_event = OpConstantNull %event
%no_device_event = OpConstantNull %device_event
%no_device_events = OpConstantNull %function_device_event
%no_parameter = OpConstantNull %generic_char
%literal = OpConstantSampler %sampler Repeat 1 Linear
%sizes = OpTypeArray %long %l3
%range = OpTypeStruct %int %sizes %sizes %sizes
%function_range = OpTypePointer Function %range
%two_longs_count = OpConstant %int 2
%two_longs = OpTypeArray %long %two_longs_count
%l1_twice = OpConstantComposite %two_longs %l1 %l1
%block_type = OpTypeFunction %void %generic_char
%block_local_type = OpTypeFunction %void %generic_char %local_int
%kernel_type = OpTypeFunction %void %global_int %local_int %global_float4 %local_float4 %global_half %global_double %global_long %global_char %image1d %image1d_array %buffer_image %image2d %image2d_out %image2d_both %image2d_array %image3d %depth %depth_out %sampler %pipe_in %pipe_out %int %global_event
%block = OpFunction %void None %block_type
%block_parameter = OpFunctionParameter %generic_char
%block_entry = OpLabel
OpReturn
OpFunctionEnd
%block_local = OpFunction %void None %block_local_type
%block_local_parameter = OpFunctionParameter %generic_char
%block_local_memory = OpFunctionParameter %local_int
%block_local_entry = OpLabel
OpReturn
OpFunctionEnd
%kernel = OpFunction %void None %kernel_type
%gi = OpFunctionParameter %global_int
%li = OpFunctionParameter %local_int
%gf4 = OpFunctionParameter %global_float4
%lf4 = OpFunctionParameter %local_float4
%gh = OpFunctionParameter %global_half
%gd = OpFunctionParameter %global_double
%gl = OpFunctionParameter %global_long
%gc = OpFunctionParameter %global_char
%im1 = OpFunctionParameter %image1d
%im1a = OpFunctionParameter %image1d_array
%imb = OpFunctionParameter %buffer_image
%im2 = OpFunctionParameter %image2d
%im2o = OpFunctionParameter %image2d_out
%im2b = OpFunctionParameter %image2d_both
%im2a = OpFunctionParameter %image2d_array
%im3 = OpFunctionParameter %image3d
%imd = OpFunctionParameter %depth
%imdo = OpFunctionParameter %depth_out
%smp = OpFunctionParameter %sampler
%pi = OpFunctionParameter %pipe_in
%po = OpFunctionParameter %pipe_out
%n = OpFunctionParameter %int
%ge = OpFunctionParameter %global_event
%entry = OpLabel
%vi = OpVariable %function_int Function
%vi2 = OpVariable %function_int2 Function
%vf = OpVariable %function_float Function
%vf2 = OpVariable %function_float2 Function
%vh = OpVariable %function_half Function
%ve = OpVariable %function_event Function
%vd = OpVariable %function_device_event Function
%vc = OpVariable %function_char Function
%gf = OpBitcast %global_float %gf4
%gen = OpPtrCastToGeneric %generic_int %gi
)";
constexpr char kTail[] = "OpReturn\nOpFunctionEnd\n";

struct Reading {
  std::unique_ptr<llvm::Module> module;
  std::string log;
};

std::string words_of(const std::string& body) {
  return testing::assembled(std::string(kHead) + body + "\n" + kTail, "spv1.6");
}

Reading read_words(const std::string& words, llvm::LLVMContext& context) {
  const Options options;
  Outcome outcome;
  std::unique_ptr<llvm::Module> module;
  run_on_build_thread(
      [&] { module = read({words, {}, options, testing::kTarget, all_features()}, context, outcome); });
  return {std::move(module), outcome.log};
}

// The module with one or two of its last words changed.
std::string changed(std::string words, std::mt19937& random) {
  constexpr std::size_t kLast = 100;
  for (unsigned i = 0; i <= random() % 2; ++i) {
    const std::size_t place = words.size() / 4 - 1 - random() % kLast;
    std::uint32_t word = 0;
    std::memcpy(&word, words.data() + 4 * place, 4);
    const std::uint32_t values[] = {static_cast<std::uint32_t>(random() % 256), word + 1,
                                    word ^ 1U << random() % 32, static_cast<std::uint32_t>(random())};
    std::memcpy(words.data() + 4 * place, &values[random() % 4], 4);
  }
  return words;
}

// The functions that the kernel calls, in order, separated by "+".
std::string calls_of(const llvm::Module& module) {
  std::string names;
  const llvm::Function* kernel = module.getFunction("k");
  if (!kernel) return "no kernel";
  for (const llvm::Instruction& instruction : llvm::instructions(*kernel)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || call->getCalledFunction()->isIntrinsic()) continue;
    names += (names.empty() ? "" : "+") + call->getCalledFunction()->getName().str();
  }
  return names;
}

struct Case {
  std::string body;
  std::string calls;
};

bool links(llvm::Module& module, std::string& log) {
  const Options options;
  bool linked = false;
  run_on_build_thread(
      [&] { linked = link_libraries(module, {options, testing::kTarget, Variant::general}, log); });
  return linked;
}

// A changed module must not crash the reader.
void check_changed(const std::string& words, std::mt19937& random) {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    llvm::LLVMContext context;
    const Reading reading = read_words(changed(words, random), context);
    EXPECT_NE(reading.module == nullptr, reading.log.empty()) << reading.log;
    if (!reading.module) continue;
    std::string log;
    try {
      links(*reading.module, log);
    } catch (const ProgramError&) {
    }
  }
}

// Reads each body, compares its calls, and links the library.
void check(const std::vector<Case>& cases) {
  const std::uint32_t seed = std::random_device{}();
  std::cout << "seed " << seed << std::endl;
  std::mt19937 random(seed);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.body);
    llvm::LLVMContext context;
    const std::string words = words_of(one.body);
    Reading reading = read_words(words, context);
    if (!reading.module) {
      ADD_FAILURE() << reading.log;
      continue;
    }
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*reading.module, &stream)) << complaint;
    EXPECT_EQ(calls_of(*reading.module), one.calls);
    std::string log;
    EXPECT_TRUE(links(*reading.module, log)) << log;
    check_changed(words, random);
  }
}

void check_refused(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.body);
    llvm::LLVMContext context;
    const Reading reading = read_words(words_of(one.body), context);
    EXPECT_FALSE(reading.module);
    EXPECT_NE(reading.log.find(one.calls), std::string::npos) << reading.log;
  }
}

TEST(SpirvCalls, OpenClStd) {
  check({
      {"%r = OpExtInst %float %std sqrt %f1", "_Z4sqrtf"},
      {"%r = OpExtInst %double2 %std fma %d1x2 %d1x2 %d1x2", "_Z3fmaDv2_dS_S_"},
      {"%r = OpExtInst %float2 %std fract %f1x2 %vf2", "_Z5fractDv2_fPS_"},
      {"%r = OpExtInst %float %std fract %f1 %gf", "_Z5fractfPU3AS1f"},
      {"%r = OpExtInst %float2 %std remquo %f1x2 %f1x2 %vi2", "_Z6remquoDv2_fS_PDv2_i"},
      {"%r = OpExtInst %float %std lgamma_r %f1 %li", "_Z8lgamma_rfPU3AS3i"},
      {"%r = OpExtInst %float %std ldexp %f1 %i1", "_Z5ldexpfi"},
      {"%r = OpExtInst %int %std ilogb %f1", "_Z5ilogbf"},
      {"%r = OpExtInst %double %std nan %l1", "_Z3nanm"},
      {"%r = OpExtInst %int %std s_abs %i1", "_Z3absi"},
      {"%r = OpExtInst %int4 %std u_abs_diff %i1x4 %i1x4", "_Z8abs_diffDv4_jS_"},
      {"%r = OpExtInst %int %std u_max %i1 %i2", "_Z3maxjj"},
      {"%r = OpExtInst %int %std s_clamp %i1 %i1 %i2", "_Z5clampiii"},
      {"%r = OpExtInst %long2 %std s_upsample %i1x2 %i1x2", "_Z8upsampleDv2_iDv2_j"},
      {"%r = OpExtInst %int %std s_mad24 %i1 %i2 %i3", "_Z5mad24iii"},
      {"%r = OpExtInst %float4 %std select %f1x4 %f1x4 %i1x4", "_Z6selectDv4_fS_Dv4_i"},
      {"%r = OpExtInst %float4 %std bitselect %f1x4 %f1x4 %f1x4", "_Z9bitselectDv4_fS_S_"},
      {"%r = OpExtInst %float2 %std shuffle2 %f1x4 %f1x4 %i1x2", "_Z8shuffle2Dv4_fS_Dv2_j"},
      {"%r = OpExtInst %float %std length %f1x3", "_Z6lengthDv3_f"},
      {"%r = OpExtInst %float %std native_sin %f1", "_Z10native_sinf"},
      {"%r = OpExtInst %double %std native_sin %d1", "_Z3sind"},
      {"%r = OpExtInst %half %std half_sqrt %h1", "_Z4sqrtDh"},
      {"%r = OpExtInst %double %std native_recip %d1", ""},
      {"%r = OpExtInst %double %std fast_length %d1x2", "_Z6lengthDv2_d"},
      {"%r = OpExtInst %float4 %std vloadn %l1 %gf 4", "_Z6vload4mPU3AS1Kf"},
      {"%r = OpExtInst %float4 %std vloadn %i1 %gf 4", "_Z6vload4mPU3AS1Kf"},
      {"%r = OpExtInst %void %std vstoren %i1x4 %l1 %li", "_Z7vstore4Dv4_imPU3AS3i"},
      {"%r = OpExtInst %float %std vload_half %l1 %gh", "_Z10vload_halfmPU3AS1KDh"},
      {"%r = OpExtInst %float4 %std vloada_halfn %l1 %vh 4", "_Z12vloada_half4mPKDh"},
      {"%r = OpExtInst %void %std vstore_half_r %d1 %l1 %gh RTP", "_Z15vstore_half_rtpdmPU3AS1Dh"},
      {"%r = OpExtInst %void %std vstorea_halfn_r %f1x4 %l1 %gh RTN", "_Z17vstorea_half4_rtnDv4_fmPU3AS1Dh"},
      {"%r = OpExtInst %float %std vloada_halfn %l1 %gh 1", "_Z10vload_halfmPU3AS1KDh"},
      {"%r = OpExtInst %void %std vstorea_halfn_r %d1 %l1 %gh RTP", "_Z15vstore_half_rtpdmPU3AS1Dh"},
      {"%r = OpExtInst %void %std prefetch %gf4 %l3", "_Z8prefetchPU3AS1Kcm"},
      {"%r = OpExtInst %void %std prefetch %vf %l3", ""},
  });
  check_refused({
      {"%r = OpExtInst %float %std sqrt %i1", "sqrt of OpenCL.std"},
      {"%r = OpExtInst %int %std sqrt %f1", "sqrt of OpenCL.std"},
      {"%r = OpExtInst %float %std pow %f1 %d1", "pow of OpenCL.std"},
      {"%r = OpExtInst %float %std fract %f1 %f1", "fract of OpenCL.std"},
      {"%r = OpExtInst %float %std sqrt %gf", "sqrt of OpenCL.std"},
      {"%r = OpExtInst %float3 %std shuffle %f1x3 %i1x3", "shuffle of OpenCL.std"},
      {"%r = OpExtInst %float4 %std vloadn %l1 %gf 3", "vloadn of OpenCL.std"},
      {"%r = OpExtInst %float4 %std vloadn %f1 %gf 4", "vloadn of OpenCL.std"},
      {"%r = OpExtInst %void %std vstoren %f1x4 %l1 %n", "vstoren of OpenCL.std"},
      {"%r = OpExtInst %int %std prefetch %gf4 %l3", "prefetch of OpenCL.std"},
      {"%r = OpExtInst %int %std printf %i1", "printf of OpenCL.std"},
  });
}

TEST(SpirvCalls, Images) {
  const std::string sampled = "%p = OpSampledImage %sampled2d %im2 %smp\n";
  check({
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %f1x2 Lod %f0",
       "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f"},
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %i1x2 Lod %f0",
       "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i"},
      {sampled + "%r = OpImageSampleExplicitLod %half4 %p %f1x2 Lod %f0",
       "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f"},
      {sampled + "%r = OpImageSampleExplicitLod %int4 %p %f1x2 Lod|ZeroExtend %f0",
       "_Z12read_imageui14ocl_image2d_ro11ocl_samplerDv2_f"},
      {sampled + "%r = OpImageSampleExplicitLod %int4 %p %f1x2 Lod|SignExtend %f0",
       "_Z11read_imagei14ocl_image2d_ro11ocl_samplerDv2_f"},
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %f1x2 Lod %f1",
       "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_ff"},
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %f1x4 Grad %f1x2 %f1x2",
       "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_fS1_S1_"},
      {"%p = OpSampledImage %sampled2d_array %im2a %smp\n%r = OpImageSampleExplicitLod %float4 %p %f1x3 Grad "
       "%f1x2 %f1x2",
       "_Z11read_imagef20ocl_image2d_array_ro11ocl_samplerDv4_fDv2_fS2_"},
      {"%p = OpSampledImage %sampled3d %im3 %smp\n%r = OpImageSampleExplicitLod %float4 %p %f1x4 Grad %f1x3 "
       "%f1x3",
       "_Z11read_imagef14ocl_image3d_ro11ocl_samplerDv4_fS1_S1_"},
      {"%p = OpSampledImage %sampled1d %im1 %smp\n%r = OpImageSampleExplicitLod %float4 %p %f1x2 Lod %f0",
       "_Z11read_imagef14ocl_image1d_ro11ocl_samplerf"},
      {"%p = OpSampledImage %sampled2d %im2 %literal\n%r = OpImageSampleExplicitLod %float4 %p %f1x2 Lod %f0",
       "__translate_sampler_initializer+_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f"},
      {"%p = OpSampledImage %sampled_depth %imd %smp\n%r = OpImageSampleExplicitLod %float4 %p %f1x2 Lod %f0",
       "_Z11read_imagef20ocl_image2d_depth_ro11ocl_samplerDv2_f"},
      {sampled + "%im = OpImage %image2d %p\n%r = OpImageRead %float4 %im %i1x2",
       "_Z11read_imagef14ocl_image2d_roDv2_i"},
      {"%r = OpImageRead %int4 %im3 %i1x3 ZeroExtend", "_Z12read_imageui14ocl_image3d_roDv4_i"},
      {"%r = OpImageRead %int4 %im1a %i1x4", "_Z11read_imagei20ocl_image1d_array_roDv2_i"},
      {"%r = OpImageRead %float4 %imb %i1", "_Z11read_imagef21ocl_image1d_buffer_roi"},
      {"%r = OpImageRead %float %imd %i1x2", "_Z11read_imagef20ocl_image2d_depth_roDv2_i"},
      {"%r = OpImageRead %float4 %im2b %i1x2 Lod %i0", "_Z11read_imagef14ocl_image2d_rwDv2_i"},
      {"OpImageWrite %im2o %i1x2 %f1x4", "_Z12write_imagef14ocl_image2d_woDv2_iDv4_f"},
      {"OpImageWrite %im2o %i1x2 %h1x4", "_Z12write_imagef14ocl_image2d_woDv2_iDv4_f"},
      {"OpImageWrite %im2b %i1x4 %i1x4 SignExtend", "_Z12write_imagei14ocl_image2d_rwDv2_iDv4_i"},
      {"OpImageWrite %im2b %i1x2 %i1x4 ZeroExtend", "_Z13write_imageui14ocl_image2d_rwDv2_iDv4_j"},
      {"OpImageWrite %im2o %i1x2 %i1x4", "_Z20__clcuda_write_image14ocl_image2d_woDv2_iDv4_j"},
      {"OpImageWrite %im2o %i1x2 %i1x4 Lod %i2", "_Z20__clcuda_write_image14ocl_image2d_woDv2_iiDv4_j"},
      {"OpImageWrite %im2o %i1x2 %f1x4 Lod %i2", "_Z12write_imagef14ocl_image2d_woDv2_iiDv4_f"},
      {"OpImageWrite %imdo %i1x2 %f1", "_Z12write_imagef20ocl_image2d_depth_woDv2_if"},
      {"OpImageWrite %imdo %i1x2 %f1x4", "_Z12write_imagef20ocl_image2d_depth_woDv2_if"},
      {"%r = OpImageQuerySize %int2 %im2",
       "_Z15get_image_width14ocl_image2d_ro+_Z16get_image_height14ocl_image2d_ro"},
      {"%r = OpImageQuerySizeLod %long3 %im2a %i0",
       "_Z15get_image_width20ocl_image2d_array_ro+_Z16get_image_height20ocl_image2d_array_ro+"
       "_Z20get_image_array_size20ocl_image2d_array_ro"},
      {"%r = OpImageQuerySizeLod %int %im1 %n", "_Z15get_image_width14ocl_image1d_ro"},
      {"%r = OpImageQueryFormat %int %im2", "_Z27get_image_channel_data_type14ocl_image2d_ro"},
      {"%r = OpImageQueryOrder %int %im3", "_Z23get_image_channel_order14ocl_image3d_ro"},
      {"%r = OpImageQueryLevels %int %im2", "_Z24get_image_num_mip_levels14ocl_image2d_ro"},
  });
  check_refused({
      {"%p = OpSampledImage %sampled2d %im3 %smp", "OpSampledImage"},
      {"%p = OpSampledImage %sampled2d %im2 %n", "OpSampledImage"},
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %f1 Lod %f0", "OpImageSampleExplicitLod"},
      {sampled + "%r = OpImageSampleExplicitLod %float3 %p %f1x2 Lod %f0", "OpImageSampleExplicitLod"},
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %f1x2 Lod|ConstOffset %f0 %i1x2",
       "OpImageSampleExplicitLod"},
      {sampled + "%r = OpImageSampleExplicitLod %float4 %p %i1x2 Lod %f1", "OpImageSampleExplicitLod"},
      {"%r = OpImageRead %float4 %smp %i1x2", "OpImageRead"},
      {"%r = OpImageRead %float4 %im2o %i1x2", "OpImageRead"},
      {"%r = OpImageRead %float4 %im2 %f1x2", "OpImageRead"},
      {"OpImageWrite %im2 %i1x2 %f1x4", "OpImageWrite"},
      {"OpImageWrite %im2o %i1x2 %f1", "OpImageWrite"},
      {"OpImageWrite %im2o %d1x2 %f1x4", "OpImageWrite"},
      {"%r = OpImageQuerySize %int3 %im2", "OpImageQuerySize"},
      {"%r = OpImageQuerySize %float2 %im2", "OpImageQuerySize"},
      {"%r = OpImageQuerySize %int2 %smp", "OpImageQuerySize"},
      {"%r = OpImageQuerySamples %int %im2", "OpImageQuerySamples"},
  });
}

TEST(SpirvCalls, Atomics) {
  check({
      {"%r = OpAtomicLoad %int %gi %i1 %i2",
       "_Z20atomic_load_explicitPU3AS1VU7_Atomici12memory_order12memory_scope"},
      {"OpAtomicStore %li %i2 %i4 %i1",
       "_Z21atomic_store_explicitPU3AS3VU7_Atomicii12memory_order12memory_scope"},
      {"OpAtomicStore %gf %n %n %f1",
       "_Z21atomic_store_explicitPU3AS1VU7_Atomicff12memory_order12memory_scope"},
      {"%r = OpAtomicExchange %double %gd %i1 %i0 %d1",
       "_Z24atomic_exchange_explicitPU3AS1VU7_Atomicdd12memory_order12memory_scope"},
      {"%r = OpAtomicCompareExchange %int %gen %i1 %i16 %i2 %i1 %i2",
       "_Z39atomic_compare_exchange_strong_explicitPVU7_AtomiciPii12memory_orderS4_12memory_scope"},
      {"%r = OpAtomicCompareExchangeWeak %long %gl %i1 %i8 %i0 %l1 %l3",
       "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiclPll12memory_orderS4_12memory_scope"},
      {"%r = OpAtomicIIncrement %int %li %i2 %i0",
       "_Z25atomic_fetch_add_explicitPU3AS3VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicIDecrement %long %gl %i0 %i0",
       "_Z25atomic_fetch_sub_explicitPU3AS1VU7_Atomicll12memory_order12memory_scope"},
      {"%r = OpAtomicIAdd %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicISub %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_sub_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicSMin %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_min_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicUMin %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_min_explicitPU3AS1VU7_Atomicjj12memory_order12memory_scope"},
      {"%r = OpAtomicSMax %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_max_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicUMax %long %gl %i1 %i8 %l1",
       "_Z25atomic_fetch_max_explicitPU3AS1VU7_Atomicmm12memory_order12memory_scope"},
      {"%r = OpAtomicAnd %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_and_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicOr %int %gi %i1 %i8 %i1",
       "_Z24atomic_fetch_or_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicXor %int %gi %i1 %i8 %i1",
       "_Z25atomic_fetch_xor_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope"},
      {"%r = OpAtomicFAddEXT %float %gf %i1 %i8 %f1",
       "_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicff12memory_order12memory_scope"},
      {"%r = OpAtomicFAddEXT %half %gh %i1 %i8 %h1",
       "_Z25atomic_fetch_add_explicitPU3AS1VU7_AtomicDhDh12memory_order12memory_scope"},
      {"%r = OpAtomicFMinEXT %float %gf %i1 %i8 %f1",
       "_Z25atomic_fetch_min_explicitPU3AS1VU7_Atomicff12memory_order12memory_scope"},
      {"%r = OpAtomicFMaxEXT %float %gf %i1 %i8 %f1",
       "_Z25atomic_fetch_max_explicitPU3AS1VU7_Atomicff12memory_order12memory_scope"},
      {"%r = OpAtomicFlagTestAndSet %bool %gi %i1 %i16",
       "_Z33atomic_flag_test_and_set_explicitPU3AS1VU7_Atomici12memory_order12memory_scope"},
      {"OpAtomicFlagClear %li %i1 %i4",
       "_Z26atomic_flag_clear_explicitPU3AS3VU7_Atomici12memory_order12memory_scope"},
      {"OpControlBarrier %i2 %i2 %i272", "_Z18work_group_barrierj12memory_scope"},
      {"OpControlBarrier %i3 %i1 %i784", "_Z17sub_group_barrierj12memory_scope"},
      {"OpMemoryBarrier %n %n", "_Z22atomic_work_item_fencej12memory_order12memory_scope"},
      {"%r = OpGenericPtrMemSemantics %int %gen", "_Z9get_fencePKv"},
  });
  check_refused({
      {"%r = OpAtomicLoad %int %n %i1 %i2", "OpAtomicLoad"},
      {"%r = OpAtomicLoad %int4 %gi %i1 %i2", "OpAtomicLoad"},
      {"%r = OpAtomicLoad %char %gc %i1 %i2", "OpAtomicLoad"},
      {"%r = OpAtomicLoad %int %gi %i8 %i2", "OpAtomicLoad"},
      {"%r = OpAtomicLoad %int %gi %l1 %i2", "OpAtomicLoad"},
      {"%r = OpAtomicIAdd %int %gi %i1 %i8 %l1", "OpAtomicIAdd"},
      {"%r = OpAtomicIAdd %float %gf %i1 %i8 %f1", "OpAtomicIAdd"},
      {"%r = OpAtomicFAddEXT %int %gi %i1 %i8 %i1", "OpAtomicFAddEXT"},
      {"%r = OpAtomicCompareExchange %int %gi %i1 %i16 %i2 %i1 %l1", "OpAtomicCompareExchange"},
      {"%r = OpAtomicIIncrement %float %gf %i1 %i0", "OpAtomicIIncrement"},
      {"OpControlBarrier %i1 %i2 %i272", "OpControlBarrier"},
      {"OpControlBarrier %n %i2 %i272", "OpControlBarrier"},
      {"OpMemoryBarrier %i1 %gi", "OpMemoryBarrier"},
  });
}

TEST(SpirvCalls, Groups) {
  check({
      {"%r = OpGroupAll %bool %i2 %true", "_Z14work_group_alli"},
      {"%r = OpGroupAny %bool %i3 %true", "_Z13sub_group_anyi"},
      {"%r = OpGroupBroadcast %int %i2 %i1 %l1", "_Z20work_group_broadcastim"},
      {"%r = OpGroupBroadcast %float %i2 %f1 %l1x2", "_Z20work_group_broadcastfmm"},
      {"%r = OpGroupBroadcast %char %i2 %c7 %i1x3", "_Z20work_group_broadcastimmm"},
      {"%r = OpGroupBroadcast %short2 %i3 %s7x2 %i1", "_Z19sub_group_broadcastsj+_Z19sub_group_broadcastsj"},
      {"%r = OpGroupBroadcast %bool %i3 %true %i1", "_Z19sub_group_broadcastij"},
      {"%r = OpGroupIAdd %int %i2 Reduce %n", "_Z21work_group_reduce_addi"},
      {"%r = OpGroupFAdd %half %i3 InclusiveScan %h1", "_Z28sub_group_scan_inclusive_addDh"},
      {"%r = OpGroupUMax %long %i2 ExclusiveScan %l1", "_Z29work_group_scan_exclusive_maxm"},
      {"%r = OpGroupSMin %char %i2 ExclusiveScan %c7", "_Z29work_group_scan_exclusive_mini"},
      {"%r = OpGroupUMin %char %i3 Reduce %c7", "_Z20sub_group_reduce_minh"},
      {"%r = OpGroupFMin %float2 %i2 Reduce %f1x2", "_Z21work_group_reduce_minf+_Z21work_group_reduce_minf"},
      {"%r = OpGroupIMulKHR %int %i2 Reduce %n", "_Z21work_group_reduce_muli"},
      {"%r = OpGroupFMulKHR %float %i3 InclusiveScan %f1", "_Z40sub_group_non_uniform_scan_inclusive_mulf"},
      {"%r = OpGroupBitwiseXorKHR %int %i2 Reduce %n", "_Z21work_group_reduce_xori"},
      {"%r = OpGroupLogicalAndKHR %bool %i2 Reduce %true", "_Z29work_group_reduce_logical_andi"},
      {"%r = OpGroupLogicalOrKHR %bool %i3 Reduce %true", "_Z39sub_group_non_uniform_reduce_logical_ori"},
      {"%r = OpGroupNonUniformElect %bool %i3", "_Z15sub_group_electv"},
      {"%r = OpGroupNonUniformAll %bool %i3 %true", "_Z25sub_group_non_uniform_alli"},
      {"%r = OpGroupNonUniformAllEqual %bool %i3 %f1x2",
       "_Z31sub_group_non_uniform_all_equalf+_Z31sub_group_non_uniform_all_equalf"},
      {"%r = OpGroupNonUniformBroadcast %int %i3 %n %i1", "_Z31sub_group_non_uniform_broadcastij"},
      {"%r = OpGroupNonUniformBroadcastFirst %char %i3 %c7", "_Z25sub_group_broadcast_firstc"},
      {"%r = OpGroupNonUniformBallot %int4 %i3 %true", "_Z16sub_group_balloti"},
      {"%r = OpGroupNonUniformInverseBallot %bool %i3 %i1x4", "_Z24sub_group_inverse_ballotDv4_j"},
      {"%r = OpGroupNonUniformBallotBitExtract %bool %i3 %i1x4 %n", "_Z28sub_group_ballot_bit_extractDv4_jj"},
      {"%r = OpGroupNonUniformBallotBitCount %int %i3 ExclusiveScan %i1x4",
       "_Z31sub_group_ballot_exclusive_scanDv4_j"},
      {"%r = OpGroupNonUniformBallotFindMSB %int %i3 %i1x4", "_Z25sub_group_ballot_find_msbDv4_j"},
      {"%r = OpGroupNonUniformShuffle %double %i3 %d1 %n", "_Z17sub_group_shuffledj"},
      {"%r = OpGroupNonUniformShuffleXor %int %i3 %n %i1", "_Z21sub_group_shuffle_xorij"},
      {"%r = OpGroupNonUniformShuffleUp %int %i3 %n %i1", "_Z20sub_group_shuffle_upij"},
      {"%r = OpGroupNonUniformShuffleDown %bool2 %i3 %true2 %i1",
       "_Z22sub_group_shuffle_downij+_Z22sub_group_shuffle_downij"},
      {"%r = OpGroupNonUniformIAdd %int %i3 Reduce %n", "_Z32sub_group_non_uniform_reduce_addi"},
      {"%r = OpGroupNonUniformUMin %short %i3 ExclusiveScan %s7",
       "_Z40sub_group_non_uniform_scan_exclusive_mint"},
      {"%r = OpGroupNonUniformFMax %float %i3 ClusteredReduce %f1 %i4",
       "_Z30sub_group_clustered_reduce_maxfj"},
      {"%r = OpGroupNonUniformLogicalXor %bool %i3 ClusteredReduce %true %i4",
       "_Z38sub_group_clustered_reduce_logical_xorij"},
      {"%r = OpGroupNonUniformRotateKHR %int %i3 %n %i1", "_Z16sub_group_rotateii"},
      {"%r = OpGroupNonUniformRotateKHR %int %i3 %n %i1 %i4", "_Z26sub_group_clustered_rotateiij"},
      {"%r = OpSubgroupShuffleINTEL %float2 %f1x2 %n",
       "_Z23intel_sub_group_shufflefj+_Z23intel_sub_group_shufflefj"},
      {"%r = OpSubgroupShuffleDownINTEL %int %n %i1 %i2", "_Z28intel_sub_group_shuffle_downiij"},
      {"%r = OpSubgroupBlockReadINTEL %int4 %gi", "_Z30intel_sub_group_block_read_ui4PU3AS1Kj"},
      {"%r = OpSubgroupBlockReadINTEL %float4 %gf4", "_Z30intel_sub_group_block_read_ui4PU3AS1Kj"},
      {"OpSubgroupBlockWriteINTEL %gc %c7x4", "_Z31intel_sub_group_block_write_uc4PU3AS1hDv4_h"},
      {"%r = OpSubgroupImageBlockReadINTEL %int %im2 %i1x2",
       "_Z29intel_sub_group_block_read_ui14ocl_image2d_roDv2_i"},
      {"OpSubgroupImageBlockWriteINTEL %im2o %i1x2 %s7x2",
       "_Z31intel_sub_group_block_write_us214ocl_image2d_woDv2_iDv2_t"},
  });
  check_refused({
      {"%r = OpGroupAll %bool %i1 %true", "OpGroupAll"},
      {"%r = OpGroupAll %bool %n %true", "OpGroupAll"},
      {"%r = OpGroupAll %bool %i2 %n", "OpGroupAll"},
      {"%r = OpGroupIAdd %float %i2 Reduce %f1", "OpGroupIAdd"},
      {"%r = OpGroupIAdd %int %i2 ClusteredReduce %n", "OpGroupIAdd"},
      {"%r = OpGroupFAdd %float %i2 Reduce %n", "OpGroupFAdd"},
      {"%r = OpGroupBroadcast %int %i3 %n %i1x2", "OpGroupBroadcast"},
      {"%r = OpGroupBroadcast %int %i2 %n %i1x4", "OpGroupBroadcast"},
      {"%r = OpGroupBroadcast %int %i2 %n %f1", "OpGroupBroadcast"},
      {"%r = OpGroupBroadcast %global_int %i2 %gi %i1", "OpGroupBroadcast"},
      {"%r = OpGroupNonUniformAll %bool %i2 %true", "OpGroupNonUniformAll"},
      {"%r = OpGroupNonUniformIAdd %int %i3 ClusteredReduce %n", "OpGroupNonUniformIAdd"},
      {"%r = OpGroupNonUniformIAdd %int %i3 Reduce %n %i4", "OpGroupNonUniformIAdd"},
      {"%r = OpGroupNonUniformBallotFindLSB %int %i3 %i1x2", "OpGroupNonUniformBallotFindLSB"},
      {"%r = OpGroupNonUniformShuffle %int %i3 %n %f1", "OpGroupNonUniformShuffle"},
      {"%r = OpSubgroupBlockReadINTEL %bool2 %gi", "OpSubgroupBlockReadINTEL"},
      {"%r = OpSubgroupShuffleDownINTEL %int %n %l1 %i2", "OpSubgroupShuffleDownINTEL"},
  });
}

TEST(SpirvCalls, CopiesAndPipes) {
  const std::string reserved = "%id = OpReserveWritePipePackets %reserve %po %i2 %i4 %i4\n";
  check({
      {"%r = OpGroupAsyncCopy %event %i2 %li %gi %l3 %l1 %no_event",
       "_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event"},
      {"%r = OpGroupAsyncCopy %event %i2 %gf4 %lf4 %i3 %i2 %no_event",
       "_Z29async_work_group_strided_copyPU3AS1Dv4_fPU3AS3KS_mm9ocl_event"},
      {"OpGroupWaitEvents %i2 %i1 %ve", "_Z17wait_group_eventsiP9ocl_event"},
      {"OpGroupWaitEvents %i2 %i1 %ge", "_Z17wait_group_eventsiP9ocl_event"},
      {"%r = OpReadPipe %int %pi %vi %i4 %i4", "__read_pipe_2"},
      {"%r = OpWritePipe %int %po %gi %i4 %i4", "__write_pipe_2"},
      {reserved + "%r = OpReservedWritePipe %int %po %id %i1 %vi %i4 %i4",
       "__reserve_write_pipe+__write_pipe_4"},
      {reserved + "OpCommitWritePipe %po %id %i4 %i4", "__reserve_write_pipe+__commit_write_pipe"},
      {reserved + "%r = OpIsValidReserveId %bool %id",
       "__reserve_write_pipe+_Z19is_valid_reserve_id13ocl_reserveid"},
      {"%id = OpReserveReadPipePackets %reserve %pi %i2 %i4 %i4\n%r = OpReservedReadPipe %int %pi %id %i1 "
       "%vi %i4 %i4\n"
       "OpCommitReadPipe %pi %id %i4 %i4",
       "__reserve_read_pipe+__read_pipe_4+__commit_read_pipe"},
      {"%id = OpGroupReserveReadPipePackets %reserve %i2 %pi %i2 %i4 %i4\nOpGroupCommitReadPipe %i2 %pi %id "
       "%i4 %i4",
       "__work_group_reserve_read_pipe+__work_group_commit_read_pipe"},
      {"%id = OpGroupReserveWritePipePackets %reserve %i3 %po %i2 %i4 %i4\nOpGroupCommitWritePipe %i3 %po "
       "%id %i4 %i4",
       "__sub_group_reserve_write_pipe+__sub_group_commit_write_pipe"},
      {"%r = OpGetNumPipePackets %int %pi %i4 %i4", "__get_pipe_num_packets_ro"},
      {"%r = OpGetMaxPipePackets %int %po %i4 %i4", "__get_pipe_max_packets_wo"},
      {"%r = OpReadClockKHR %long %i1", "_Z17clock_read_devicev"},
      {"%r = OpReadClockKHR %int2 %i3", "_Z25clock_read_hilo_sub_groupv"},
      {"%r = OpSDotKHR %int %c7x4 %c7x4", "_Z3dotDv4_cS_"},
      {"%r = OpUDotKHR %int %n %n PackedVectorFormat4x8Bit", "_Z3dotDv4_hS_"},
      {"%r = OpSUDotKHR %int %c7x4 %c7x4", "_Z3dotDv4_cDv4_h"},
      {"%r = OpSDotKHR %long %c7x4 %c7x4", ""},
      {"%r = OpUDotAccSatKHR %int %s7x2 %s7x2 %n", ""},
  });
  check_refused({
      {"%r = OpGroupAsyncCopy %event %i3 %li %gi %l3 %l1 %no_event", "OpGroupAsyncCopy"},
      {"%r = OpGroupAsyncCopy %event %i2 %gi %gi %l3 %l1 %no_event", "OpGroupAsyncCopy"},
      {"%r = OpGroupAsyncCopy %event %i2 %li %n %l3 %l1 %no_event", "OpGroupAsyncCopy"},
      {"%r = OpGroupAsyncCopy %event %i2 %li %gi %l3 %l1 %no_parameter", "OpGroupAsyncCopy"},
      {"%r = OpReadPipe %int %gi %vi %i4 %i4", "OpReadPipe"},
      {"%r = OpReadPipe %int %pi %n %i4 %i4", "OpReadPipe"},
      {"%r = OpReadPipe %int %pi %vi %f1 %i4", "OpReadPipe"},
      {"%r = OpReservedWritePipe %int %po %no_event %i1 %vi %i4 %i4", "OpReservedWritePipe"},
      {"%r = OpReadClockKHR %int %i1", "OpReadClockKHR"},
      {"%r = OpReadClockKHR %long %i0", "OpReadClockKHR"},
      {"%r = OpSDotKHR %int %c7x4 %s7x2", "OpSDot"},
      {"%r = OpSDotKHR %char %s7x2 %s7x2", "OpSDot"},
      {"%r = OpSDotKHR %int %f1x2 %f1x2", "OpSDot"},
      {"%r = OpSDotAccSatKHR %int %c7x4 %c7x4 %l1", "OpSDotAccSat"},
  });
}

TEST(SpirvCalls, DeviceEnqueue) {
  const std::string begin =
      "%q = OpGetDefaultQueue %queue\n%range_value = OpBuildNDRange %range %l3 %l1 %l0\n";
  check({
      {"%r = OpBuildNDRange %range %l1_twice %l1_twice %l1_twice", ""},
      {begin + "%r = OpEnqueueKernel %int %q %i0 %range_value %i0 %no_device_events %no_device_events %block "
               "%no_parameter %i0 %i1",
       "_Z17get_default_queuev+__enqueue_kernel_events_varargs"},
      {begin + "%r = OpEnqueueKernel %int %q %i0 %range_value %i1 %vd %vd %block_local %gc %i8 %i4 %i16",
       "_Z17get_default_queuev+__enqueue_kernel_events_varargs"},
      // As LLVM's SPIR-V translator writes it: pointers to the range and the sizes.
      {begin + "%place = OpVariable %function_range Function\nOpStore %place %range_value\n"
               "%r = OpEnqueueKernel %int %q %i1 %place %i1 %vd %vd %block_local %gc %i8 %i4 %gl",
       "_Z17get_default_queuev+__enqueue_kernel_events_varargs"},
      {begin + "%r = OpEnqueueMarker %int %q %i1 %vd %vd",
       "_Z17get_default_queuev+_Z14enqueue_marker9ocl_queuejPK12ocl_clkeventPS0_"},
      {"%e = OpCreateUserEvent %device_event\nOpRetainEvent %e\nOpReleaseEvent %e\nOpSetUserEventStatus %e "
       "%i0",
       "_Z17create_user_eventv+_Z12retain_event12ocl_clkevent+_Z13release_event12ocl_clkevent+"
       "_Z21set_user_event_status12ocl_clkeventi"},
      {"%r = OpIsValidEvent %bool %no_device_event", "_Z14is_valid_event12ocl_clkevent"},
      {"OpCaptureEventProfilingInfo %no_device_event %i1 %gl",
       "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v"},
      {"%r = OpGetKernelWorkGroupSize %int %block %gc %i8 %i4", "__get_kernel_work_group_size_impl"},
      {"%r = OpGetKernelPreferredWorkGroupSizeMultiple %int %block_local %gc %i8 %i4",
       "__get_kernel_preferred_work_group_size_multiple_impl"},
      {"%rv = OpBuildNDRange %range %l3 %l1 %l0\n%r = OpGetKernelNDrangeSubGroupCount %int %rv %block %gc "
       "%i8 %i4",
       "__get_kernel_sub_group_count_for_ndrange_impl"},
      {"%rv = OpBuildNDRange %range %l3 %l1 %l0\n%r = OpGetKernelNDrangeMaxSubGroupSize %int %rv %block %gc "
       "%i8 %i4",
       "__get_kernel_max_sub_group_size_for_ndrange_impl"},
      {"%r = OpGetKernelLocalSizeForSubgroupCount %int %i4 %block %gc %i8 %i4",
       "__get_kernel_work_group_size_impl"},
      {"%r = OpGetKernelMaxNumSubgroups %int %block %gc %i8 %i4", "__get_kernel_work_group_size_impl"},
  });
  const std::string enqueue =
      "%r = OpEnqueueKernel %int %q %i0 %range_value %i0 %no_device_events %no_device_events ";
  check_refused({
      {begin + enqueue + "%kernel %no_parameter %i0 %i1", "OpEnqueueKernel"},
      {begin + enqueue + "%n %no_parameter %i0 %i1", "OpEnqueueKernel"},
      {begin + enqueue + "%block %n %i8 %i1", "OpEnqueueKernel"},
      {begin + enqueue + "%block %gc %n %i1", "OpEnqueueKernel"},
      {begin + enqueue + "%block %gc %i8 %i1 %i16", "OpEnqueueKernel"},
      {begin + enqueue + "%block_local %gc %i8 %i1", "OpEnqueueKernel"},
      {begin + enqueue + "%block_local %gc %i8 %i1 %f1", "OpEnqueueKernel"},
      {"%r = OpBuildNDRange %range %l1 %l1_twice %l1", "OpBuildNDRange"},
      {"%r = OpBuildNDRange %range %f1 %f1 %f1", "OpBuildNDRange"},
      {"%r = OpBuildNDRange %int2 %l1 %l1 %l1", "OpBuildNDRange"},
      {begin + "%r = OpEnqueueMarker %int %n %i1 %vd %vd", "OpEnqueueMarker"},
      {begin + "%r = OpEnqueueMarker %int %q %i1 %n %vd", "OpEnqueueMarker"},
      {"OpRetainEvent %no_event", "OpRetainEvent"},
      {"OpCaptureEventProfilingInfo %no_device_event %i1 %li", "OpCaptureEventProfilingInfo"},
  });
}

}  // namespace
}  // namespace clcuda::compiler::spirv
