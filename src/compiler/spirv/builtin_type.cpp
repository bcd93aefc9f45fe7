// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/builtin_type.h"

#include <llvm/IR/DerivedTypes.h>

#include <algorithm>
#include <vector>

#include "compiler/passes/address_spaces.h"

namespace clcuda::compiler::spirv {
namespace {

// Compression of the Itanium ABI: a component that has occurred before is written as its number. Basic types, which are single letters, are
// not components.
class Name {
 public:
  explicit Name(std::string_view function) : text_("_Z" + std::to_string(function.size())) {
    text_ += function;
  }
  std::string take() { return std::move(text_); }

  void add(const BuiltinType& type) {
    if (type.is_pointer)
      component("P" + qualified_text(type), "P", [&] { add_qualified(type); });
    else
      add_unqualified(type);
  }

 private:
  static bool is_basic(std::string_view base) { return base.front() < '0' || base.front() > '9'; }

  static std::string vector_prefix(const BuiltinType& type) {
    return type.elements == 1 ? std::string() : "Dv" + std::to_string(type.elements) + "_";
  }
  static std::string unqualified_text(const BuiltinType& type) {
    return (type.is_atomic ? "U7_Atomic" : "") + vector_prefix(type) + std::string(type.base);
  }
  static std::string qualifiers(const BuiltinType& type) {
    std::string text;
    if (type.address_space != kGenericSpace) text += "U3AS" + std::to_string(type.address_space);
    if (type.is_volatile) text += 'V';
    if (type.is_constant) text += 'K';
    return text;
  }
  // A pointee always has an address space. The generic one does not appear in the name, but still makes the pointee a component of its own,
  // which the star distinguishes here.
  static std::string qualified_text(const BuiltinType& type) {
    return "*" + qualifiers(type) + unqualified_text(type);
  }

  void add_qualified(const BuiltinType& type) {
    component(qualified_text(type), qualifiers(type), [&] { add_unqualified(type); });
  }
  void add_unqualified(const BuiltinType& type) {
    if (type.is_atomic)
      component(unqualified_text(type), "U7_Atomic", [&] { add_value(type); });
    else
      add_value(type);
  }
  void add_value(const BuiltinType& type) {
    if (type.elements == 1 && is_basic(type.base))
      text_ += type.base;
    else
      component(vector_prefix(type) + std::string(type.base), vector_prefix(type) + std::string(type.base),
                [] {});
  }

  template <class Rest>
  void component(const std::string& whole, std::string_view first, Rest add_rest) {
    const auto known = std::ranges::find(components_, whole);
    if (known != components_.end()) return reuse(static_cast<std::size_t>(known - components_.begin()));
    text_ += first;
    add_rest();
    components_.push_back(whole);
  }

  // S_, S0_, S1_ …; no builtin function has so many components that two digits are needed.
  void reuse(std::size_t number) {
    text_ += 'S';
    if (number > 0) text_ += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number - 1];
    text_ += '_';
  }

  std::string text_;
  std::vector<std::string> components_;
};

}  // namespace

BuiltinType integer(unsigned bits, Sign sign, unsigned elements) {
  const bool with = sign == Sign::with;
  const std::string_view base = bits == 8    ? (with ? "c" : "h")
                                : bits == 16 ? (with ? "s" : "t")
                                : bits == 32 ? (with ? "i" : "j")
                                             : (with ? "l" : "m");
  return {.base = base, .elements = elements};
}

BuiltinType floating_point(unsigned bits, unsigned elements) {
  return {.base = bits == 16 ? "Dh" : bits == 32 ? "f" : "d", .elements = elements};
}

std::string mangled(std::string_view name, std::span<const BuiltinType> parameters) {
  Name result(name);
  if (parameters.empty()) result.add(kVoidType);
  for (const BuiltinType& parameter : parameters) result.add(parameter);
  return result.take();
}

llvm::Type* llvm_type(const BuiltinType& type, llvm::LLVMContext& context) {
  const auto number = [&]() -> llvm::Type* {
    switch (type.base.front()) {
      case 'v':
        return llvm::Type::getVoidTy(context);
      case 'b':
        return llvm::Type::getInt1Ty(context);
      case 'c':
      case 'h':
        return llvm::Type::getInt8Ty(context);
      case 's':
      case 't':
        return llvm::Type::getInt16Ty(context);
      case 'i':
      case 'j':
        return llvm::Type::getInt32Ty(context);
      case 'l':
      case 'm':
        return llvm::Type::getInt64Ty(context);
      case 'D':
        return llvm::Type::getHalfTy(context);
      case 'f':
        return llvm::Type::getFloatTy(context);
      case 'd':
        return llvm::Type::getDoubleTy(context);
      default:
        return nullptr;
    }
  };
  if (type.is_pointer) return llvm::PointerType::get(context, type.address_space);
  if (type.base.starts_with("12memory_")) return llvm::Type::getInt32Ty(context);
  if (type.base == kSamplerType.base) return llvm::PointerType::get(context, kConstantSpace);
  if (type.base.find("ocl_image") != std::string_view::npos)
    return llvm::PointerType::get(context, kGlobalSpace);
  llvm::Type* element = number();
  if (!element) return llvm::PointerType::get(context, kGenericSpace);
  return type.elements == 1 ? element : llvm::FixedVectorType::get(element, type.elements);
}

}  // namespace clcuda::compiler::spirv
