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

llvm::Value* whole(FunctionReader& reader, const Row& row, const Type& type) {
  auto& builder = reader.builder();
  require(type.is(TypeKind::vector) && type.element->is(TypeKind::integer) &&
              type.count == (row.form == Form::mask ? 4 : 3),
          "the built-in variable has another type");
  if (row.form == Form::mask) return builder.CreateZExtOrTrunc(ask(reader, row, nullptr), type.value);
  llvm::Value* vector = llvm::PoisonValue::get(type.value);
  for (unsigned i = 0; i < 3; ++i) {
    llvm::Value* number =
        builder.CreateZExtOrTrunc(ask(reader, row, builder.getInt32(i)), type.element->value);
    vector = builder.CreateInsertElement(vector, number, i);
  }
  return vector;
}

void define_number(FunctionReader& reader, const Instruction& in, llvm::Value* number) {
  const Type& type = reader.type(in.type());
  require(type.is(TypeKind::integer), "the built-in variable has another type");
  reader.define(in, reader.builder().CreateZExtOrTrunc(number, type.value));
}

}  // namespace

bool read_built_in(FunctionReader& reader, const Instruction& load) {
  const auto use = reader.built_in(load[0]);
  if (!use) return false;
  const Row& row = row_of(use->variable);
  if (is_vector(row.form) && !use->component) {
    reader.define(load, whole(reader, row, reader.type(load.type())));
    if (row.form == Form::sizes) reader.note_loaded_built_in(load.result(), row.variable);
    return true;
  }
  define_number(reader, load,
                use->component ? component(reader, row, use->component) : ask(reader, row, nullptr));
  return true;
}

bool extract_built_in(FunctionReader& reader, const Instruction& extract) {
  const auto variable = reader.loaded_built_in(extract[0]);
  if (!variable) return false;
  llvm::Value* dimension = reader.value(extract[1]);
  require(dimension->getType()->isIntegerTy(), "an index is no integer");
  define_number(reader, extract, component(reader, row_of(*variable), dimension));
  return true;
}

bool derive_built_in(FunctionReader& reader, const Instruction& in) {
  auto use = reader.built_in(in[0]);
  if (!use) return false;
  const bool is_chain = in.op() == Op::AccessChain || in.op() == Op::InBoundsAccessChain;
  const bool is_copy = in.op() == Op::CopyObject || in.op() == Op::Bitcast || in.op() == Op::PtrCastToGeneric;
  require(is_copy || (is_chain && in.size() <= 2), "built-in variables have no address");
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

}  // namespace clcuda::compiler::spirv
