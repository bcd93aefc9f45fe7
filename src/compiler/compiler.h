// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/device_features.h"
#include "compiler/options.h"
#include "compiler/outcome.h"
#include "compiler/source.h"
#include "compiler/target.h"

namespace clcuda::compiler {

// The compiler's interface for the runtime: functions over plain values. Each can be called from any thread, runs the compiler on its own
// thread with a large stack, and always returns: a crash of the compiler, exhausted memory or too deep nesting result in a failed Outcome
// with the reason in the log.

// Why options are invalid for a device; empty if they are not. The functions below refuse them (Status::invalid_options).
std::string problem_of_options(const std::string& options, OptionsFor purpose, const Target& target);

// clBuildProgram: OpenCL C or SPIR-V to an executable.
Outcome build(const Source& source, const std::string& options, const Target& target,
              const DeviceFeatures& features);

// clCompileProgram: the same to a compiled object.
Outcome compile(const Source& source, const std::string& options, const Target& target,
                const DeviceFeatures& features);

// clLinkProgram: compiled objects and libraries to an executable, or with -create-library to a library. Inputs without bitcode are
// translated again, here and below.
Outcome link(std::span<const CompiledProgram* const> objects, const std::string& options,
             const Target& target);

// The result of compiling another variant; `code` is meaningful on success.
struct VariantOutcome {
  Status status = Status::failure;
  std::string log;
  VariantCode code;
};
// The general variant of an executable, compiled when a launch first needs it.
VariantOutcome make_general_variant(const CompiledProgram& executable);

// The uniform variant of one kernel, specialised for launches with these traits (of images: KnownImage::argument, order and format; others
// are tested at each read). The code contains that kernel only.
VariantOutcome make_specialized(const CompiledProgram& executable, std::size_t kernel,
                                const LaunchTraits& traits);

}  // namespace clcuda::compiler
