// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "compiler/spirv/builtin_type.h"

namespace clcuda::compiler::spirv {

struct BuiltinArgument {
  BuiltinType type;
  llvm::Value* value;
};

// What a builtin function does besides giving its result, as Clang notes it at calls.
enum class Effects : std::uint8_t {
  none,   // it is one of the mathematical kind
  reads,  // it reads memory or an image
  any
};

// Calls one of the OpenCL C library's functions. Refuses arguments that are not of their types, and a
// function that the library does not have for these types: nothing that a module says reaches LLVM unseen.
llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, std::string_view name, llvm::Type* result,
                             std::span<const BuiltinArgument> arguments, Effects effects = Effects::any);
inline llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, std::string_view name, llvm::Type* result,
                                    std::initializer_list<BuiltinArgument> arguments,
                                    Effects effects = Effects::any) {
  return call_builtin(builder, name, result, std::span(arguments.begin(), arguments.size()), effects);
}
// The same for functions whose names Clang leaves alone: __read_pipe_2.
llvm::CallInst* call_plain_builtin(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                                   std::span<const BuiltinArgument> arguments);
// A function of the library, declared. What the module has of that name for itself gets another; refuses
// where it cannot.
llvm::Function& declare_builtin(llvm::Module& module, llvm::StringRef name, llvm::FunctionType* type,
                                const llvm::AttributeList& attributes);
// Whether the library has it.
bool has_builtin(std::string_view name, std::span<const BuiltinArgument> arguments);

// The type of a number or a vector of numbers as a parameter, integers with this sign. Refuses other types.
BuiltinType number_type(llvm::Type* type, Sign sign);
inline BuiltinArgument number(llvm::Value* value, Sign sign) {
  return {number_type(value->getType(), sign), value};
}
// One element more or less of the same type: int4 and 2 is int2.
llvm::Type* with_elements(llvm::Type* type, unsigned count);
unsigned elements_of(llvm::Type* type);

// Conversions of operands whose types SPIR-V leaves open. They refuse what is none of the named kind.
llvm::Value* to_integer(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned bits,
                        Sign sign = Sign::without);
llvm::Value* to_generic(llvm::IRBuilderBase& builder, llvm::Value* pointer);
// A pointer's address space.
unsigned pointer_space(const llvm::Value* pointer);

}  // namespace clcuda::compiler::spirv
