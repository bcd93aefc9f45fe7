// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/abi/constant_pointer_exchange.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <compare>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "compiler/parts_of_types.h"

namespace clcuda::compiler {
namespace {

bool is_made_of_constant_pointers(const llvm::Type* type) {
  return is_constant_pointer(type->getScalarType());
}

// A range of bytes of a variable: `size` bytes at `offset` plus any multiple of `stride` (0: at `offset` only).
struct Place {
  std::int64_t offset = 0;
  std::uint64_t stride = 0, size = 0;
  friend auto operator<=>(const Place&, const Place&) = default;

  bool meets(const Place& other) const {
    const std::int64_t distance = other.offset - offset;
    const auto common = static_cast<std::int64_t>(std::gcd(stride, other.stride));
    const auto length = static_cast<std::int64_t>(size), other_length = static_cast<std::int64_t>(other.size);
    if (common == 0) return -other_length < distance && distance < length;
    const std::int64_t ahead = (distance % common + common) % common;
    return ahead < length || common - ahead < other_length;
  }

  // The place of the same bytes in a copy of `from` to `to`.
  Place moved(const Place& from, const Place& to) const {
    const std::uint64_t common = std::gcd(stride, std::gcd(from.stride, to.stride));
    const std::int64_t moved = offset - from.offset + to.offset;
    return {common ? moved % static_cast<std::int64_t>(common) : moved, common, size};
  }
};

constexpr std::uint64_t kAnywhere = 1;  // as a stride: any offset

struct Address {
  const llvm::Value* variable = nullptr;  // null: the object that it points to is unknown
  bool is_fixed = false;                  // the memory is constant: its contents are the initial ones
  std::int64_t offset = 0;
  std::uint64_t stride = 0;

  Place bytes(std::uint64_t size) const { return {offset, stride, size}; }
};

bool is_variable(const llvm::Value& value) {
  return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(value);
}

// As long as every pointer to constant memory comes from the program, it points to a constant of the program.
bool is_fixed(const llvm::Value& pointer) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&pointer);
  return is_constant_pointer(pointer.getType()) ||
         (variable && variable->isConstant() && variable->hasInitializer());
}

// Finds the addresses of a module's pointers, each once: one may be made from another in many steps.
class Addresses {
 public:
  explicit Addresses(const llvm::DataLayout& layout) : layout_(layout) {}

  Address of(const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*> steps;
    for (; !known_.contains(pointer) && source_of(*pointer); pointer = source_of(*pointer))
      steps.push_back(pointer);
    Address address = known_.try_emplace(pointer, start_at(*pointer)).first->second;
    for (const llvm::Value* step : llvm::reverse(steps)) {
      if (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(step)) add(*element, address);
      known_[step] = address;
    }
    return address;
  }

 private:
  // The pointer from which a step is made; null if it is none.
  static const llvm::Value* source_of(const llvm::Value& step) {
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(&step))
      return cast->getPointerOperand();
    const auto* element = llvm::dyn_cast<llvm::GEPOperator>(&step);
    return element ? element->getPointerOperand() : nullptr;
  }

  static Address start_at(const llvm::Value& pointer) {
    Address address;
    address.is_fixed = is_fixed(pointer);
    if (is_variable(pointer)) address.variable = &pointer;
    return address;
  }

  void add(const llvm::GEPOperator& element, Address& address) const {
    const unsigned bits = layout_.getIndexTypeSizeInBits(element.getType());
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> indices;
    llvm::APInt constant(bits, 0);
    if (!element.collectOffset(layout_, bits, indices, constant)) {
      address.stride = kAnywhere;
      return;
    }
    address.offset += constant.getSExtValue();
    for (const auto& [index, scale] : indices)
      address.stride = std::gcd(address.stride, static_cast<std::uint64_t>(std::abs(scale.getSExtValue())));
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, Address> known_;
};

// All accesses to one variable of the program.
struct Uses {
  llvm::SmallVector<Place> others;  // accesses of a type that contains no pointer to constant memory
  struct Copy {
    Place here;
    Address there;
  };
  llvm::SmallVector<Copy> copies;
  bool escapes = false;
};

