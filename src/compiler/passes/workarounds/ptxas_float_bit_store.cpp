// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/workarounds/ptxas_float_bit_store.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clcuda::compiler {
namespace {

bool is_scalar_float(const llvm::Type* type) {
  return type->isHalfTy() || type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy();
}

// Copies the bits of a floating-point value, or of each element of a vector, to registers that no floating-point instruction writes.
llvm::Value* moved_bits(llvm::IRBuilder<>& builder, llvm::Value* value) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
    llvm::Value* moved = llvm::PoisonValue::get(llvm::VectorType::getInteger(vector));
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      moved =
          builder.CreateInsertElement(moved, moved_bits(builder, builder.CreateExtractElement(value, i)), i);
    return moved;
  }
  const unsigned size = value->getType()->getScalarSizeInBits();
  llvm::Type* integer = builder.getIntNTy(size);
  const char* constraints = size == 64 ? "=l,l" : size == 32 ? "=r,r" : "=h,h";
  auto* type = llvm::FunctionType::get(integer, {integer}, false);
  auto* move = llvm::InlineAsm::get(type, "mov.b" + std::to_string(size) + " $0, $1;", constraints, false);
  return builder.CreateCall(type, move, {builder.CreateBitCast(value, integer)});
}

// Whether these bits of a floating-point value may be stored in parts. Instructions that compute with them write other registers.
bool may_be_cut(const llvm::Value& bits) {
  return llvm::any_of(bits.users(), [](const llvm::User* user) {
    if (llvm::isa<llvm::ExtractElementInst>(user)) return may_be_cut(*user);
    return llvm::isa<llvm::TruncInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::StoreInst,
                     llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::BitCastInst>(user);
  });
}

// Vectors of 16-bit values are left alone: instructions that write a pair of them write bits, to ptxas.
bool takes_parts_of_float(const llvm::BitCastInst& cast) {
  const llvm::Type* from = cast.getSrcTy();
  return is_scalar_float(from->getScalarType()) &&
         !(from->isVectorTy() && from->getScalarSizeInBits() == 16) &&
         cast.getDestTy()->isIntOrIntVectorTy() && may_be_cut(cast);
}

// Whether the alignment of a store of floating-point values is too small for one instruction to store a value.
bool falls_apart(const llvm::StoreInst& store) {
  llvm::Type* element = store.getValueOperand()->getType()->getScalarType();
  return is_scalar_float(element) && store.getAlign().value() * 8 < element->getScalarSizeInBits();
}

void store_bits(llvm::StoreInst& store) {
  llvm::IRBuilder<> builder(&store);
  llvm::Value* value = store.getValueOperand();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  const unsigned size = value->getType()->getScalarSizeInBits() / 8;
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    llvm::Value* element = vector ? builder.CreateExtractElement(value, i) : value;
    llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(),
                                                            static_cast<uint64_t>(i) * size);
    builder.CreateAlignedStore(moved_bits(builder, element), place,
                               llvm::commonAlignment(store.getAlign(), static_cast<uint64_t>(i) * size),
                               store.isVolatile());
  }
  store.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses PtxasFloatBitStore::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && falls_apart(*store)) {
      store_bits(*store);
      changed = true;
    } else if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
               cast && takes_parts_of_float(*cast)) {
      llvm::IRBuilder<> builder(cast);
      cast->replaceAllUsesWith(
          builder.CreateBitCast(moved_bits(builder, cast->getOperand(0)), cast->getType()));
      cast->eraseFromParent();
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace clcuda::compiler
