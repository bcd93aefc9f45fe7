// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/math_flags.h"

#include <algorithm>
#include <optional>

#include "compiler/spirv/module_reader.h"

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
std::optional<std::uint32_t> default_mask(ModuleReader& reader, std::uint32_t kernel,
                                          const llvm::Type* type) {
  for (const Instruction& mode : reader.execution_modes(kernel)) {
    if (static_cast<ExecutionMode>(mode[1]) != ExecutionMode::FPFastMathDefault) continue;
    if (reader.is_type(mode[2]) && reader.type(mode[2]).value == type)
      return static_cast<std::uint32_t>(reader.integer(mode[3]));
  }
  return std::nullopt;
}

// With FloatControls2, the mask specifies everything, including contraction.
llvm::FastMathFlags with_mask(const ModuleReader& reader, llvm::FastMathFlags flags, std::uint32_t mask) {
  if (reader.has_capability(Capability::FloatControls2)) flags = allowed_by(reader.unit().options);
  add(mask, flags);
  return flags;
}

llvm::FastMathFlags flags_of_kernel(ModuleReader& reader, std::uint32_t kernel, const llvm::Type* type) {
  llvm::FastMathFlags flags = allowed_by(reader.unit().options);
  if (!reader.has_mode(kernel, ExecutionMode::ContractionOff)) flags.setAllowContract();
  const auto mask = type ? default_mask(reader, kernel, type) : std::nullopt;
  return mask ? with_mask(reader, flags, *mask) : flags;
}

}  // namespace

llvm::FastMathFlags MathFlags::of_type(const llvm::Type* type) {
  if (function_ == 0) return allowed_by(module_.unit().options);  // of OpSpecConstantOp, which is folded
  const bool is_kernel = module_.is_entry_point(function_) || module_.entry_points().empty();
  const auto [known, is_new] = (is_kernel ? known_ : module_.math_flags_of_functions()).try_emplace(type);
  llvm::FastMathFlags& flags = known->second;
  if (!is_new) return flags;
  if (is_kernel) return flags = flags_of_kernel(module_, function_, type);
  flags = llvm::FastMathFlags::getFast();
  for (const EntryPoint& kernel : module_.entry_points())
    flags &= flags_of_kernel(module_, kernel.function, type);
  return flags;
}

llvm::FastMathFlags MathFlags::of(const Instruction& instruction, const llvm::Type* type) {
  const Decorations& decorations = module_.decorations();
  llvm::FastMathFlags flags = of_type(type);
  if (const auto own = decorations.operand(instruction.result(), Decoration::FPFastMathMode))
    flags = with_mask(module_, flags, *own);
  if (decorations.has(instruction.result(), Decoration::NoContraction)) flags.setAllowContract(false);
  return flags;
}

}  // namespace clcuda::compiler::spirv
