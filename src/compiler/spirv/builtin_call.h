// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "compiler/spirv/builtin_type.h"

namespace clcuda::compiler::spirv {

// An argument of a function of the OpenCL C library, with its type in OpenCL C.
struct BuiltinArgument {
  BuiltinType type;
  llvm::Value* value;
};

// What a builtin function does besides returning its result; determines the attributes of the call, which are those that Clang gives it.
enum class Effects : std::uint8_t {
  none,   // it is one of the mathematical kind
  reads,  // it reads memory or an image
  any
};

// Calls a function of the OpenCL C library, declared in the builder's module if need be:
//
//   call_builtin(builder, "fma", x->getType(), {number(x, Sign::with), number(y, Sign::with), number(z, Sign::with)}, Effects::none);
//
// Throws ProgramError if the arguments are not of their types, or if the library has no such overload: LLVM would not check what the module
// says.
llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, std::string_view name, llvm::Type* result,
                             std::span<const BuiltinArgument> arguments, Effects effects = Effects::any);
inline llvm::CallInst* call_builtin(llvm::IRBuilderBase& builder, std::string_view name, llvm::Type* result,
                                    std::initializer_list<BuiltinArgument> arguments,
                                    Effects effects = Effects::any) {
  return call_builtin(builder, name, result, std::span(arguments.begin(), arguments.size()), effects);
}
// The same for functions whose names Clang does not mangle: __read_pipe_2.
llvm::CallInst* call_plain_builtin(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::Type* result,
                                   std::span<const BuiltinArgument> arguments);
// Declares a function of the library by its mangled name. If the module has something else of that name which it does not export, that is
// renamed; otherwise throws ProgramError.
llvm::Function& declare_builtin(llvm::Module& module, llvm::StringRef name, llvm::FunctionType* type,
                                const llvm::AttributeList& attributes);
// True if the library has an overload for these types.
bool has_builtin(std::string_view name, std::span<const BuiltinArgument> arguments);

// The type in OpenCL C of a number or a vector of numbers; `sign` applies to integers. Throws ProgramError for other types.
BuiltinType number_type(llvm::Type* type, Sign sign);
inline BuiltinArgument number(llvm::Value* value, Sign sign) {
  return {number_type(value->getType(), sign), value};
}
// The type with the same element type and `count` elements: int4 and 2 give int2, and 1 gives int.
llvm::Type* with_elements(llvm::Type* type, unsigned count);
unsigned elements_of(llvm::Type* type);

// Conversions of operands whose exact types SPIR-V leaves open: to an integer of `bits` bits, to a pointer in the generic address space.
// Throw ProgramError if the value is no integer or no pointer.
llvm::Value* to_integer(llvm::IRBuilderBase& builder, llvm::Value* value, unsigned bits,
                        Sign sign = Sign::without);
llvm::Value* to_generic(llvm::IRBuilderBase& builder, llvm::Value* pointer);
// The address space of a pointer. Throws ProgramError if the value is none.
unsigned pointer_space(const llvm::Value* pointer);

}  // namespace clcuda::compiler::spirv
