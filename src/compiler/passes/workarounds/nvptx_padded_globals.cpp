// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/nvptx_padded_globals.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include "compiler/parts_of_types.h"

namespace clcuda::compiler {
namespace {

// Converts types and values for NVPTX: a type that it would declare too short, or a value that it would write without padding, becomes a
// packed structure with the padding as bytes.
class Layout {
 public:
  explicit Layout(const llvm::DataLayout& layout)
      : layout_(layout), padded_([this](const llvm::Type* type) { return is_padded_vector(*type); }) {}
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  bool is_lost(const llvm::Type* type) { return padded_.are_in(type); }

  llvm::Constant* explicit_value(llvm::Constant* value) {
    known_.clear();  // replacing a variable destroys constants
    return explicit_part(value);
  }

 private:
  bool is_padded_vector(const llvm::Type& type) const {
    auto* vector = const_cast<llvm::Type*>(&type);
    return vector->isVectorTy() && layout_.getTypeStoreSize(vector) != layout_.getTypeAllocSize(vector);
  }

  // A value that occurs in several places is converted once.
  llvm::Constant* explicit_part(llvm::Constant* value) {
    if (!is_lost(value->getType())) return value;
    if (llvm::Constant* known = known_.lookup(value)) return known;
    llvm::Constant* converted = convert(value);
    return known_[value] = converted;
  }

  llvm::Constant* convert(llvm::Constant* value) {
    llvm::Type* type = value->getType();
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
      return explicit_structure(value, *structure);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      return explicit_array(value, array->getElementType(), array->getNumElements());
    const auto* vector = llvm::cast<llvm::FixedVectorType>(type);
    Parts parts;
    parts.add(explicit_array(value, vector->getElementType(), vector->getNumElements()), 0, layout_);
    return parts.structure(layout_.getTypeAllocSize(type));
  }

  // The members of a packed structure, with padding bytes between them.
  class Parts {
   public:
    void add(llvm::Constant* value, std::uint64_t offset, const llvm::DataLayout& layout) {
      pad(offset, value->getContext());
      values_.push_back(value);
      end_ = offset + layout.getTypeAllocSize(value->getType());
    }
    llvm::Constant* structure(std::uint64_t size) {
      pad(size, values_.front()->getContext());
      return llvm::ConstantStruct::getAnon(values_, /*Packed=*/true);
    }

   private:
    void pad(std::uint64_t to, llvm::LLVMContext& context) {
      if (to <= end_) return;
      auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), to - end_);
      values_.push_back(llvm::ConstantAggregateZero::get(bytes));
    }
    llvm::SmallVector<llvm::Constant*> values_;
    std::uint64_t end_ = 0;
  };

  llvm::Constant* explicit_structure(llvm::Constant* value, llvm::StructType& type) {
    const llvm::StructLayout& places = *layout_.getStructLayout(&type);
    Parts parts;
    for (unsigned i = 0; i < type.getNumElements(); ++i)
      parts.add(explicit_part(value->getAggregateElement(i)), places.getElementOffset(i), layout_);
    return parts.structure(layout_.getTypeAllocSize(&type));
  }

  llvm::Constant* explicit_array(llvm::Constant* value, llvm::Type* element, std::uint64_t count) {
    llvm::SmallVector<llvm::Constant*> elements;
    for (unsigned i = 0; i < count; ++i) elements.push_back(explicit_part(value->getAggregateElement(i)));
    llvm::Type* type = count ? elements.front()->getType() : element;
    return llvm::ConstantArray::get(llvm::ArrayType::get(type, count), elements);
  }

  const llvm::DataLayout& layout_;
  PartsOfTypes padded_;
  llvm::DenseMap<llvm::Constant*, llvm::Constant*> known_;
};

void give_value(llvm::GlobalVariable& variable, llvm::Constant* value, llvm::Align alignment) {
  auto* explicit_one =
      new llvm::GlobalVariable(*variable.getParent(), value->getType(), variable.isConstant(),
                               variable.getLinkage(), variable.hasInitializer() ? value : nullptr, "",
                               &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
  explicit_one->copyAttributesFrom(&variable);
  explicit_one->setAlignment(alignment);
  explicit_one->copyMetadata(&variable, 0);
  explicit_one->takeName(&variable);
  variable.replaceAllUsesWith(explicit_one);
  variable.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses NvptxPaddedGlobals::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const llvm::DataLayout& data_layout = module.getDataLayout();
  Layout layout(data_layout);
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    llvm::Type* type = variable.getValueType();
    const bool is_half = type->isHalfTy() || type->isBFloatTy();
    if (!is_half && !layout.is_lost(type)) continue;
    llvm::Constant* value =
        variable.hasInitializer() ? variable.getInitializer() : llvm::Constant::getNullValue(type);
    // Without an initial value only the size matters, which NVPTX declares correctly for arrays and structures.
    const bool has_values = !value->isNullValue() && !llvm::isa<llvm::UndefValue>(value);
    if (type->isAggregateType() && !has_values) continue;
    value = is_half ? llvm::ConstantStruct::getAnon({value}) : layout.explicit_value(value);
    give_value(variable, value, variable.getAlign().value_or(data_layout.getABITypeAlign(type)));
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace clcuda::compiler
