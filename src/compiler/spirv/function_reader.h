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
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"
#include "compiler/spirv/type.h"

namespace clcuda::compiler::spirv {

// Reads a function's body. The instructions are read by families (families.h), functions that take this class
// and one instruction:
//
//   case Op::FNegate: {
//     llvm::Value* operand = reader.value(in[0]);
//     require(operand->getType()->isFPOrFPVectorTy(), "its operand is no floating-point value");
//     reader.define(in, reader.builder().CreateFNeg(operand));
//     return true;
//   }
//
// LLVM does not check what it is told to build, so that a family looks at the types of its operands before it
// builds anything. Whether a result has the type that the instruction names, define() checks.
class FunctionReader {
 public:
  // `id`: of the function in the module; 0: it has none.
  FunctionReader(ModuleReader& module, llvm::Function& function, std::uint32_t id = 0);

  // The whole body.
  void run(const FunctionText& text);
  // A single instruction, without the check of its operands by the grammar: for constants that are made by an
  // instruction.
  void read(const Instruction& instruction);

  ModuleReader& module() { return module_; }
  llvm::Function& function() { return function_; }
  std::uint32_t id() const { return id_; }
  llvm::LLVMContext& context() { return function_.getContext(); }
  // Stands at the end of the current block. Families may make blocks of their own and go on in another.
  llvm::IRBuilder<>& builder() { return builder_; }
  Blocks& blocks() { return blocks_; }

  // The value of an id; refuses what is none. A literal sampler is made anew for each use, as Clang does it.
  llvm::Value* value(std::uint32_t id);
  // Its type in the module: with pointees, signs, traits of images.
  const Type& type_of(std::uint32_t id) const;
  const Type& type(std::uint32_t id) const { return module_.type(id); }
  // Null for ids that are no values.
  const Value* find(std::uint32_t id) const;
  // An integer constant's value; nothing for any other value.
  std::optional<std::uint64_t> integer(std::uint32_t id) const;

  // The result, which has to be of the type that the instruction names.
  void define(const Instruction& instruction, llvm::Value* result);
  void define(std::uint32_t id, const Type& type, llvm::Value* result);

  // Between a value and what lies in memory (Type::memory): booleans take a byte there.
  llvm::Value* to_memory(llvm::Value* value, const Type& type);
  llvm::Value* from_memory(llvm::Value* value, const Type& type);

  // A phi, whose values may be defined further down: they are added once all blocks are there.
  void add_phi(const Instruction& instruction);

  // An instruction at the start of the function, where variables are made.
  llvm::AllocaInst* allocate(llvm::Type* type, llvm::Align alignment);

  // A load of a literal sampler that lies in a variable; false for other loads.
  bool load_sampler(const Instruction& load);

  // A function by its name, declared as Clang declares those of OpenCL C: convergent, without exceptions;
  // `pure` if its result depends on nothing but its arguments. Refuses a name that the module has for
  // something else.
  llvm::FunctionCallee declare(llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Type*> parameters, bool pure);
  llvm::CallInst* call(llvm::FunctionCallee callee, llvm::ArrayRef<llvm::Value*> arguments);
  // Both at once, the parameters' types being those of the arguments.
  llvm::CallInst* call(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                       bool pure);

  // Built-in variables, and what access chains have made of them: which, and the component if it is one.
  struct BuiltInUse {
    BuiltIn variable;
    llvm::Value* component = nullptr;
  };
  std::optional<BuiltInUse> built_in(std::uint32_t pointer) const;
  void define_built_in(const Instruction& instruction, BuiltInUse use);

  // How a pointer is known to be aligned, where that is less than what its pointee's type says (structures
  // without padding).
  void set_alignment(std::uint32_t pointer, llvm::Align alignment) { alignments_[pointer] = alignment; }
  std::optional<llvm::Align> alignment(std::uint32_t pointer) const;

 private:
  struct Phi {
    Instruction instruction;
    llvm::PHINode* node;
  };

  void complete_phi(const Phi& phi);
  std::function<std::optional<std::uint32_t>(std::uint32_t)> width_in(const FunctionText& text) const;
  llvm::Value* make_sampler(llvm::ConstantInt& number);

  ModuleReader& module_;
  llvm::Function& function_;
  std::uint32_t id_;
  llvm::IRBuilder<> builder_;
  Blocks blocks_;
  std::vector<Phi> phis_;
  std::unordered_map<std::uint32_t, Value> values_;
  std::unordered_map<std::uint32_t, BuiltInUse> built_ins_;
  std::unordered_map<std::uint32_t, llvm::Align> alignments_;
};

}  // namespace clcuda::compiler::spirv
