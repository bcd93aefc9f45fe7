// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Metadata.h>

#include "compiler/passes/denormal_mode.h"
#include "compiler/passes/names.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/kernel_metadata.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

class Modes {
 public:
  Modes(ModuleReader& reader, llvm::Function& kernel) : reader_(reader), kernel_(kernel) {}

  void apply(const Instruction& in) {
    const auto mode = static_cast<ExecutionMode>(in[1]);
    switch (mode) {
      case ExecutionMode::LocalSize:
        return set("reqd_work_group_size", {in[2], in[3], in[4]});
      case ExecutionMode::LocalSizeHint:
        return set("work_group_size_hint", {in[2], in[3], in[4]});
      case ExecutionMode::LocalSizeId:
        return set("reqd_work_group_size", {constant(in[2]), constant(in[3]), constant(in[4])});
      case ExecutionMode::LocalSizeHintId:
        return set("work_group_size_hint", {constant(in[2]), constant(in[3]), constant(in[4])});
      case ExecutionMode::SubgroupSize:
        return set("intel_reqd_sub_group_size", {in[2]});
      case ExecutionMode::SubgroupsPerWorkgroup:
        return set(kRequiredSubGroupCount, {in[2]});
      case ExecutionMode::SubgroupsPerWorkgroupId:
        return set(kRequiredSubGroupCount, {constant(in[2])});
      case ExecutionMode::VecTypeHint:
        return set_vector_type(in[2]);
      case ExecutionMode::DenormFlushToZero:
        require(in[2] == 32, "denormals of that width cannot be flushed to zero");
        return set_denormal_mode(kernel_, true);
      default:
        require(is_no_concern(mode), ("execution mode " + name_of(mode) + " is not supported").c_str());
    }
  }

  void apply_work_group_size(std::uint32_t id) {
    const Type& type = *reader_.find(id)->type;
    const llvm::Constant& sizes = reader_.constant(id);
    require(type.is(TypeKind::vector) && type.count == 3 && type.element->is(TypeKind::integer),
            "the work-group's size is no vector of three integers");
    std::vector<std::uint32_t> values;
    for (unsigned i = 0; i < 3; ++i) {
      const auto* size = llvm::dyn_cast_or_null<llvm::ConstantInt>(sizes.getAggregateElement(i));
      require(size, "the work-group's size is not constant");
      values.push_back(static_cast<std::uint32_t>(size->getZExtValue()));
    }
    set("reqd_work_group_size", values);
  }

 private:
  std::uint32_t constant(std::uint32_t id) const { return static_cast<std::uint32_t>(reader_.integer(id)); }

  void set(const char* kind, llvm::ArrayRef<std::uint32_t> values) {
    std::vector<llvm::Metadata*> numbers;
    for (const std::uint32_t value : values) numbers.push_back(number(value));
    kernel_.setMetadata(kind, llvm::MDNode::get(reader_.context(), numbers));
  }
  llvm::Metadata* number(std::uint32_t value) const {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(reader_.context()), value));
  }

  // The upper half of `hint` is the number of elements, the lower half the scalar type (table in section 3.6.1).
  void set_vector_type(std::uint32_t hint) {
    llvm::LLVMContext& context = reader_.context();
    llvm::Type* const scalars[] = {llvm::Type::getInt8Ty(context),  llvm::Type::getInt16Ty(context),
                                   llvm::Type::getInt32Ty(context), llvm::Type::getInt64Ty(context),
                                   llvm::Type::getHalfTy(context),  llvm::Type::getFloatTy(context),
                                   llvm::Type::getDoubleTy(context)};
    const std::uint32_t count = hint >> 16, scalar = hint & 0xffff;
    require(scalar < std::size(scalars) && count <= 16, "its type is none of vectors");
    llvm::Type* type = scalars[scalar];
    if (count > 1) type = llvm::FixedVectorType::get(type, count);
    auto* value = llvm::ConstantAsMetadata::get(llvm::PoisonValue::get(type));
    kernel_.setMetadata("vec_type_hint",
                        llvm::MDNode::get(context, {value, number(type->isIntOrIntVectorTy() ? 1 : 0)}));
  }

  // Modes that always hold, or that are read elsewhere (math_flags.h, read_module.cpp, make_kernels.cpp).
  static bool is_no_concern(ExecutionMode mode) {
    return mode == ExecutionMode::ContractionOff || mode == ExecutionMode::DenormPreserve ||
           mode == ExecutionMode::SignedZeroInfNanPreserve || mode == ExecutionMode::RoundingModeRTE ||
           mode == ExecutionMode::FPFastMathDefault || mode == ExecutionMode::MaximallyReconvergesKHR;
  }

  ModuleReader& reader_;
  llvm::Function& kernel_;
};

}  // namespace

void apply_execution_modes(ModuleReader& reader, const EntryPoint& entry, llvm::Function& kernel) {
  Modes modes(reader, kernel);
  for (const Instruction& instruction : reader.execution_modes(entry.function))
    at_instruction(instruction, [&] { modes.apply(instruction); });
  if (reader.work_group_size() != 0) modes.apply_work_group_size(reader.work_group_size());
}

}  // namespace clcuda::compiler::spirv
