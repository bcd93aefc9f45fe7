// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace llvm {
class LLVMContext;
class Type;
}  // namespace llvm

namespace clcuda::compiler::spirv {

enum class Sign : std::uint8_t { with, without };

// A parameter's type in OpenCL C, as Clang mangles it into the name of a builtin function. SPIR-V's types tell less: its integers have no
// sign. A pointer is described by what it points to and is_pointer.
//
//   pointer_to_constant(floating_point(32, 4), kGlobalSpace)    // const global float4*
struct BuiltinType {
  std::string_view base;  // as Clang writes it in a name: "f", "14ocl_image2d_ro", "12memory_order"
  unsigned elements = 1;
  bool is_atomic = false, is_constant = false, is_volatile = false;
  bool is_pointer = false;
  unsigned address_space = 0;  // of what is pointed to, NVPTX's number
};

// An integer of 8, 16, 32 or 64 bits, a floating-point number of 16, 32 or 64, or a vector of them.
BuiltinType integer(unsigned bits, Sign sign, unsigned elements = 1);
BuiltinType floating_point(unsigned bits, unsigned elements = 1);
// A type by its mangled name, which begins with its length if it is no fundamental type: named("11ocl_sampler").
constexpr BuiltinType named(std::string_view base) { return {.base = base}; }
constexpr BuiltinType pointer_to(BuiltinType type, unsigned address_space) {
  type.is_pointer = true;
  type.address_space = address_space;
  return type;
}
constexpr BuiltinType pointer_to_constant(BuiltinType type, unsigned address_space) {
  type.is_constant = true;
  return pointer_to(type, address_space);
}
constexpr BuiltinType pointer_to_atomic(BuiltinType type, unsigned address_space) {
  type.is_atomic = type.is_volatile = true;
  return pointer_to(type, address_space);
}

inline constexpr BuiltinType kSignedInt = named("i"), kUnsignedInt = named("j"), kSizeType = named("m"),
                             kVoidType = named("v"), kHalfType = named("Dh"), kFloatType = named("f"),
                             kMemoryOrderType = named("12memory_order"),
                             kMemoryScopeType = named("12memory_scope"),
                             kSamplerType = named("11ocl_sampler"), kEventType = named("9ocl_event"),
                             kDeviceEventType = named("12ocl_clkevent"), kQueueType = named("9ocl_queue"),
                             kReservationType = named("13ocl_reserveid");

// The name that Clang gives a function for NVPTX: mangled("vload4", {size_t, const global float*}) is _Z6vload4mPU3AS1Kf.
std::string mangled(std::string_view name, std::span<const BuiltinType> parameters);

// The LLVM type as which Clang passes it.
llvm::Type* llvm_type(const BuiltinType& type, llvm::LLVMContext& context);

}  // namespace clcuda::compiler::spirv
