// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/spirv/blocks.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/instruction.h"
#include "compiler/spirv/math_flags.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"
#include "compiler/spirv/type.h"

namespace clcuda::compiler::spirv {

// Reads a function's body into an LLVM function. Families of instructions are read by functions that take this class and one instruction
// (families.h):
//
//   case Op::FNegate: {
//     llvm::Value* operand = reader.value(in[0]);
//     require(operand->getType()->isFPOrFPVectorTy(), "its operand is no floating-point value");
//     reader.define(in, reader.builder().CreateFNeg(operand));
//     return true;
//   }
//
// LLVM does not check the operands of what it builds, so a family checks their types first. define() checks that the result has the type
// that the instruction names. Throws ProgramError for what is malformed or not supported.
class FunctionReader {
 public:
  // `id`: the function's in the module; 0 if it has none.
  FunctionReader(ModuleReader& module, llvm::Function& function, std::uint32_t id = 0);

  // The whole body.
  void run(const FunctionText& text);
  // Reads one instruction without checking its operands by the grammar: for OpSpecConstantOp (folded_constant.h).
  void read(const Instruction& instruction);

  ModuleReader& module() { return module_; }
  llvm::Function& function() { return function_; }
  std::uint32_t id() const { return id_; }
  llvm::LLVMContext& context() { return function_.getContext(); }
  // Positioned at the end of the current block. A family may make further blocks and leave it at the end of another one.
  llvm::IRBuilder<>& builder() { return builder_; }
  Blocks& blocks() { return blocks_; }

  // The value of an id; throws ProgramError if it has none. A literal sampler is made anew for each use, as Clang does. The pointer to a
  // built-in variable is that of a private copy.
  llvm::Value* value(std::uint32_t id);
  // The value's type in the module.
  const Type& type_of(std::uint32_t id) const;
  const Type& type(std::uint32_t id) const { return module_.type(id); }
  // Null for ids that are no values.
  const Value* find(std::uint32_t id) const;
  // An integer constant's value; nothing for any other value.
  std::optional<std::uint64_t> integer(std::uint32_t id) const;

  // Defines the instruction's result; throws ProgramError if it is not of the type that the instruction names.
  void define(const Instruction& instruction, llvm::Value* result);
  void define(std::uint32_t id, const Type& type, llvm::Value* result);

  // Convert between a value and its form in memory (Type::memory), where a boolean takes a byte.
  llvm::Value* to_memory(llvm::Value* value, const Type& type);
  llvm::Value* from_memory(llvm::Value* value, const Type& type);

  // Makes a phi. Its values may be defined later, so they are added at the end of run().
  void add_phi(const Instruction& instruction);

  // The flags of a floating-point operation, by the type of its first operand.
  llvm::FastMathFlags math_flags(const Instruction& instruction);

  // A private variable, allocated at the start of the function.
  llvm::AllocaInst* allocate(llvm::Type* type, llvm::Align alignment);

  // Reads a load of a literal sampler from a variable; false for other loads.
  bool load_sampler(const Instruction& load);

  // Declares a function as Clang declares those of OpenCL C: convergent and nounwind. `pure`: its result depends on its arguments alone.
  // Throws ProgramError if the module has something else of that name.
  llvm::FunctionCallee declare(llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Type*> parameters, bool pure);
  llvm::CallInst* call(llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value*> arguments);
  // Both at once; the parameters have the types of the arguments.
  llvm::CallInst* call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                       bool pure);

  // What a pointer to a built-in variable or its component points to (built_in.h).
  struct BuiltInUse {
    BuiltIn variable;
    const Type* type;  // of the whole variable
    llvm::Value* component = nullptr;
  };
  std::optional<BuiltInUse> built_in(std::uint32_t pointer) const;
  void define_built_in(const Instruction& instruction, BuiltInUse use);
  // The address of a private copy of the variable, or of the component in it.
  llvm::Value* address(const BuiltInUse& use);
  // The built-in variable whose three components a loaded vector has.
  std::optional<BuiltIn> loaded_built_in(std::uint32_t vector) const;
  void note_loaded_built_in(std::uint32_t vector, BuiltIn variable) { loaded_built_ins_[vector] = variable; }

  // The alignment of a pointer, if it is less than that of its pointee's type (members of packed structures).
  void set_alignment(std::uint32_t pointer, llvm::Align alignment) { alignments_[pointer] = alignment; }
  // For a pointer that is made of another one, or is one of several.
  void take_alignment(const Instruction& instruction, std::initializer_list<std::uint32_t> pointers);
  std::optional<llvm::Align> alignment(std::uint32_t pointer) const;

 private:
  struct Phi {
    Instruction instruction;
    llvm::PHINode* node;
  };

  // Computes the constants that the body uses and that LLVM has none for (ModuleReader::postpone()), at the start of the function.
  void compute_constants(const FunctionText& text);
  void complete_phi(const Phi& phi);
  std::function<std::optional<std::uint32_t>(std::uint32_t)> width_in(const FunctionText& text) const;
  llvm::Value* make_sampler(llvm::ConstantInt& number);

  ModuleReader& module_;
  llvm::Function& function_;
  std::uint32_t id_;
  llvm::IRBuilder<> builder_;
  Blocks blocks_;
  MathFlags math_flags_;
  std::vector<Phi> phis_;
  std::unordered_map<std::uint32_t, Value> values_;
  std::unordered_map<std::uint32_t, BuiltInUse> built_ins_;
  std::unordered_map<std::uint32_t, BuiltIn> loaded_built_ins_;
  std::unordered_map<BuiltIn, llvm::AllocaInst*> built_in_copies_;
  std::unordered_map<std::uint32_t, llvm::Align> alignments_;
};

}  // namespace clcuda::compiler::spirv
