// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/declarations.h"
#include "compiler/spirv/instruction.h"
#include "compiler/spirv/module_reader.h"

namespace clcuda::compiler::spirv {

bool read_debug(ModuleReader& reader, const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::Name:
      reader.set_name(instruction[0], instruction.text_at(1));
      return true;
    case Op::String:
      reader.add_string(instruction.result(), instruction.text_at(0));
      return true;
    // Who made the module, from what. Lines say nothing of what stands outside of functions.
    case Op::Source:
    case Op::SourceContinued:
    case Op::SourceExtension:
    case Op::MemberName:
    case Op::ModuleProcessed:
    case Op::Line:
    case Op::NoLine:
    case Op::Nop:
      return true;
    // Which accesses do not touch the same memory, in the scopes that LLVM's !alias.scope names. A module does not say where such a scope
    // begins, without which it cannot be told whether two turns of a loop are in one; so nothing is made of it.
    case Op::AliasDomainDeclINTEL:
    case Op::AliasScopeDeclINTEL:
    case Op::AliasScopeListDeclINTEL:
      return true;
    // Debug information that is made of extended instructions.
    case Op::ExtInst:
    case Op::ExtInstWithForwardRefsKHR:
      return reader.extended_set(instruction[0]) == ExtendedSet::ignored;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
