// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/kernel_metadata.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>

#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/type_name.h"

namespace clcuda::compiler::spirv {
namespace {

// Address spaces as numbered in SPIR, which Clang writes for every target.
unsigned address_number(const Type& type, bool by_value) {
  if (type.is(TypeKind::image) || type.is(TypeKind::pipe)) return 1;
  if (!type.is(TypeKind::pointer) || by_value) return 0;
  switch (type.storage) {
    case StorageClass::CrossWorkgroup:
      return 1;
    case StorageClass::UniformConstant:
      return 2;
    case StorageClass::Workgroup:
      return 3;
    default:
      return 0;
  }
}

const char* access_name(const Type& type) {
  if (!type.access) return "none";
  switch (*type.access) {
    case AccessQualifier::ReadOnly:
      return "read_only";
    case AccessQualifier::WriteOnly:
      return "write_only";
    case AccessQualifier::ReadWrite:
      return "read_write";
  }
  return "none";
}

class Arguments {
 public:
  Arguments(ModuleReader& reader, const FunctionText& text) : reader_(reader), text_(text) {}

  // Without kernel_arg_name, since clGetKernelArgInfo answers for programs created from source only (section 5.9.4).
  void describe(llvm::Function& kernel) {
    std::vector<llvm::Metadata*> spaces, accesses, types, qualifiers;
    for (std::size_t i = 0; i < text_.parameters.size(); ++i) {
      const Type& type = *text_.type->members[i];
      auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(reader_.context()),
                                            address_number(type, is_by_value(i)));
      spaces.push_back(llvm::ConstantAsMetadata::get(number));
      accesses.push_back(text(access_name(type)));
      types.push_back(text(base_type(i)));
      qualifiers.push_back(text(qualifiers_of(i)));
    }
    set(kernel, "kernel_arg_addr_space", spaces);
    set(kernel, "kernel_arg_access_qual", accesses);
    set(kernel, "kernel_arg_type", types);
    set(kernel, "kernel_arg_base_type", types);
    set(kernel, "kernel_arg_type_qual", qualifiers);
  }

 private:
  llvm::Metadata* text(const std::string& text) { return llvm::MDString::get(reader_.context(), text); }
  void set(llvm::Function& kernel, const char* kind, llvm::ArrayRef<llvm::Metadata*> values) {
    kernel.setMetadata(kind, llvm::MDNode::get(reader_.context(), values));
  }

  bool has_attribute(std::size_t i, FunctionParameterAttribute attribute) const {
    const auto all = reader_.decorations().operands(text_.parameters[i], Decoration::FuncParamAttr);
    return std::ranges::find(all, static_cast<std::uint32_t>(attribute)) != all.end();
  }
  bool is_by_value(std::size_t i) const { return has_attribute(i, FunctionParameterAttribute::ByVal); }
  bool has(std::size_t i, Decoration decoration) const {
    return reader_.decorations().has(text_.parameters[i], decoration);
  }

  std::string base_type(std::size_t i) const {
    const Type& type = *text_.type->members[i];
    return type_name(is_by_value(i) && type.element ? *type.element : type);
  }

  std::string qualifiers_of(std::size_t i) const {
    const Type& type = *text_.type->members[i];
    std::string words;
    const auto add = [&](bool wanted, const char* word) {
      if (wanted) words += (words.empty() ? "" : " ") + std::string(word);
    };
    const bool is_pointer = type.is(TypeKind::pointer) && !is_by_value(i);
    add(is_pointer && (type.storage == StorageClass::UniformConstant ||
                       has_attribute(i, FunctionParameterAttribute::NoWrite)),
        "const");
    add(is_pointer && (has(i, Decoration::Restrict) || has_attribute(i, FunctionParameterAttribute::NoAlias)),
        "restrict");
    add(is_pointer && has(i, Decoration::Volatile), "volatile");
    add(type.is(TypeKind::pipe), "pipe");
    return words;
  }

  ModuleReader& reader_;
  const FunctionText& text_;
};

}  // namespace

void describe_kernel(ModuleReader& reader, const EntryPoint& entry, const FunctionText& text,
                     llvm::Function& kernel) {
  kernel.addFnAttr("uniform-work-group-size",
                   reader.unit().options.uniform_work_group_size ? "true" : "false");
  Arguments(reader, text).describe(kernel);
  apply_execution_modes(reader, entry, kernel);
}

}  // namespace clcuda::compiler::spirv
