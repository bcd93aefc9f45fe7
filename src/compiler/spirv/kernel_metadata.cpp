// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/kernel_metadata.h"

#include <llvm/ADT/StringRef.h>
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

// A producer's description of a kernel's parameters, "kernel_arg_type.NAME.int*,float,". Empty if the module has none.
std::vector<std::string> told_of(const ModuleReader& reader, const std::string& kind,
                                 const std::string& kernel) {
  const std::string prefix = kind + "." + kernel + ".";
  for (const auto& [id, text] : reader.strings()) {
    if (!text.starts_with(prefix)) continue;
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(text).drop_front(prefix.size()).split(parts, ',');
    return {parts.begin(), parts.end()};
  }
  return {};
}

class Arguments {
 public:
  Arguments(ModuleReader& reader, const EntryPoint& entry, const FunctionText& text)
      : reader_(reader),
        text_(text),
        types_(told_of(reader, "kernel_arg_type", entry.name)),
        qualifiers_(told_of(reader, "kernel_arg_type_qual", entry.name)) {}

  void describe(llvm::Function& kernel) {
    std::vector<llvm::Metadata*> spaces, accesses, types, base_types, qualifiers, names;
    for (std::size_t i = 0; i < text_.parameters.size(); ++i) {
      const Type& type = *text_.type->members[i];
      auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(reader_.context()),
                                            address_number(type, is_by_value(i)));
      spaces.push_back(llvm::ConstantAsMetadata::get(number));
      accesses.push_back(text(access_name(type)));
      types.push_back(text(i < types_.size() && !types_[i].empty() ? types_[i] : base_type(i)));
      base_types.push_back(text(base_type(i)));
      qualifiers.push_back(text(qualifiers_of(i)));
      names.push_back(text(reader_.name(text_.parameters[i])));
    }
    set(kernel, "kernel_arg_addr_space", spaces);
    set(kernel, "kernel_arg_access_qual", accesses);
    set(kernel, "kernel_arg_type", types);
    set(kernel, "kernel_arg_base_type", base_types);
    set(kernel, "kernel_arg_type_qual", qualifiers);
    if (are_named()) set(kernel, "kernel_arg_name", names);
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
    std::string words = i < qualifiers_.size() ? qualifiers_[i] : std::string();
    const auto add = [&](bool wanted, const char* word) {
      if (wanted && (" " + words + " ").find(std::string(" ") + word + " ") == std::string::npos)
        words += (words.empty() ? "" : " ") + std::string(word);
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

  // Whether argument names are described: if the build options ask for it, or the module has them.
  bool are_named() const {
    return reader_.unit().options.kernel_argument_info || !types_.empty() ||
           std::ranges::any_of(text_.parameters, [&](std::uint32_t id) { return !reader_.name(id).empty(); });
  }

  ModuleReader& reader_;
  const FunctionText& text_;
  std::vector<std::string> types_, qualifiers_;
};

}  // namespace

void describe_kernel(ModuleReader& reader, const EntryPoint& entry, const FunctionText& text,
                     llvm::Function& kernel) {
  kernel.addFnAttr("uniform-work-group-size",
                   reader.unit().options.uniform_work_group_size ? "true" : "false");
  Arguments(reader, entry, text).describe(kernel);
  apply_execution_modes(reader, entry, kernel);
}

}  // namespace clcuda::compiler::spirv
