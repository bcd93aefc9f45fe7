// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/program_error.h"
#include "compiler/spirv/declarations.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"
#include "compiler/spirv/symbols.h"

namespace clcuda::compiler::spirv {
namespace {

// The common form of OpVariable and OpUntypedVariableKHR.
struct Variable {
  const Type& pointer;
  const Type* pointee;
  StorageClass storage;
  std::uint32_t initializer;  // 0: none
};

Variable describe(ModuleReader& reader, const Instruction& in) {
  const Type& pointer = reader.type(in.type());
  require(pointer.is(TypeKind::pointer), "its type is no pointer");
  const bool is_untyped = in.op() == Op::UntypedVariableKHR;
  const Type* pointee = is_untyped && in.size() > 1 ? &reader.type(in[1]) : pointer.element;
  const std::size_t at = is_untyped ? 2 : 1;
  const Variable variable{pointer, pointee, static_cast<StorageClass>(in[0]), in.size() > at ? in[at] : 0};
  require(variable.storage == pointer.storage, "its type has another storage class");
  require(pointee, "what lies in it is not known");
  return variable;
}

llvm::Constant* initial_value(const ModuleReader& reader, const Variable& variable) {
  llvm::Type* type = variable.pointee->memory;
  if (variable.storage == StorageClass::Workgroup) {
    // Producers write OpConstantNull, also where they mean an undefined value. A pass clears the variable (clear_local_variables.h).
    const llvm::Constant* given = variable.initializer ? &reader.constant(variable.initializer) : nullptr;
    if (!given || llvm::isa<llvm::UndefValue>(given)) return llvm::UndefValue::get(type);
    require(given->isNullValue(), "local memory has no initial value but zero");
    return llvm::Constant::getNullValue(type);
  }
  if (variable.initializer == 0) return llvm::Constant::getNullValue(type);
  llvm::Constant& constant = reader.constant(variable.initializer);
  // The type is compared by SPIR-V type: in LLVM IR, a constant pointer to a variable is the variable itself.
  require(reader.find(variable.initializer)->type->value == variable.pointee->value,
          "its initial value has another type");
  return in_memory(&constant, *variable.pointee);
}

llvm::Constant& literal_sampler(const ModuleReader& reader, std::uint32_t id) {
  llvm::Constant& constant = reader.constant(id);
  require(reader.find(id)->type->is(TypeKind::sampler) && llvm::isa<llvm::ConstantInt>(constant),
          "its initial value is no literal sampler");
  return constant;
}

void make_variable(ModuleReader& reader, const Instruction& in, const Variable& variable) {
  const bool is_local = variable.storage == StorageClass::Workgroup;
  require(variable.pointee->memory && variable.pointee->memory->isSized(), "what lies in it has no size");
  auto symbol = symbol_of(reader, in.result());
  // If no module exports it, each import is a variable of its module.
  if (is_local && symbol.is_import) symbol.linkage = llvm::GlobalValue::WeakAnyLinkage;
  require(symbol.linkage == llvm::GlobalValue::InternalLinkage || !reader.module().getNamedValue(symbol.name),
          "there is a function of that name");
  require(!symbol.is_import || is_local || variable.initializer == 0,
          "an imported variable has no initial value");
  const bool is_declaration = symbol.is_import && !is_local;
  const bool is_constant = variable.storage == StorageClass::UniformConstant ||
                           reader.decorations().has(in.result(), Decoration::Constant);
  auto* global = new llvm::GlobalVariable(
      reader.module(), variable.pointee->memory, is_constant, symbol.linkage,
      is_declaration ? nullptr : initial_value(reader, variable), symbol.name, nullptr,
      llvm::GlobalVariable::NotThreadLocal, address_space_of(variable.storage));
  const auto wanted = reader.decorations().operand(in.result(), Decoration::Alignment);
  // At least the natural one, on which accesses without Aligned rely.
  global->setAlignment(std::max(wanted ? checked_alignment(*wanted) : llvm::Align(),
                                reader.module().getDataLayout().getABITypeAlign(variable.pointee->memory)));
  global->setDSOLocal(true);
  reader.define(in.result(), variable.pointer, global);
}

}  // namespace

bool read_global(ModuleReader& reader, const Instruction& in) {
  if (in.op() != Op::Variable && in.op() != Op::UntypedVariableKHR) return false;
  const Variable variable = describe(reader, in);
  switch (variable.storage) {
    case StorageClass::Input:
      require(reader.decorations().has(in.result(), Decoration::BuiltIn),
              "a kernel's inputs are built-in variables");
      reader.define_built_in(in.result(), variable.pointer, *variable.pointee);
      return true;
    case StorageClass::UniformConstant:
      // A variable that holds a literal sampler: a load of it yields the sampler.
      if (variable.pointee->is(TypeKind::sampler)) {
        reader.define(in.result(), variable.pointer, &literal_sampler(reader, variable.initializer));
        return true;
      }
      break;
    case StorageClass::CrossWorkgroup:
    case StorageClass::Workgroup:
      break;
    default:
      refuse("there are no variables of storage class " + name_of(variable.storage) +
             " outside of functions");
  }
  make_variable(reader, in, variable);
  return true;
}

void align_variables(ModuleReader& reader) {
  for (const auto& [id, value] : reader.values()) {
    auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(value.value);
    if (!variable || !reader.decorations().has(id, Decoration::AlignmentId)) continue;
    try {
      variable->setAlignment(
          std::max(variable->getAlign().valueOrOne(), decorated_alignment(reader, id).valueOrOne()));
    } catch (const ProgramError& error) {
      refuse("error: SPIR-V variable %" + std::to_string(id) + ": " + error.reason);
    }
  }
}

}  // namespace clcuda::compiler::spirv
