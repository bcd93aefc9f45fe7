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
    // The producer and source of the module. Lines outside functions are ignored.
    case Op::Source:
    case Op::SourceContinued:
    case Op::SourceExtension:
    case Op::MemberName:
    case Op::ModuleProcessed:
    case Op::Line:
    case Op::NoLine:
    case Op::Nop:
      return true;
    // Alias scopes, which LLVM's !alias.scope represents. They are ignored, because a module does not say where a scope begins, and so
    // whether two iterations of a loop are in the same one.
    case Op::AliasDomainDeclINTEL:
    case Op::AliasScopeDeclINTEL:
    case Op::AliasScopeListDeclINTEL:
      return true;
    // Debug information in the form of extended instructions.
    case Op::ExtInst:
    case Op::ExtInstWithForwardRefsKHR:
      return reader.extended_set(instruction[0]) == ExtendedSet::ignored;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
