// SPDX-License-Identifier: Apache-2.0
#include "compiler/pack_whole_registers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

namespace clcuda::compiler {
namespace {

class PackWholeRegisters final : public llvm::MachineFunctionPass {
 public:
  PackWholeRegisters() : MachineFunctionPass(id_) {}

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    static const Opcodes opcodes(*function.getSubtarget().getInstrInfo());  // the same for every chip
    bool changed = false;
    for (llvm::MachineBasicBlock& block : function) {
      for (llvm::MachineInstr& each : llvm::make_early_inc_range(block)) {
        if (each.getOpcode() != opcodes.pack) continue;
        if (!is_lower_half(each.getOperand(1), opcodes) && !is_lower_half(each.getOperand(2), opcodes))
          continue;
        pack_whole(each, opcodes);
        changed = true;
      }
    }
    return changed;
  }

 private:
  // The numbers of the back end's instructions are not among LLVM's installed headers, but their names are in its tables.
  struct Opcodes {
    explicit Opcodes(const llvm::TargetInstrInfo& all) {
      for (unsigned i = 0; i < all.getNumOpcodes(); ++i) {
        const llvm::StringRef name = all.getName(i);
        if (name == "V2I16toI32") pack = i;
        if (name == "CVT_u16_u32") lower_of_32 = i;
        if (name == "CVT_u16_u64") lower_of_64 = i;
        if (name == "CVT_u32_u16") extend = i;
        if (name == "CVT_u32_u64") narrow = i;
        if (name == "PRMT_B32rri") permute = i;
      }
    }
    unsigned pack = 0, lower_of_32 = 0, lower_of_64 = 0, extend = 0, narrow = 0, permute = 0;
  };

  static bool is_lower_half(const llvm::MachineOperand& half, const Opcodes& opcodes) {
    return llvm::any_of(half.getParent()->getMF()->getRegInfo().def_instructions(half.getReg()),
                        [&](const llvm::MachineInstr& from) {
                          return from.getOpcode() == opcodes.lower_of_32 ||
                                 from.getOpcode() == opcodes.lower_of_64;
                        });
  }

  static void pack_whole(llvm::MachineInstr& pack, const Opcodes& opcodes) {
    constexpr int kLowerHalves = 0x5410, kNoMode = 0;
    const llvm::Register lower = whole(pack.getOperand(1), opcodes),
                         upper = whole(pack.getOperand(2), opcodes);
    before(pack, opcodes.permute, pack.getOperand(0).getReg())
        .addReg(lower)
        .addReg(upper)
        .addImm(kLowerHalves)
        .addImm(kNoMode);
    pack.eraseFromParent();
  }

  // A 32-bit register whose lower half is that half.
  static llvm::Register whole(llvm::MachineOperand& half, const Opcodes& opcodes) {
    llvm::MachineInstr& pack = *half.getParent();
    llvm::MachineRegisterInfo& registers = pack.getMF()->getRegInfo();
    llvm::Register from = half.getReg();
    unsigned conversion = opcodes.extend;
    // What has one definition is the same here.
    if (is_lower_half(half, opcodes) && registers.hasOneDef(from)) {
      const llvm::MachineInstr& lower = *registers.getOneDef(from)->getParent();
      const llvm::Register number = lower.getOperand(1).getReg();
      if (registers.hasOneDef(number)) {
        if (lower.getOpcode() == opcodes.lower_of_32) return number;
        from = number;
        conversion = opcodes.narrow;
      }
    }
    constexpr int kNoRounding = 0;
    const llvm::Register made =
        registers.createVirtualRegister(registers.getRegClass(pack.getOperand(0).getReg()));
    before(pack, conversion, made).addReg(from).addImm(kNoRounding);
    return made;
  }

  static llvm::MachineInstrBuilder before(llvm::MachineInstr& pack, unsigned opcode, llvm::Register result) {
    const llvm::TargetInstrInfo& all = *pack.getMF()->getSubtarget().getInstrInfo();
    return llvm::BuildMI(*pack.getParent(), pack, pack.getDebugLoc(), all.get(opcode), result);
  }

  static inline char id_ = 0;
};

}  // namespace

llvm::MachineFunctionPass* pack_whole_registers() { return new PackWholeRegisters; }

}  // namespace clcuda::compiler
