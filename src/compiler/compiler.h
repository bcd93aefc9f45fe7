// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/file_dependency.h"
#include "compiler/program_image.h"

namespace clcuda::compiler {

// The compiler as the runtime sees it: functions over plain values. Each is callable from any thread, runs the compiler on a thread of
// its own with a large stack, and always returns: a fault in the compiler, exhausted memory or a source that is too deep ends as a failed
// Outcome with the reason in the log.

enum class Status : std::uint8_t {
  success,
  failure,          // the source or the link is at fault: CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_…,
                    // CL_LINK_PROGRAM_FAILURE
  invalid_options,  // CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS, CL_INVALID_LINKER_OPTIONS
  out_of_memory,
};

struct Outcome {
  Status status = Status::failure;
  std::string log;
  ProgramImage image;  // meaningful on success
  FileDependencies files;
  bool repeatable = true;  // the same call has the same outcome as long as `files` hold
};

// What the device offers, beyond the target: extension and feature names that become macros and `-cl-ext`
// switches.
struct DeviceFeatures {
  std::vector<std::string> extensions;  // cl_khr_fp64 …
  std::vector<std::string> features;    // __opencl_c_fp64 …
};

// A chip (compute capability × 10) and the newest PTX of which both the driver and the PTX compiler library make its machine code;
// versions as cuDriverGetVersion counts them. A library that there is not (0), or that is older than the chip, does not count.
Target target_for(int sm, int driver, int library);

// Whether a device runs what was made for a target.
bool runs_on(const Target& made_for, const Target& device);

// clBuildProgram: OpenCL C to an executable.
Outcome build(std::string_view source, const std::string& options, const Target& target,
              const DeviceFeatures& features);

// clCompileProgram: OpenCL C to a compiled object.
Outcome compile(std::string_view source, std::span<const Header> headers, const std::string& options,
                const Target& target, const DeviceFeatures& features);

// clLinkProgram: compiled objects and libraries to an executable, or with -create-library to a library. What has no bitcode is
// translated again, here and below.
Outcome link(std::span<const ProgramImage* const> objects, const std::string& options, const Target& target,
             const DeviceFeatures& features);

// The general variant of an executable, made when a launch first needs it.
struct VariantOutcome {
  Status status = Status::failure;
  std::string log;
  VariantCode code;
};
VariantOutcome make_general_variant(const ProgramImage& executable, const DeviceFeatures& features);

// The uniform variant of one kernel for images of which this is known (KnownImage::argument, order and format; those that are not listed
// are looked at as they are read). Its code has that kernel alone.
VariantOutcome make_for_images(const ProgramImage& executable, std::size_t kernel,
                               const std::vector<KnownImage>& images, const DeviceFeatures& features);

}  // namespace clcuda::compiler
