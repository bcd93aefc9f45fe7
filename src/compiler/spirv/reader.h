// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/device_features.h"
#include "compiler/options.h"
#include "compiler/outcome.h"
#include "compiler/spirv/specialization.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace clcuda::compiler::spirv {

// What the runtime needs to know of a module before it is built.
struct ModuleSummary {
  std::uint32_t version;  // as the header has it: 0x00010400 is 1.4
  bool byte_swapped;      // of the other byte order than this machine's
  std::vector<SpecializableConstant> constants;
};

// Reads the header, checks that the instructions fill the module, and lists its specialization constants. Nothing, with the reason in
// `problem`, if the bytes are no SPIR-V module (CL_INVALID_VALUE).
std::optional<ModuleSummary> summarize(std::string_view bytes, std::string& problem);

// A module to be read, with what applies to its build. Refers to all of it.
struct Unit {
  std::string_view module;
  std::span<const Specialization> specializations;
  const Options& options;
  const Target& target;
  const DeviceFeatures& features;
};

// Translates a module to LLVM, as Clang would emit it for the same program in OpenCL C (compile_opencl_c() in compiler/frontend.h):
// nothing linked, nothing lowered. Null if it is refused, with the reason and the number of the instruction, counted from 1, in the log of
// `outcome`.
std::unique_ptr<llvm::Module> read(const Unit& unit, llvm::LLVMContext& context, Outcome& outcome);

// What the reader supports, newest version first: for CL_DEVICE_ILS_WITH_VERSION and cl_khr_spirv_queries.
std::span<const std::uint32_t> versions();
std::vector<std::uint32_t> capabilities(const DeviceFeatures& features);
std::vector<const char*> extensions(const DeviceFeatures& features);
std::vector<const char*> extended_instruction_sets();

}  // namespace clcuda::compiler::spirv
