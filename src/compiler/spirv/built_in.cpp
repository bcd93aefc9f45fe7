// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/built_in.h"

#include <llvm/IR/Constants.h>

#include <algorithm>

#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

enum class Form : std::uint8_t {
  sizes,  // a vector of three; the function's argument is the dimension
  size,   // size_t
  count,  // uint
  mask,   // uint4
};

struct Row {
  BuiltIn variable;
  Form form;
  bool pure;  // whether Clang declares the function as pure
  const char* function;
};

constexpr Row kRows[] = {
    {BuiltIn::NumWorkgroups, Form::sizes, true, "_Z14get_num_groupsj"},
    {BuiltIn::WorkgroupSize, Form::sizes, true, "_Z14get_local_sizej"},
    {BuiltIn::WorkgroupId, Form::sizes, true, "_Z12get_group_idj"},
    {BuiltIn::LocalInvocationId, Form::sizes, true, "_Z12get_local_idj"},
    {BuiltIn::GlobalInvocationId, Form::sizes, true, "_Z13get_global_idj"},
    {BuiltIn::GlobalSize, Form::sizes, true, "_Z15get_global_sizej"},
    {BuiltIn::GlobalOffset, Form::sizes, true, "_Z17get_global_offsetj"},
    {BuiltIn::EnqueuedWorkgroupSize, Form::sizes, false, "_Z23get_enqueued_local_sizej"},
    {BuiltIn::LocalInvocationIndex, Form::size, false, "_Z19get_local_linear_idv"},
    {BuiltIn::GlobalLinearId, Form::size, false, "_Z20get_global_linear_idv"},
    {BuiltIn::WorkDim, Form::count, true, "_Z12get_work_dimv"},
    {BuiltIn::SubgroupSize, Form::count, false, "_Z18get_sub_group_sizev"},
    {BuiltIn::SubgroupMaxSize, Form::count, false, "_Z22get_max_sub_group_sizev"},
    {BuiltIn::NumSubgroups, Form::count, false, "_Z18get_num_sub_groupsv"},
    {BuiltIn::NumEnqueuedSubgroups, Form::count, false, "_Z27get_enqueued_num_sub_groupsv"},
    {BuiltIn::SubgroupId, Form::count, false, "_Z16get_sub_group_idv"},
    {BuiltIn::SubgroupLocalInvocationId, Form::count, false, "_Z22get_sub_group_local_idv"},
    {BuiltIn::SubgroupEqMask, Form::mask, true, "_Z21get_sub_group_eq_maskv"},
    {BuiltIn::SubgroupGeMask, Form::mask, true, "_Z21get_sub_group_ge_maskv"},
    {BuiltIn::SubgroupGtMask, Form::mask, true, "_Z21get_sub_group_gt_maskv"},
    {BuiltIn::SubgroupLeMask, Form::mask, true, "_Z21get_sub_group_le_maskv"},
    {BuiltIn::SubgroupLtMask, Form::mask, true, "_Z21get_sub_group_lt_maskv"},
};

const Row& row_of(BuiltIn variable) {
  const auto* row = std::ranges::find(kRows, variable, &Row::variable);
  if (row == std::end(kRows)) refuse("kernels have no built-in variable " + name_of(variable));
  return *row;
}

// Calls the function. The result is a number or a mask.
llvm::Value* ask(FunctionReader& reader, const Row& row, llvm::Value* dimension) {
  auto& builder = reader.builder();
  switch (row.form) {
    case Form::sizes:
      return reader.call(row.function, builder.getInt64Ty(),
                         {builder.CreateZExtOrTrunc(dimension, builder.getInt32Ty())}, row.pure);
    case Form::size:
      return reader.call(row.function, builder.getInt64Ty(), {}, row.pure);
    case Form::count:
      return reader.call(row.function, builder.getInt32Ty(), {}, row.pure);
    case Form::mask:
      return reader.call(row.function, llvm::FixedVectorType::get(builder.getInt32Ty(), 4), {}, row.pure);
  }
  return nullptr;
}

bool is_vector(Form form) { return form == Form::sizes || form == Form::mask; }

llvm::Value* component(FunctionReader& reader, const Row& row, llvm::Value* index) {
  llvm::Value* value = ask(reader, row, index);
  return row.form == Form::mask ? reader.builder().CreateExtractElement(value, index) : value;
}

