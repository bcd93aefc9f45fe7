// SPDX-License-Identifier: Apache-2.0
// bra brx call ret exit trap
#include "ptx/abi/device_runtime.h"
#include "ptx/translate/function_translator.h"
#include "ptx/translate/markers.h"

namespace clcuda::ptx {

void FunctionTranslator::branch(const Instruction& in) {
  llvm::BasicBlock* to = labels_[in.operands[0].index];
  auto* next = llvm::BasicBlock::Create(target_.getContext(), "next", &target_);
  if (in.guard) {
    llvm::Value* condition = builder_.CreateLoad(builder_.getInt1Ty(), registers_[in.guard->reg]);
    if (in.guard->negated)
      builder_.CreateCondBr(condition, next, to);
    else
      builder_.CreateCondBr(condition, to, next);
  } else {
    builder_.CreateBr(to);
  }
  builder_.SetInsertPoint(next);
}

void FunctionTranslator::branch_indexed(const Instruction& in) {
  const auto& targets = source_.targets[in.operands[1].index];
  llvm::Value* index = read(in, 0, unsigned_type(32));
  // An index beyond the list is undefined in PTX; here it selects the first entry.
  auto* choice =
      builder_.CreateSwitch(index, labels_[targets.front()], static_cast<unsigned>(targets.size()));
  for (std::size_t i = 0; i < targets.size(); ++i)
    choice->addCase(builder_.getInt32(static_cast<std::uint32_t>(i)), labels_[targets[i]]);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(target_.getContext(), "next", &target_));
}

// Arguments are passed by address: that of a .param variable, or of a copy of a register or immediate.
llvm::Value* FunctionTranslator::pass_argument(const Instruction& in, const Operand& operand,
                                               const Variable& parameter, bool result) {
  if (operand.kind == Operand::Kind::variable) {
    if (variable(operand.index).bytes() < parameter.bytes())
      refuse(in, "'" + operand.name + "' is smaller than the parameter");
    if (llvm::Value* place = variables_.at(operand.index)) return place;
    refuse(in, "'" + operand.name + "' cannot be passed");
  }
  const Type type = parameter.type == kPredicateType ? bits_type(8) : parameter.type;
  auto* copy = new_alloca(builder_.getIntNTy(std::max(8u, type.total_bits())), llvm::Align(8), "argument");
  if (!result) builder_.CreateStore(read_bits(in, operand, type.total_bits()), copy);
  return copy;
}

// Appends to `arguments` the addresses of the results, then those of the parameters.
void FunctionTranslator::pass_arguments(const Instruction& in, const std::vector<Variable>& results,
                                        const std::vector<Variable>& parameters,
                                        std::vector<llvm::Value*>& arguments) {
  if (results.size() != in.results.size() || parameters.size() != in.arguments.size())
    refuse(in, "call with another number of parameters than the function has");
  for (std::size_t i = 0; i < results.size(); ++i)
    arguments.push_back(pass_argument(in, in.results[i], results[i], true));
  for (std::size_t i = 0; i < parameters.size(); ++i)
    arguments.push_back(pass_argument(in, in.arguments[i], parameters[i], false));
}

const Function& FunctionTranslator::function_named(const Instruction& in, const std::string& name) const {
  const Symbol* symbol = program_.layout().find(unit_, name);
  if (!symbol || !symbol->function || symbol->function->entry)
    refuse(in, "call of something that is no function");
  return *symbol->function;
}

void FunctionTranslator::call_through_pointer(const Instruction& in) {
  const auto call = [&](const auto& signature) {
    llvm::Value* address = read_bits(in, in.operands[0], 64);
    call_function(in,
                  program_.function_table().find(builder_, address, signature.results, signature.parameters),
                  signature.results, signature.parameters);
  };
  const Prototype& prototype = source_.prototypes.at(in.prototype - 1);
  if (prototype.targets.empty()) return call(prototype);
  call(function_named(in, prototype.targets.front()));
}

void FunctionTranslator::call(const Instruction& in) {
  const Operand& callee = in.operands[0];
  if (in.prototype && callee.kind == Operand::Kind::reg) return call_through_pointer(in);
  const Function& function =
      function_named(in, callee.kind == Operand::Kind::symbol ? callee.name : std::string());
  if (!function.has_body && is_device_runtime_function(callee.name)) return call_device_runtime(in, function);
  if (!function.has_body) refuse(in, "function '" + callee.name + "' is not defined in the program");
  call_function(in, program_.function(&function), function.results, function.parameters);
}

void FunctionTranslator::call_function(const Instruction& in, llvm::Value* function,
                                       const std::vector<Variable>& results,
                                       const std::vector<Variable>& parameters) {
  constexpr unsigned kCommon = ProgramDeclarations::kCommonParameters;
  std::vector<llvm::Value*> arguments;
  for (unsigned i = 0; i < kCommon; ++i) arguments.push_back(target_.getArg(i));
  pass_arguments(in, results, parameters, arguments);
  builder_.CreateCall(ProgramDeclarations::signature(target_.getContext(), arguments.size() - kCommon),
                      function, arguments);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Operand& result = in.results[i];
    if (result.kind != Operand::Kind::reg) continue;
    llvm::Type* type = builder_.getIntNTy(std::max(8u, results[i].type.total_bits()));
    const unsigned width = registers_[result.index]->getAllocatedType()->getIntegerBitWidth();
    write(result, resize(builder_.CreateLoad(type, arguments[kCommon + i]), width));
  }
}

// Calls the executor's implementation. Parameters are passed by address, as for other functions.
void FunctionTranslator::call_device_runtime(const Instruction& in, const Function& function) {
  std::vector<llvm::Value*> arguments{target_.getArg(0)};
  pass_arguments(in, function.results, function.parameters, arguments);
  call_runtime(function.name.c_str(), builder_.getVoidTy(), arguments, false);
}

void FunctionTranslator::return_(const Instruction&) {
  // Results in registers are stored to the addresses that the caller passed.
  unsigned reg = 0;
  for (std::size_t i = 0; i < source_.results.size(); ++i) {
    if (source_.results[i].space != Space::reg || !variables_[i]) continue;
    llvm::AllocaInst* place = registers_[reg++];
    builder_.CreateStore(builder_.CreateLoad(place->getAllocatedType(), place), variables_[i]);
  }
  builder_.CreateRetVoid();
  builder_.SetInsertPoint(llvm::BasicBlock::Create(target_.getContext(), "next", &target_));
}

void FunctionTranslator::exit_(const Instruction&) {
  if (source_.entry) {
    builder_.CreateRetVoid();
  } else {
    call_runtime(kExitMarker, builder_.getVoidTy(), {}, false);
    builder_.CreateUnreachable();
  }
  builder_.SetInsertPoint(llvm::BasicBlock::Create(target_.getContext(), "next", &target_));
}

void FunctionTranslator::trap_(const Instruction&) {
  auto* call = llvm::cast<llvm::CallInst>(call_runtime("clcuda_trap", builder_.getVoidTy(), {}, false));
  call->setDoesNotReturn();
  builder_.CreateUnreachable();
  builder_.SetInsertPoint(llvm::BasicBlock::Create(target_.getContext(), "next", &target_));
}

}  // namespace clcuda::ptx
