// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/device_features.h"
#include "compiler/outcome.h"
#include "compiler/source.h"
#include "compiler/target.h"

namespace clcuda::compiler {

// The compiler as the runtime sees it: functions over plain values. Each is callable from any thread, runs the compiler on a thread of
// its own with a large stack, and always returns: a fault in the compiler, exhausted memory or a source that is too deep ends as a failed
// Outcome with the reason in the log.

// clBuildProgram: OpenCL C or SPIR-V to an executable.
Outcome build(const Source& source, const std::string& options, const Target& target,
              const DeviceFeatures& features);

// clCompileProgram: the same to a compiled object.
Outcome compile(const Source& source, const std::string& options, const Target& target,
                const DeviceFeatures& features);

// clLinkProgram: compiled objects and libraries to an executable, or with -create-library to a library. What has no bitcode is
// translated again, here and below.
Outcome link(std::span<const CompiledProgram* const> objects, const std::string& options,
             const Target& target, const DeviceFeatures& features);

// The general variant of an executable, made when a launch first needs it.
struct VariantOutcome {
  Status status = Status::failure;
  std::string log;
  VariantCode code;
};
VariantOutcome make_general_variant(const CompiledProgram& executable, const DeviceFeatures& features);

// The uniform variant of one kernel for images of which this is known (KnownImage::argument, order and format; those that are not listed
// are looked at as they are read). Its code has that kernel alone.
VariantOutcome make_for_images(const CompiledProgram& executable, std::size_t kernel,
                               const std::vector<KnownImage>& images, const DeviceFeatures& features);

}  // namespace clcuda::compiler
