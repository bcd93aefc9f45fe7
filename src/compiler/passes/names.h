// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler {

// Names of functions, attributes and metadata by which Clang, the OpenCL C library and passes communicate with later passes.
//
// What all names begin with that are clcuda's own.
inline constexpr char kInternalPrefix[] = "__clcuda_";

// Functions without a body, calls of which a pass replaces.
inline constexpr char kLiteralSamplerFunction[] = "__translate_sampler_initializer";
inline constexpr char kLaunchRecordFunction[] = "__clcuda_launch_record";
inline constexpr char kUniformLaunchFunction[] = "__clcuda_uniform_launch";
inline constexpr char kTaskSchedulerFunction[] = "__clcuda_task_scheduler";
inline constexpr char kTaskSizeFunction[] = "__clcuda_task_size";
inline constexpr char kMustDivideFunction[] = "__clcuda_must_divide";
inline constexpr char kDetailedErrorsFunction[] = "__clcuda_detailed_errors";
// Queries of image properties by the library (optimize/specialize_image_queries.h).
inline constexpr char kImageQuestionPrefix[] = "__clcuda_ask_image_";
inline constexpr char kDeviceRuntimePrefix[] = "__cudaCDP2";  // functions of CUDA's device runtime

// Clang's prefix of the body of a kernel, which other kernels call.
inline constexpr char kKernelBodyPrefix[] = "__clang_ocl_kern_imp_";

// Attributes of functions.
inline constexpr char kStaticLocalAttribute[] = "clcuda-static-local-size";
inline constexpr char kPrintfAttribute[] =
    "clcuda-printf";  // frontend/printf_bounds.h says what its value is
inline constexpr char kCarriedAddressesAttribute[] = "clcuda-carried-addresses";
inline constexpr char kBlockKernelAttribute[] = "clcuda-block";
inline constexpr char kLifeAttribute[] = "clcuda-life";  // of the initializer and the finalizer
inline constexpr char kEnqueueAttribute[] = "clcuda-enqueue";
inline constexpr char kKeepsDenormalsAttribute[] = "clcuda-keeps-denormals";  // whatever the options are
inline constexpr char kProgramAttribute[] = "clcuda-of-program";              // not of the OpenCL C library
inline constexpr char kDistinctArgumentsAttribute[] = "clcuda-distinct-arguments";

// Attributes of parameters.
inline constexpr char kLaunchRecordAttribute[] = "clcuda-launch-record";  // of the hidden parameter
// Of a hidden parameter: for each part, which argument and where in its descriptor.
inline constexpr char kImagePartsAttribute[] = "clcuda-image-parts";
inline constexpr char kActiveMaskAttribute[] = "clcuda-active-mask";  // of a function's hidden parameter
inline constexpr char kDistinctAttribute[] = "clcuda-distinct";       // noalias because of it
inline constexpr char kNownImageAttribute[] = "clcuda-known-image";

// Metadata of kernels: the number of sub-groups that a work-group must have.
inline constexpr char kRequiredSubGroupCount[] = "clcuda.required-sub-group-count";

// Metadata of the module.
inline constexpr char kDetailedErrorsMetadata[] = "clcuda.detailed-enqueue-errors";
inline constexpr char kPrintfTextsMetadata[] = "clcuda.printf-texts";

}  // namespace clcuda::compiler
