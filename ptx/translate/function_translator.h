// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ptx/abi/block.h"
#include "ptx/syntax/ast.h"
#include "ptx/syntax/parse_error.h"
#include "ptx/translate/program_declarations.h"

namespace clcuda::ptx {

// Translates one PTX function to an LLVM function that does what one work-item does. Its hidden parameters are (block, x, y, z, item).
// Each PTX register is an alloca, which simplify() removes:
//
//   add.s32 %r1, %r2, %r3;    →  store i32 (add (load %r2), (load %r3)), ptr %r1
//
// The handlers that instructions.def names are members; each family of them is in a file of its own. Throws ParseError for what cannot be
// translated.
class FunctionTranslator {
 public:
  FunctionTranslator(ProgramDeclarations& program, unsigned unit, const Function& source,
                     llvm::Function& target);
  void run();

 private:
  using Handler = void (FunctionTranslator::*)(const Instruction&);
  static const Handler kHandlers[];

  // integer.cpp
  void integer_add_sub(const Instruction&);
  void integer_mul(const Instruction&);
  void integer_mad(const Instruction&);
  void mul24(const Instruction&);
  void sad(const Instruction&);
  void integer_div(const Instruction&);
  void integer_unary(const Instruction&);
  void integer_min_max(const Instruction&);
  llvm::Value* multiply(const Instruction&, llvm::Value* a, llvm::Value* b);
  // carry.cpp
  void carry_add_sub(const Instruction&);
  void carry_mad(const Instruction&);
  // dot_product.cpp
  void dot_product(const Instruction&);
  // bits.cpp
  void logic(const Instruction&);
  void logic_not(const Instruction&);
  void lop3(const Instruction&);
  void lop3_bool(const Instruction&);
  llvm::Value* lookup3(const Instruction&, std::size_t first);
  void shift(const Instruction&);
  void funnel_shift(const Instruction&);
  void count_bits(const Instruction&);
  void find_bit(const Instruction&);
  void find_nth_set(const Instruction&);
  void reverse_bits(const Instruction&);
  void permute_bytes(const Instruction&);
  // bit_field.cpp
  void bit_field_extract(const Instruction&);
  void bit_field_insert(const Instruction&);
  void bit_mask(const Instruction&);
  void sign_extend(const Instruction&);
  llvm::Value* low_mask(llvm::Value* count, unsigned width);
  llvm::Value* shift_left(llvm::Value* value, llvm::Value* amount);
  llvm::Value* shift_right(llvm::Value* value, llvm::Value* amount);
  llvm::Value* shift(llvm::Instruction::BinaryOps direction, llvm::Value* value, llvm::Value* amount);
  // floating.cpp
  void float_add_sub_mul(const Instruction&);
  void float_fma(const Instruction&);
  void float_div(const Instruction&);
  void float_rcp(const Instruction&);
  void float_sqrt(const Instruction&);
  void float_rsqrt(const Instruction&);
  void float_sign(const Instruction&);
  void float_min_max(const Instruction&);
  void float_copysign(const Instruction&);
  void float_test(const Instruction&);
  llvm::Value* flush(llvm::Value* value);
  llvm::Value* flush_if(const Instruction&, llvm::Value* value);
  llvm::Value* saturate(llvm::Value* value);
  void write_float(const Instruction&, llvm::Value* value);
  llvm::Value* directed(const Instruction&, const char* operation, llvm::ArrayRef<llvm::Value*> values);
  // half.cpp
  void half_arithmetic(const Instruction&);
  void half_fma(const Instruction&);
  // approximate.cpp
  void float_approx(const Instruction&);
  // compare.cpp
  void compare_predicate(const Instruction&);
  void compare_packed(const Instruction&);
  void compare_value(const Instruction&);
  void compare_value_packed(const Instruction&);
  void select(const Instruction&);
  void select_by_sign(const Instruction&);
  llvm::Value* compare(const Instruction&, Type type, llvm::Value* a, llvm::Value* b);
  llvm::Value* combine(const Instruction&, llvm::Value* outcome, std::size_t operand);
  // convert.cpp
  void move(const Instruction&);
  void convert(const Instruction&);
  void convert_pack_half(const Instruction&);
  void convert_pack_integer(const Instruction&);
  void convert_pack_integer4(const Instruction&);
  llvm::Value* float_to_integer(const Instruction&, llvm::Value* value, Type from, Type to);
  llvm::Value* integer_to_float(const Instruction&, llvm::Value* value, Type from, Type to);
  llvm::Value* float_to_float(const Instruction&, llvm::Value* value, Type from, Type to);
  llvm::Value* round_to_integral(const Instruction&, llvm::Value* value);
  llvm::Value* saturate_integer(llvm::Value* value, Type from, Type to);
  // memory.cpp
  void convert_address(const Instruction&);
  void is_space(const Instruction&);
  void load(const Instruction&);
  void store(const Instruction&);
  void copy_async(const Instruction&);
  void no_operation(const Instruction&);
  // atomic.cpp
  void atomic(const Instruction&);
  void atomic_cas(const Instruction&);
  void fence(const Instruction&);
  // texture.cpp
  struct Coordinates {
    llvm::Value* handle;
    llvm::Value* layer;
    std::array<llvm::Value*, 3> at;  // 0 where the geometry has fewer
  };
  Coordinates read_coordinates(const Instruction&, const Operand&, Type type);
  llvm::FixedVectorType* channels_type();
  llvm::Value* call_texture(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);
  void write_channels(const Instruction&, llvm::Value* channels);
  void texture_fetch(const Instruction&);
  void texture_fetch_level(const Instruction&);
  void texture_fetch_gradient(const Instruction&);
  void texture_gather(const Instruction&);
  void texture_query(const Instruction&);
  llvm::Value* query_handle(const Instruction&, const char* name);
  // surface.cpp
  void surface_load(const Instruction&);
  void surface_store(const Instruction&);
  void surface_store_formatted(const Instruction&);
  void surface_query(const Instruction&);
  // control.cpp
  void branch(const Instruction&);
  void branch_indexed(const Instruction&);
  void call(const Instruction&);
  const Function& function_named(const Instruction&, const std::string& name) const;
  void call_through_pointer(const Instruction&);
  void call_function(const Instruction&, llvm::Value* function, const std::vector<Variable>& results,
                     const std::vector<Variable>& parameters);
  void call_device_runtime(const Instruction&, const Function& function);
  void return_(const Instruction&);
  void exit_(const Instruction&);
  void trap_(const Instruction&);
  void pass_arguments(const Instruction&, const std::vector<Variable>& results,
                      const std::vector<Variable>& parameters, std::vector<llvm::Value*>& arguments);
  llvm::Value* pass_argument(const Instruction&, const Operand&, const Variable& parameter, bool result);
  // barrier.cpp
  void barrier_sync(const Instruction&);
  void barrier_arrive(const Instruction&);
  void barrier_reduce(const Instruction&);
  // warp.cpp
  void warp_sync(const Instruction&);
  void active_mask(const Instruction&);
  void vote_sync(const Instruction&);
  void vote(const Instruction&);
  void shuffle_sync(const Instruction&);
  void match_sync(const Instruction&);
  void reduce_sync(const Instruction&);
  void elect_sync(const Instruction&);
  void write_vote(const Instruction&, llvm::Value* result);

