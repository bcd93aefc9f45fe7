// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit_ptx.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cstdint>

#include "compiler/build_thread.h"
#include "compiler/extend_where_scaled.h"
#include "compiler/pack_whole_registers.h"
#include "compiler/share_extended_sums.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

// LLVM's block placement moves a loop's latch ahead of its header if the latch has several predecessors, unless the function is optimised
// for size. ptxas then emits a separate branch for the loop's exit, whose cost matters in every iteration if the latch is short.
class LeaveShortEnds final : public llvm::MachineFunctionPass {
 public:
  LeaveShortEnds() : MachineFunctionPass(id_) {}

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    llvm::MachineDominatorTree dominators(function);
    const llvm::MachineLoopInfo loops(dominators);
    if (llvm::any_of(loops.getLoopsInPreorder(), has_short_end))
      function.getFunction().addFnAttr(llvm::Attribute::OptimizeForSize);
    return false;
  }

 private:
  static bool has_short_end(const llvm::MachineLoop* loop) {
    constexpr std::size_t kMostInstructions = 5;
    const llvm::MachineBasicBlock* latch = loop->getLoopLatch();
    return latch && latch->pred_size() > 1 && latch->size() <= kMostInstructions;
  }

  static inline char id_ = 0;
};

// Kernels are launched while earlier kernels in their stream are still finishing (cuda::LaunchShape). They begin with griddepcontrol.wait,
// which waits for those kernels and makes their writes visible. It is inserted after all other passes, so that no invariant load is moved
// ahead of it.
class WaitForEarlierKernels final : public llvm::MachineFunctionPass {
 public:
  WaitForEarlierKernels() : MachineFunctionPass(id_) {}

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    if (function.getFunction().getCallingConv() != llvm::CallingConv::PTX_Kernel) return false;
    llvm::MachineBasicBlock& entry = function.front();
    const llvm::MCInstrDesc& assembly =
        function.getSubtarget().getInstrInfo()->get(llvm::TargetOpcode::INLINEASM);
    llvm::BuildMI(entry, entry.begin(), llvm::DebugLoc(), assembly)
        .addExternalSymbol("griddepcontrol.wait;")
        .addImm(llvm::InlineAsm::Extra_HasSideEffects);
    return true;
  }

 private:
  static inline char id_ = 0;
};

// Straight-line strength reduction compares additions, and addresses with computed indices, with all that share an operand: that takes a
// minute for a function of 40 000 instructions, and 12 s for a chain of 768 multiplications to which the same value is added.
bool is_compared(const llvm::Instruction& operation) {
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&operation))
    return !address->hasAllConstantIndices();
  const unsigned opcode = operation.getOpcode();
  return opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Sub;
}

bool reduces_strength_slowly(const llvm::Function& function) {
  constexpr unsigned kMostInstructions = 8'000;
  constexpr std::uint64_t kMostPairs = 20'000;  // half a second
  if (function.getInstructionCount() > kMostInstructions) return true;
  llvm::DenseMap<const llvm::Value*, std::uint64_t> sharing;
  for (const llvm::Instruction& operation : llvm::instructions(function)) {
    if (!is_compared(operation)) continue;
    for (const llvm::Value* operand : operation.operands())
      if (!llvm::isa<llvm::ConstantInt>(operand)) ++sharing[operand];
  }
  std::uint64_t pairs = 0;
  for (const auto& [operand, count] : sharing) pairs += count * count;
  return pairs > kMostPairs;
}

// Leaves out one or two of LLVM's passes. Loop strength reduction replaces the 64-bit addresses of a loop's accesses by values carried from
// iteration to iteration. On NVIDIA's chips computing an address takes one instruction (IMAD.WIDE); updating a carried one takes two and
// occupies two registers throughout. (Columns of matrices are different: passes/optimize/reduce_strides.h, and so are indices that take
// several multiplications: passes/optimize/carry_indices.h.)
class CodeGenerationPasses final : public llvm::legacy::PassManager {
 public:
  CodeGenerationPasses(const llvm::Module& module, bool waiting)
      : waiting_(waiting), without_slsr_(llvm::any_of(module, reduces_strength_slowly)) {}

  void add(llvm::Pass* pass) override {
    const llvm::StringRef name = pass->getPassArgument();
    if (name == "loop-reduce" || (without_slsr_ && name == "slsr")) {
      delete pass;
    } else {
      if (name == "nvptx-isel") llvm::legacy::PassManager::add(extend_where_scaled());
      if (name == "block-placement") llvm::legacy::PassManager::add(new LeaveShortEnds);
      if (pass->getPassName() == "NVPTX Assembly Printer") {
        llvm::legacy::PassManager::add(pack_whole_registers());
        if (waiting_) llvm::legacy::PassManager::add(new WaitForEarlierKernels);
      }
      llvm::legacy::PassManager::add(pass);
      if (name == "nary-reassociate") llvm::legacy::PassManager::add(share_extended_sums());
    }
  }

 private:
  const bool waiting_;
  const bool without_slsr_;
};

