// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/math_flags.h"

#include <algorithm>
#include <optional>

#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

llvm::FastMathFlags allowed_by(const Options& options) {
  llvm::FastMathFlags flags;
  if (options.fast_relaxed_math) flags.setFast();
  if (options.unsafe_math) {
    flags.setAllowReassoc();
    flags.setAllowReciprocal();
    flags.setApproxFunc();
    flags.setNoSignedZeros();
  }
  if (options.finite_math_only) {
    flags.setNoNaNs();
    flags.setNoInfs();
  }
  if (options.no_signed_zeros) flags.setNoSignedZeros();
  return flags;
}

// For a function that is not a kernel: whether any kernel forbids contraction.
bool forbids_contraction(ModuleReader& reader, std::uint32_t function) {
  const auto forbids = [&](std::uint32_t kernel) {
    return std::ranges::any_of(reader.execution_modes(kernel), [](const Instruction& mode) {
      return static_cast<ExecutionMode>(mode[1]) == ExecutionMode::ContractionOff;
    });
  };
  if (reader.is_entry_point(function)) return forbids(function);
  return std::ranges::any_of(reader.entry_points(),
                             [&](const EntryPoint& kernel) { return forbids(kernel.function); });
}

void add(std::uint32_t mask, llvm::FastMathFlags& flags) {
  if (mask & FPFastMathModeMask::Fast) flags.setFast();
  if (mask & FPFastMathModeMask::NotNaN) flags.setNoNaNs();
  if (mask & FPFastMathModeMask::NotInf) flags.setNoInfs();
  if (mask & FPFastMathModeMask::NSZ) flags.setNoSignedZeros();
  if (mask & FPFastMathModeMask::AllowRecip) flags.setAllowReciprocal();
  if (mask & FPFastMathModeMask::AllowContract) flags.setAllowContract();
  if (mask & FPFastMathModeMask::AllowReassoc) flags.setAllowReassoc();
  if (mask & FPFastMathModeMask::AllowTransform) flags.setApproxFunc();
}

// FPFastMathDefault for a kernel's operations on one floating-point type; nothing if there is none.
std::optional<std::uint32_t> default_mask(FunctionReader& reader, std::uint32_t function,
                                          const llvm::Type* type) {
  for (const Instruction& mode : reader.module().execution_modes(function)) {
    if (static_cast<ExecutionMode>(mode[1]) != ExecutionMode::FPFastMathDefault) continue;
    if (reader.type(mode[2]).value == type->getScalarType())
      return static_cast<std::uint32_t>(reader.module().integer(mode[3]));
  }
  return std::nullopt;
}

}  // namespace

llvm::FastMathFlags default_math_flags(ModuleReader& reader, std::uint32_t function) {
  llvm::FastMathFlags flags = allowed_by(reader.unit().options);
  if (!forbids_contraction(reader, function)) flags.setAllowContract();
  return flags;
}

llvm::FastMathFlags math_flags(FunctionReader& reader, const Instruction& instruction) {
  llvm::FastMathFlags flags = reader.builder().getFastMathFlags();
  const Decorations& decorations = reader.module().decorations();
  const auto own = decorations.operand(instruction.result(), Decoration::FPFastMathMode);
  const std::uint32_t operand = instruction[instruction.op() == Op::ExtInst ? 2 : 0];
  const auto mask = own ? own : default_mask(reader, reader.id(), reader.type_of(operand).value);
  if (mask) {
    // With FloatControls2, the mask specifies everything, including contraction.
    if (reader.module().has_capability(Capability::FloatControls2))
      flags = allowed_by(reader.module().unit().options);
    add(*mask, flags);
  }
  if (decorations.has(instruction.result(), Decoration::NoContraction)) flags.setAllowContract(false);
  return flags;
}

}  // namespace clcuda::compiler::spirv
