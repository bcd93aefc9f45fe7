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

struct ModuleSummary {
  std::uint32_t version;  // as the header has it: 0x00010400 is 1.4
  bool byte_swapped;      // of the other byte order than this machine's
  std::vector<SpecializableConstant> constants;
};

// A module's header and the borders of its instructions. Nothing, and why, for bytes that are no SPIR-V
// module (CL_INVALID_VALUE).
std::optional<ModuleSummary> summarize(std::string_view bytes, std::string& problem);

struct Unit {
  std::string_view module;
  std::span<const Specialization> specializations;
  const Options& options;
  const Target& target;
  const DeviceFeatures& features;
};

// The module as Clang leaves one for the same program in OpenCL C (compile_opencl_c() in
// compiler/frontend.h): nothing linked, nothing lowered. Null where it is refused, with the reason and the
// instruction's number, counted from 1, in the log.
std::unique_ptr<llvm::Module> read(const Unit& unit, llvm::LLVMContext& context, Outcome& outcome);

// What the reader takes, newest version first: for CL_DEVICE_ILS_WITH_VERSION and cl_khr_spirv_queries.
std::span<const std::uint32_t> versions();
std::vector<std::uint32_t> capabilities(const DeviceFeatures& features);
std::vector<const char*> extensions(const DeviceFeatures& features);
std::vector<const char*> extended_instruction_sets();

}  // namespace clcuda::compiler::spirv