class Variables {
 public:
  Variables(const llvm::DataLayout& layout, PartsOfTypes& constant_pointers)
      : layout_(layout), constant_pointers_(constant_pointers), addresses_(layout) {}

  // Records that a pointer to constant memory is loaded from or stored to `pointer`.
  void keep_pointer(const llvm::Value* pointer, llvm::Type* type) {
    const Address address = addresses_.of(pointer);
    if (address.is_fixed) return;
    if (!address.variable) {
      foreign_ = true;
    } else {
      keep(address.variable, address.bytes(layout_.getTypeStoreSize(type)));
    }
  }

  // Like keep_pointer(), for every pointer in the initial value of a constant.
  void keep_initial_pointers(const llvm::GlobalVariable& constant) {
    Address whole;
    whole.variable = &constant;
    keep_parts(*constant.getValueType(), whole);
  }

  // Records the pointers in a copy whose source is a constant of the program, but not a known one.
  void keep_copy(const llvm::MemTransferInst& copy) {
    const Address source = addresses_.of(copy.getRawSource()), target = addresses_.of(copy.getRawDest());
    if (!source.is_fixed || source.variable) return;
    if (!target.variable) foreign_ = true;
    if (target.variable) keep(target.variable, bytes_of(copy, target));
  }

  bool has_pointers() const { return !found_.empty(); }

  // Follows the recorded pointers through copies between variables.
  bool exchange_pointers() {
    for (std::size_t i = 0; i < found_.size() && !foreign_; ++i) {
      const auto& [variable, place] = *found_[i];
      foreign_ = i >= kMostPlaces || !follow(uses_of(*variable), place, is_fixed(*variable));
    }
    return foreign_;
  }

 private:
  static constexpr std::size_t kMostPlaces = 10'000;

  void keep(const llvm::Value* variable, const Place& place) {
    if (const auto [entry, is_new] = known_.emplace(variable, place); is_new) found_.push_back(&*entry);
  }

  // Looks into each part once, and only where there are pointers: the members of a structure of structures may be exponentially many.
  void keep_parts(llvm::Type& type, Address address) {
    if (found_.size() > kMostPlaces || !constant_pointers_.are_in(&type) ||
        !known_parts_.emplace(address.variable, &type, address.offset, address.stride).second)
      return;
    if (is_constant_pointer(&type)) keep(address.variable, address.bytes(layout_.getTypeStoreSize(&type)));
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
      for (unsigned i = 0; i < structure->getNumElements(); ++i) {
        Address part = address;
        part.offset += static_cast<std::int64_t>(
            layout_.getStructLayout(structure)->getElementOffset(i).getFixedValue());
        keep_parts(*structure->getElementType(i), part);
      }
    }
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
      address.stride =
          std::gcd(address.stride, layout_.getTypeAllocSize(array->getElementType()).getFixedValue());
      keep_parts(*array->getElementType(), address);
    }
  }

  bool follow(const Uses& uses, const Place& place, bool is_fixed) {
    if ((uses.escapes && !is_fixed) ||
        llvm::any_of(uses.others, [&](const Place& other) { return other.meets(place); }))
      return false;
    for (const auto& [here, there] : uses.copies) {
      if (there.is_fixed || !here.meets(place)) continue;
      if (!there.variable) return false;
      keep(there.variable, place.moved(here, there.bytes(here.size)));
    }
    return true;
  }

  const Uses& uses_of(const llvm::Value& variable) {
    const auto [found, is_new] = uses_.try_emplace(&variable);
    if (is_new) collect(variable, found->second);
    return found->second;
  }

  void collect(const llvm::Value& pointer, Uses& uses) {
    for (const llvm::Use& use : pointer.uses()) {
      const llvm::User* user = use.getUser();
      if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(user)) {
        collect(*user, uses);
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        access(pointer, load->getType(), uses);
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getPointerOperand() == &pointer)
          access(pointer, store->getValueOperand()->getType(), uses);
        uses.escapes |= store->getValueOperand() == &pointer;
      } else if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        copied(*copy, &use == &copy->getRawDestUse(), uses);
      } else if (!is_harmless(*user)) {
        uses.escapes = true;
      }
    }
  }

  void access(const llvm::Value& pointer, llvm::Type* type, Uses& uses) {
    if (!constant_pointers_.are_in(type))
      uses.others.push_back(addresses_.of(&pointer).bytes(layout_.getTypeStoreSize(type)));
  }

  void copied(const llvm::MemTransferInst& copy, bool is_target, Uses& uses) {
    const Address target = addresses_.of(copy.getRawDest()), source = addresses_.of(copy.getRawSource());
    const Address &here = is_target ? target : source, &there = is_target ? source : target;
    uses.copies.push_back({bytes_of(copy, here), there});
  }

  static Place bytes_of(const llvm::MemTransferInst& copy, const Address& address) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    Place bytes = address.bytes(length ? length->getZExtValue() : 1);
    if (!length) bytes.stride = kAnywhere;
    return bytes;
  }

  // Uses that neither move a pointer nor let the address escape: memset, lifetime markers, assumptions, comparisons.
  static bool is_harmless(const llvm::User& user) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
    return llvm::isa<llvm::MemSetInst, llvm::ICmpInst>(user) ||
           (intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic()));
  }

  const llvm::DataLayout& layout_;
  PartsOfTypes& constant_pointers_;
  Addresses addresses_;
  llvm::DenseMap<const llvm::Value*, Uses> uses_;
  std::set<std::tuple<const llvm::Value*, const llvm::Type*, std::int64_t, std::uint64_t>> known_parts_;
  std::set<std::pair<const llvm::Value*, Place>> known_;
  llvm::SmallVector<const std::pair<const llvm::Value*, Place>*>
      found_;  // elements of known_, in the order in which they were found
  bool foreign_ = false;
};