// -cl-denorms-are-zero applies to single precision only (§5.8.6.2), but LLVM's back end also adds .ftz to half-precision instructions.
std::string with_denormal_halves(llvm::StringRef line) {
  constexpr llvm::StringRef kFlush = ".ftz";
  const auto [before, after] = line.split(".ftz.f16");
  return before.size() == line.size() ? line.str()
                                      : (before + line.drop_front(before.size() + kFlush.size())).str();
}

// Replaces 16-bit instructions that ptxas (13.0) miscompiles by 32-bit ones, whose machine code is often shorter:
// - For every chip since Turing, if the result of neg.s16 or abs.s16 is then extended, ptxas sign-extends the operand first and computes in
//   32 bits: for -32768, whose 16-bit result is -32768, the extended result is 32768.
// - For sm_90 and sm_100, ptxas computes min(x, 5) == 5 (and max) with the packed instruction for two halves of a register, and lets both
//   halves write the same predicate.
struct Form {
  llvm::StringRef narrow, extension, wide;
};
constexpr Form kFormsIn32Bits[] = {
    {"\tneg.s16 ", "cvt.u32.u16", "neg.s32"}, {"\tabs.s16 ", "cvt.s32.s16", "abs.s32"},
    {"\tmin.s16 ", "cvt.s32.s16", "min.s32"}, {"\tmax.s16 ", "cvt.s32.s16", "max.s32"},
    {"\tmin.u16 ", "cvt.u32.u16", "min.u32"}, {"\tmax.u16 ", "cvt.u32.u16", "max.u32"}};

std::string in_32_bits(llvm::StringRef line) {
  for (const auto& [narrow, extension, wide] : kFormsIn32Bits) {
    llvm::StringRef operands = line;
    if (!operands.consume_front(narrow)) continue;
    llvm::SmallVector<llvm::StringRef, 3> names;
    operands.trim("\t\n ;").split(names, ", ");
    std::string extensions, extended;
    for (std::size_t i = 1; i < names.size(); ++i) {
      const std::string name = "%wide" + std::to_string(i);
      extensions += (extension + " " + name + ", " + names[i] + "; ").str();
      extended += ", " + name;
    }
    return ("\t{ .reg .b32 %wide<3>; " + extensions + wide + " %wide0" + extended + "; cvt.u16.u32 " +
            names.front() + ", %wide0; }\n")
        .str();
  }
  return line.str();
}

// ptxas (13.0, every chip since Turing) takes -0.0f for 0.0f in selects of single precision: it drops the absolute value of a select
// between numbers that seem to have no sign, and makes of a select between a zero and 1.0f or -1.0f by a comparison of floats one
// instruction whose zero is positive. It does neither to a select of integers.
constexpr llvm::StringRef kSelect = "\tselp.f32 ", kNegativeZero = "0f80000000";

std::string of_bits(llvm::StringRef line) {
  if (!line.starts_with(kSelect) || !line.contains(kNegativeZero)) return line.str();
  std::string text = "\tselp.b32 ";
  line = line.drop_front(kSelect.size());
  for (std::size_t at; (at = line.find(" 0f")) != llvm::StringRef::npos; line = line.drop_front(at + 3))
    text += (line.take_front(at) + " 0x").str();
  return text + line.str();
}

// The program's inline assembly stays unchanged. Most programs contain none of these instructions.
std::string corrected(llvm::StringRef ptx) {
  const bool is_right =
      !ptx.contains(".ftz.f16") && !ptx.contains(kNegativeZero) &&
      llvm::none_of(kFormsIn32Bits, [ptx](const Form& form) { return ptx.contains(form.narrow); });
  if (is_right) return ptx.str();
  std::string text;
  text.reserve(ptx.size());
  for (bool assembly = false; !ptx.empty();) {
    const std::size_t end = ptx.find('\n') + 1;
    llvm::StringRef line = end ? ptx.take_front(end) : ptx;
    ptx = ptx.drop_front(line.size());
    if (line.contains("// begin inline asm")) assembly = true;
    if (line.contains("// end inline asm")) assembly = false;
    text += assembly ? line.str() : of_bits(in_32_bits(with_denormal_halves(line)));
  }
  return text;
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> create_target_machine(const Target& target, const Options& options,
                                                           std::uint32_t parameter_bytes) {
  std::string error;
  const llvm::Triple triple(kDeviceTriple);
  const llvm::Target* nvptx = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!nvptx) throw CompilerFault{error};
  llvm::TargetOptions codegen;
  codegen.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // Clang's contract flags decide
  const auto level =
      options.disable_optimization ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
  return std::unique_ptr<llvm::TargetMachine>(
      nvptx->createTargetMachine(triple, cpu_name(target), ptx_feature(target, parameter_bytes), codegen,
                                 std::nullopt, std::nullopt, level));
}

std::string emit_ptx(llvm::Module& module, llvm::TargetMachine& machine, bool waiting) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  CodeGenerationPasses passes(module, waiting);
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    throw CompilerFault{"the target cannot emit PTX"};
  }
  passes.run(module);
  return corrected(text);
}

}  // namespace clcuda::compiler
