// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Attributes.h>
#include <llvm/IR/Function.h>

#include "compiler/spirv/declarations.h"
#include "compiler/spirv/function_attributes.h"
#include "compiler/spirv/imported_intrinsic.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"
#include "compiler/spirv/symbols.h"

namespace clcuda::compiler::spirv {
namespace {

// Translates FuncParamAttr decorations to LLVM attributes.
class ParameterAttributes {
 public:
  // `may_be_result`: LLVM has sret for the first parameter of a function that returns nothing.
  ParameterAttributes(ModuleReader& reader, std::uint32_t id, const Type& type, bool may_be_result)
      : reader_(reader), id_(id), type_(type), may_be_result_(may_be_result), attributes_(reader.context()) {}

  const llvm::AttrBuilder& collect() {
    for (const std::uint32_t attribute : reader_.decorations().operands(id_, Decoration::FuncParamAttr))
      add(static_cast<FunctionParameterAttribute>(attribute));
    add_pointer_decorations();
    // LLVM takes one of each pair.
    using enum llvm::Attribute::AttrKind;
    for (const auto [kept, other] : {std::pair(ReadNone, ReadOnly), {ByVal, StructRet}, {ZExt, SExt}})
      if (attributes_.contains(kept)) attributes_.removeAttribute(other);
    if (type_.is(TypeKind::boolean)) attributes_.addAttribute(llvm::Attribute::ZExt);
    return attributes_;
  }

 private:
  void add(FunctionParameterAttribute attribute) {
    switch (attribute) {
      case FunctionParameterAttribute::Zext:
        if (type_.is(TypeKind::integer)) attributes_.addAttribute(llvm::Attribute::ZExt);
        return;
      case FunctionParameterAttribute::Sext:
        if (type_.is(TypeKind::integer)) attributes_.addAttribute(llvm::Attribute::SExt);
        return;
      case FunctionParameterAttribute::ByVal:
        require(is_private_structure(),
                "a parameter that is passed by value is no pointer to a private value");
        attributes_.addByValAttr(type_.element->memory);
        return align_structure();
      // In other cases the parameter for the result is an ordinary pointer.
      case FunctionParameterAttribute::Sret:
        if (!is_private_structure() || !may_be_result_) return;
        attributes_.addStructRetAttr(type_.element->memory);
        return align_structure();
      default:
        if (type_.is(TypeKind::pointer)) add_of_pointer(attribute);
    }
  }

  void add_of_pointer(FunctionParameterAttribute attribute) {
    if (attribute == FunctionParameterAttribute::NoAlias) attributes_.addAttribute(llvm::Attribute::NoAlias);
    if (attribute == FunctionParameterAttribute::NoCapture)
      attributes_.addCapturesAttr(llvm::CaptureInfo::none());
    if (attribute == FunctionParameterAttribute::NoWrite) attributes_.addAttribute(llvm::Attribute::ReadOnly);
    if (attribute == FunctionParameterAttribute::NoReadWrite)
      attributes_.addAttribute(llvm::Attribute::ReadNone);
  }

  bool is_private_structure() const {
    return type_.is(TypeKind::pointer) && type_.storage == StorageClass::Function && type_.element &&
           type_.element->memory && type_.element->memory->isSized();
  }
  void align_structure() {
    const llvm::Align natural = reader_.module().getDataLayout().getABITypeAlign(type_.element->memory);
    attributes_.addAlignmentAttr(std::max(natural, decorated_alignment(reader_, id_).valueOrOne()));
  }

  void add_pointer_decorations() {
    if (!type_.is(TypeKind::pointer)) return;
    if (reader_.decorations().has(id_, Decoration::Restrict))
      attributes_.addAttribute(llvm::Attribute::NoAlias);
    if (!attributes_.contains(llvm::Attribute::Alignment))
      attributes_.addAlignmentAttr(decorated_alignment(reader_, id_));
  }

  ModuleReader& reader_;
  std::uint32_t id_;
  const Type& type_;
  bool may_be_result_;
  llvm::AttrBuilder attributes_;
};

void add_control(std::uint32_t control, llvm::Function& function) {
  // Producers that did not optimise set OptNoneINTEL, and DontInline along with it. Whether this build optimises is for its own options to
  // decide, so both are ignored then.
  const bool is_unoptimized = control & FunctionControlMask::OptNoneINTEL;
  if ((control & FunctionControlMask::DontInline) && !is_unoptimized) {
    function.addFnAttr(llvm::Attribute::NoInline);
  } else if (control & FunctionControlMask::Inline) {
    function.addFnAttr(llvm::Attribute::InlineHint);
  }
  if (control & FunctionControlMask::Const) {
    function.setDoesNotAccessMemory();
  } else if (control & FunctionControlMask::Pure) {
    function.setOnlyReadsMemory();
  }
}

// Bodies are read later: an import is what define_as_clang_does() has not marked.
bool is_import(const llvm::Function& function) { return !function.doesNotRecurse(); }

// A module may import what it exports: both are one function.
llvm::Function& make_function(ModuleReader& reader, const FunctionText& text) {
  auto* type = llvm::cast<llvm::FunctionType>(text.type->value);
  const auto linkage = reader.decorations().linkage(text.id);
  if (linkage && linkage->type == LinkageType::Import && text.body.empty())
    if (llvm::Function* intrinsic = imported_intrinsic(reader.module(), linkage->name, type))
      return *intrinsic;
  const Symbol symbol = symbol_of(reader, text.id, type);
  require(symbol.is_import == text.body.empty(), "a function has a body, or is imported");
  llvm::Function* known = reader.module().getFunction(symbol.name);
  if (known && symbol.linkage != llvm::GlobalValue::InternalLinkage) {
    require(text.body.empty() || is_import(*known), "there is another function of that name");
    require(known->getFunctionType() == type, "a function of that name has another type");
    if (!text.body.empty()) known->setLinkage(symbol.linkage);
    return *known;
  }
  return *llvm::Function::Create(type, symbol.linkage, symbol.name, reader.module());
}

}  // namespace

void declare_function(ModuleReader& reader, FunctionText& text) {
  llvm::Function& function = make_function(reader, text);
  text.function = &function;
  // Another import of the same name has declared it.
  const bool is_known = text.body.empty() && function.isConvergent();
  if (function.isIntrinsic() || is_known) return reader.define(text.id, *text.type, &function);
  if (text.body.empty()) {
    declare_as_clang_does(function, false);
  } else {
    define_as_clang_does(reader, function);
  }
  for (unsigned i = 0; i < text.parameters.size(); ++i) {
    const bool may_be_result = i == 0 && text.type->element->is(TypeKind::void_type);
    function.addParamAttrs(
        i, ParameterAttributes(reader, text.parameters[i], *text.type->members[i], may_be_result).collect());
  }
  if (text.type->element->is(TypeKind::boolean)) function.addRetAttr(llvm::Attribute::ZExt);
  add_control(text.control, function);
  reader.define(text.id, *text.type, &function);
}

}  // namespace clcuda::compiler::spirv