  // operands.cpp
  llvm::Type* type_of(Type type);
  llvm::Value* integer(unsigned width, std::uint64_t value) { return builder_.getIntN(width, value); }
  llvm::Value* read(const Instruction&, std::size_t operand, Type type);
  llvm::Value* read(const Instruction&, const Operand&, Type type);
  llvm::Value* read_bits(const Instruction&, const Operand&, unsigned width);
  llvm::Value* resize(llvm::Value* value, unsigned width, bool is_signed = false);
  llvm::Value* as_integer(llvm::Value* value);
  void write(const Instruction&, std::size_t operand, llvm::Value* value, bool is_signed = false);
  void write(const Operand&, llvm::Value* value, bool is_signed = false);
  // `d|p`: the first goes to d, the second (i1) to p where there is one.
  void write_pair(const Instruction&, llvm::Value* first, llvm::Value* second);
  // Of a variable or symbol, as an integer in its space.
  llvm::Value* address_of(const Instruction&, const Operand&);
  llvm::Value* address_of_local_name(const Instruction&, unsigned index);
  llvm::Value* address_of_symbol(const Instruction&, const std::string& name);
  llvm::Value* address_in_layout(const Instruction&, const Variable&);
  llvm::Value* special_register(const Instruction&, const std::string& name);
  llvm::Value* block_field(std::size_t offset, llvm::Type* type);
  llvm::Value* kernel_parameter(std::size_t offset, llvm::Type* type);
  // memory.cpp
  Space space_of(const Instruction&) const;
  llvm::Value* pointer(const Instruction&, const Operand&, Space space);
  std::optional<std::size_t> kernel_parameter_offset(const Instruction&, const Operand&,
                                                     std::size_t bytes) const;
  // operands.cpp
  llvm::Value* call_runtime(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                            bool pure);
  llvm::Value* suspend(Wait wait, llvm::ArrayRef<llvm::Value*> operands);
  [[noreturn]] static void refuse(const Instruction& instruction, const std::string& reason) {
    throw ParseError(instruction.line, reason);
  }

  void declare_registers();
  void declare_parameters();
  void declare_variables();
  void translate(const Instruction&);
  void end_block(llvm::BasicBlock* next);
  const Variable& variable(unsigned index) const;
  llvm::AllocaInst* new_alloca(llvm::Type* type, llvm::Align alignment, const llvm::Twine& name);

  ProgramDeclarations& program_;
  unsigned unit_;
  const Function& source_;
  llvm::Function& target_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock* entry_ = nullptr;
  std::vector<llvm::AllocaInst*> registers_;
  // Results, parameters, variables: a pointer each; null where it is not memory of the item.
  std::vector<llvm::Value*> variables_;
  std::vector<llvm::BasicBlock*> labels_;
  llvm::AllocaInst* carry_ = nullptr;
  // Of kernel parameters, or block fields.
  std::map<std::tuple<bool, std::size_t, llvm::Type*>, llvm::Value*> entry_loads_;
};

// The instruction's directed rounding, as it is part of the names of runtime functions; null: to nearest. In floating.cpp.
const char* direction(const Instruction& in);

}  // namespace clcuda::ptx
