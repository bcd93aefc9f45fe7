// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::compiler {

// Functions, attributes and metadata that Clang, the library and passes leave for later passes.
inline constexpr char literal_sampler_function[] = "__translate_sampler_initializer";
inline constexpr char launch_record_function[] = "__clcuda_launch_record";
inline constexpr char uniform_launch_function[] = "__clcuda_uniform_launch";
inline constexpr char task_scheduler_function[] = "__clcuda_task_scheduler";
inline constexpr char task_size_function[] = "__clcuda_task_size";
inline constexpr char must_divide_function[] = "__clcuda_must_divide";
inline constexpr char detailed_errors_function[] = "__clcuda_detailed_errors";
// What the library asks of images, and of reading them (optimize/specialize_image_queries.h).
inline constexpr char image_question_prefix[] = "__clcuda_ask_image_";
inline constexpr char device_runtime_prefix[] = "__cudaCDP2";  // functions of CUDA's device runtime

// Attributes of functions.
inline constexpr char static_local_attribute[] = "clcuda-static-local-size";
inline constexpr char printf_attribute[] =
    "clcuda-printf";  // frontend/printf_bounds.h says what its value is
inline constexpr char carried_addresses_attribute[] = "clcuda-carried-addresses";
inline constexpr char block_kernel_attribute[] = "clcuda-block";
inline constexpr char life_attribute[] = "clcuda-life";  // of the initializer and the finalizer
inline constexpr char enqueue_attribute[] = "clcuda-enqueue";

// Attributes of parameters.
inline constexpr char launch_record_attribute[] = "clcuda-launch-record";  // of the hidden parameter
// Of a hidden parameter: for each part, which argument and where in its descriptor.
inline constexpr char image_parts_attribute[] = "clcuda-image-parts";
inline constexpr char active_mask_attribute[] = "clcuda-active-mask";  // of a function's hidden parameter
inline constexpr char known_image_attribute[] = "clcuda-known-image";

// Metadata of the module.
inline constexpr char detailed_errors_metadata[] = "clcuda.detailed-enqueue-errors";
inline constexpr char printf_texts_metadata[] = "clcuda.printf-texts";

}  // namespace clcuda::compiler