// Subtracting or comparing addresses does not reveal the address itself.
bool is_number_of_pointer(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::PtrToIntInst, llvm::PtrToAddrInst>(instruction) &&
         llvm::any_of(instruction.users(), [](const llvm::User* user) {
           const auto* operation = llvm::dyn_cast<llvm::Instruction>(user);
           return !operation ||
                  (operation->getOpcode() != llvm::Instruction::Sub && !llvm::isa<llvm::ICmpInst>(user));
         });
}

bool makes_pointer(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call->isInlineAsm();
  return !llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst,
                    llvm::LoadInst, llvm::ExtractValueInst, llvm::InsertValueInst>(instruction);
}

// Whether the instruction passes a pointer on other than by a load, a store or a call of a function.
bool hands_pointer_on(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return call->isInlineAsm();
  return llvm::isa<llvm::AddrSpaceCastInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
         is_number_of_pointer(instruction);
}

bool converts_pointers(const llvm::Instruction& instruction, PartsOfTypes& constant_pointers) {
  return (constant_pointers.are_in(instruction.getType()) && makes_pointer(instruction)) ||
         (hands_pointer_on(instruction) &&
          llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) {
            return constant_pointers.are_in(operand->getType());
          }));
}

}  // namespace

bool exchanges_constant_pointers(const llvm::Module& module) {
  PartsOfTypes constant_pointers(is_made_of_constant_pointers);
  Variables variables(module.getDataLayout(), constant_pointers);
  for (const llvm::GlobalVariable& variable : module.globals())
    if (is_fixed(variable)) variables.keep_initial_pointers(variable);
  const bool has_constants_with_pointers = variables.has_pointers();
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (converts_pointers(instruction, constant_pointers)) return true;
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && constant_pointers.are_in(load->getType()))
        variables.keep_pointer(load->getPointerOperand(), load->getType());
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          store && constant_pointers.are_in(store->getValueOperand()->getType()))
        variables.keep_pointer(store->getPointerOperand(), store->getValueOperand()->getType());
      if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
          copy && has_constants_with_pointers)
        variables.keep_copy(*copy);
    }
  }
  return variables.exchange_pointers();
}

}  // namespace clcuda::compiler
