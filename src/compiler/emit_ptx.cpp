// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit_ptx.h"

#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

#include "compiler/build_thread.h"
#include "compiler/target.h"

namespace clcuda::compiler {
namespace {

// The back end puts a loop's end ahead of its start where it is reached in several ways, unless code is to be small. What leaves the loop
// there is a branch of its own to ptxas, which counts in every turn if the end is short.
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

// Kernels are launched while those before them in their stream still finish (cuda::LaunchShape): they begin with the instruction that
// waits for them and for what they have written. It is put there last of all, so that no load of memory that is constant for the kernel
// is moved ahead of it.
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

// Loop strength reduction trades the 64-bit addresses of a loop's accesses for values that it carries along. On NVIDIA's chips an
// address is one instruction (IMAD.WIDE), a carried one is two and holds two registers all the time.
// Straight-line strength reduction compares what it finds with all that it has found: a minute for a function of 40 000 instructions.
class CodeGenerationPasses final : public llvm::legacy::PassManager {
 public:
  CodeGenerationPasses(const llvm::Module& module, bool waiting)
      : waiting_(waiting), large_(llvm::any_of(module, [](const llvm::Function& function) {
          return function.getInstructionCount() > kLargeFunction;
        })) {}

  void add(llvm::Pass* pass) override {
    const llvm::StringRef name = pass->getPassArgument();
    if (name == "loop-reduce" || (large_ && name == "slsr")) {
      delete pass;
    } else {
      if (name == "block-placement") llvm::legacy::PassManager::add(new LeaveShortEnds);
      if (waiting_ && pass->getPassName() == "NVPTX Assembly Printer")
        llvm::legacy::PassManager::add(new WaitForEarlierKernels);
      llvm::legacy::PassManager::add(pass);
    }
  }

 private:
  static constexpr unsigned kLargeFunction = 8'000;  // instructions

  const bool waiting_;
  const bool large_;
};

// -cl-denorms-are-zero is about single precision only (§5.8.6.2). The back end flushes halves too, wherever it flushes.
std::string with_denormal_halves(llvm::StringRef line) {
  constexpr llvm::StringRef kFlush = ".ftz";
  const auto [before, after] = line.split(".ftz.f16");
  return before.size() == line.size() ? line.str()
                                      : (before + line.drop_front(before.size() + kFlush.size())).str();
}

// ptxas (13.0) errs about 16-bit numbers where it does not in 32 bits, which are shorter more often than not:
// - for every chip since Turing it negates a number, or takes its sign away, after it has extended it by its sign, where the result is to be
//   extended: that of the least number, which stays what it is in 16 bits, comes out as 32768;
// - for sm_90 and sm_100 it takes min(x, 5) == 5, or max's, from the instruction for the minima of two halves of a register, and has both
//   halves write one predicate.
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

// Assembly of the program stays as it is. Most programs have none of these.
std::string corrected(llvm::StringRef ptx) {
  const bool is_right = !ptx.contains(".ftz.f16") && llvm::none_of(kFormsIn32Bits, [ptx](const Form& form) {
    return ptx.contains(form.narrow);
  });
  if (is_right) return ptx.str();
  std::string text;
  text.reserve(ptx.size());
  for (bool assembly = false; !ptx.empty();) {
    const std::size_t end = ptx.find('\n') + 1;
    llvm::StringRef line = end ? ptx.take_front(end) : ptx;
    ptx = ptx.drop_front(line.size());
    if (line.contains("// begin inline asm")) assembly = true;
    if (line.contains("// end inline asm")) assembly = false;
    text += assembly ? line.str() : in_32_bits(with_denormal_halves(line));
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
