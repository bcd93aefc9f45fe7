// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "compiler/options.h"
#include "compiler/program_image.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clcuda::compiler {

inline constexpr char device_triple[] = "nvptx64-nvidia-nvidiacl";

// "sm_90" and "+ptx78": the newest architecture we know that the target can run, and the lowest PTX version
// that has it.
std::string cpu_name(const Target& target);
// Its compute capability × 10.
int architecture_of(const Target& target);
std::string ptx_feature(const Target& target);

// Whether it has the instruction by which a kernel waits for those before it in its stream.
bool can_wait(const Target& target);

// Bytes of parameters that a kernel may take, the launch record included.
std::uint32_t most_parameter_bytes(const Target& target);

// For kernels that take up to so many bytes of parameters.
std::unique_ptr<llvm::TargetMachine> create_target_machine(const Target& target, const Options& options,
                                                           std::uint32_t parameter_bytes);

// The module's PTX, in which kernels begin with a wait for those before them in their stream if they are to be `waiting`. Throws
// CompilerFault for what NVPTX cannot express. Changes the module.
std::string emit_ptx(llvm::Module& module, llvm::TargetMachine& machine, bool waiting);

}  // namespace clcuda::compiler