llvm::Value* as_number(FunctionReader& reader, llvm::Value* number, const Type& type) {
  require(type.is(TypeKind::integer), "the built-in variable has another type");
  return reader.builder().CreateZExtOrTrunc(number, type.value);
}

llvm::Value* whole(FunctionReader& reader, const Row& row, const Type& type) {
  if (!is_vector(row.form)) return as_number(reader, ask(reader, row, nullptr), type);
  auto& builder = reader.builder();
  require(type.is(TypeKind::vector) && type.element->is(TypeKind::integer) &&
              type.count == (row.form == Form::mask ? 4 : 3),
          "the built-in variable has another type");
  if (row.form == Form::mask) return builder.CreateZExtOrTrunc(ask(reader, row, nullptr), type.value);
  llvm::Value* vector = llvm::PoisonValue::get(type.value);
  for (unsigned i = 0; i < 3; ++i) {
    llvm::Value* number = as_number(reader, ask(reader, row, builder.getInt32(i)), *type.element);
    vector = builder.CreateInsertElement(vector, number, i);
  }
  return vector;
}

// Whether the result points to the same variable, as the same type.
bool keeps_variable(FunctionReader& reader, const Instruction& in) {
  if (in.op() == Op::CopyObject || in.op() == Op::PtrCastToGeneric) return true;
  const Type *from = reader.type_of(in[0]).element, *to = reader.type(in.type()).element;
  return in.op() == Op::Bitcast && from && to && from->value == to->value;
}

}  // namespace

bool read_built_in(FunctionReader& reader, const Instruction& load) {
  const auto use = reader.built_in(load[0]);
  if (!use) return false;
  const Row& row = row_of(use->variable);
  const Type& type = reader.type(load.type());
  // Through an untyped pointer, part of the variable may be loaded: from its copy.
  const bool is_untyped = !reader.type_of(load[0]).element;
  if (is_untyped && !use->component && use->type && use->type->value != type.value) return false;
  if (use->component) {
    reader.define(load, as_number(reader, component(reader, row, use->component), type));
    return true;
  }
  reader.define(load, whole(reader, row, type));
  if (row.form == Form::sizes) reader.note_loaded_built_in(load.result(), row.variable);
  return true;
}

bool extract_built_in(FunctionReader& reader, const Instruction& extract) {
  const auto variable = reader.loaded_built_in(extract[0]);
  if (!variable) return false;
  llvm::Value* dimension = reader.value(extract[1]);
  require(dimension->getType()->isIntegerTy(), "an index is no integer");
  reader.define(extract, as_number(reader, component(reader, row_of(*variable), dimension),
                                   reader.type(extract.type())));
  return true;
}

bool derive_built_in(FunctionReader& reader, const Instruction& in) {
  auto use = reader.built_in(in[0]);
  if (!use) return false;
  const bool is_chain = in.op() == Op::AccessChain || in.op() == Op::InBoundsAccessChain;
  if (!keeps_variable(reader, in) && !(is_chain && in.size() <= 2)) return false;
  require(reader.type(in.type()).is(TypeKind::pointer), "its type is no pointer");
  if (is_chain && in.size() == 2) {
    require(is_vector(row_of(use->variable).form) && !use->component,
            "the built-in variable has no components");
    use->component = reader.value(in[1]);
    require(use->component->getType()->isIntegerTy(), "an index is no integer");
  }
  reader.define_built_in(in, *use);
  return true;
}

// The copy is filled at the start of the function.
llvm::Value* FunctionReader::address(const BuiltInUse& use) {
  require(use.type && use.type->memory && use.type->memory->isSized(),
          "the built-in variable has another type");
  llvm::AllocaInst*& copy = built_in_copies_[use.variable];
  if (!copy) {
    copy = allocate(use.type->memory, module_.module().getDataLayout().getABITypeAlign(use.type->memory));
    const llvm::IRBuilderBase::InsertPointGuard guard(builder_);
    llvm::BasicBlock& entry = function_.getEntryBlock();
    builder_.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    builder_.SetCurrentDebugLocation(module_.lines().location());
    builder_.CreateAlignedStore(whole(*this, row_of(use.variable), *use.type), copy, copy->getAlign());
  }
  if (!use.component) return copy;
  return builder_.CreateGEP(use.type->memory, copy, {builder_.getInt64(0), use.component});
}

}  // namespace clcuda::compiler::spirv
