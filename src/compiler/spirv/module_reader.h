// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/FMF.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/spirv/binary.h"
#include "compiler/spirv/debug_lines.h"
#include "compiler/spirv/decorations.h"
#include "compiler/spirv/late_constants.h"
#include "compiler/spirv/reader.h"
#include "compiler/spirv/type.h"

namespace clcuda::compiler::spirv {

// The value of an id, with its type in the module. A built-in variable has no LLVM value.
struct Value {
  const Type* type = nullptr;
  llvm::Value* value = nullptr;
};

// A function of the module: its instructions, and the LLVM function made of it (null until it is declared).
struct FunctionText {
  std::uint32_t id = 0;
  const Type* type = nullptr;
  std::uint32_t control = 0;  // FunctionControlMask
  std::vector<std::uint32_t> parameters;
  std::vector<Instruction> body;  // empty for a declaration
  llvm::Function* function = nullptr;
};

// An OpEntryPoint: the kernel's name, and the id of its function.
struct EntryPoint {
  std::uint32_t function;
  std::string name;
};

// An imported set of extended instructions: OpenCL.std, or one whose instructions are ignored (debug information).
enum class ExtendedSet : std::uint8_t { opencl, ignored };

// Reads what is outside of functions, and keeps it for the readers of functions' bodies (function_reader.h), which come after it. Each
// kind of declaration has a function over this class in a file of its own (declarations.h).
//
//   ModuleReader reader(unit, *open_binary(unit.module, problem), context);
//   reader.read_declarations();
//   for (FunctionText* text : reader.functions()) …    // FunctionReader::run
//
// Throws ProgramError (refuse.h) for what is malformed or not supported, as all readers do.
class ModuleReader {
 public:
  ModuleReader(const Unit& unit, Binary binary, llvm::LLVMContext& context);
  ModuleReader(const ModuleReader&) = delete;
  ModuleReader& operator=(const ModuleReader&) = delete;

  // Reads all but the functions' bodies.
  void read_declarations();
  // The functions in their order.
  const std::vector<FunctionText*>& functions() const { return order_; }
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

  const Unit& unit() const { return unit_; }
  const Binary& binary() const { return binary_; }
  llvm::Module& module() { return *module_; }
  const llvm::Module& module() const { return *module_; }
  llvm::LLVMContext& context() { return module_->getContext(); }
  const Decorations& decorations() const { return decorations_; }
  DebugLines& lines() { return lines_; }

  // A type by its id.
  const Type& type(std::uint32_t id) const;
  bool has_packed_structures() const { return has_packed_structures_; }
  bool is_type(std::uint32_t id) const { return types_.contains(id); }
  Type& add_type(std::uint32_t id, Type type);
  // OpTypeForwardPointer: add_type() completes the type.
  void announce_pointer(std::uint32_t id, StorageClass storage);

  // Values at module scope: constants, variables and functions. Null for other ids.
  const Value* find(std::uint32_t id) const;
  const std::unordered_map<std::uint32_t, Value>& values() const { return values_; }
  void define(std::uint32_t id, const Type& type, llvm::Value* value);
  // A built-in variable: the type of the pointer, which may be untyped, and that of what lies in it.
  void define_built_in(std::uint32_t id, const Type& pointer, const Type& pointee);
  const Type* built_in_type(std::uint32_t id) const;
  llvm::Constant& constant(std::uint32_t id) const;
  // The value of an integer constant, as an unsigned number.
  std::uint64_t integer(std::uint32_t id) const;

  // Constants that LLVM has none for, by the words of the instruction that computes them (folded_constant.h). The functions that use them
  // compute them (FunctionReader::compute_constants()).
  void postpone(std::uint32_t number, std::vector<std::uint32_t> words);
  bool has_postponed() const { return !postponed_.empty(); }
  // The instruction that computes the constant; null for other ids.
  const Instruction* postponed(std::uint32_t id) const;

  // Functions by id; null if there is no such function.
  FunctionText* function(std::uint32_t id);

  void set_name(std::uint32_t id, std::string name) { names_[id] = std::move(name); }
  std::string name(std::uint32_t id) const;
  void add_string(std::uint32_t id, std::string text) { strings_[id] = std::move(text); }
  const std::string& string(std::uint32_t id) const;
  void add_extended_set(std::uint32_t id, ExtendedSet set) { sets_[id] = set; }
  ExtendedSet extended_set(std::uint32_t id) const;

  void add_capability(Capability capability) { capabilities_.insert(capability); }
  bool has_capability(Capability capability) const { return capabilities_.contains(capability); }
  const std::vector<EntryPoint>& entry_points() const { return entry_points_; }
  bool is_entry_point(std::uint32_t function) const { return entry_ids_.contains(function); }
  void add_entry_point(EntryPoint entry);
  // Those of functions that are no kernels, by type (math_flags.h).
  std::unordered_map<const llvm::Type*, llvm::FastMathFlags>& math_flags_of_functions() {
    return math_flags_of_functions_;
  }
  // OpExecutionMode and OpExecutionModeId of an entry point.
  std::vector<Instruction>& execution_modes(std::uint32_t function) { return modes_[function]; }
  bool has_mode(std::uint32_t function, ExecutionMode mode);
  void set_work_group_size(std::uint32_t constant) { work_group_size_ = constant; }
  // The constant that is decorated as built-in WorkgroupSize; 0 if there is none.
  std::uint32_t work_group_size() const { return work_group_size_; }

  // Refuses ids that are out of bounds, or have been defined already.
  void claim(std::uint32_t id);

 private:
  struct PostponedConstant {
    std::vector<std::uint32_t> words;
    Instruction instruction;  // refers to the words
  };

  void read(const Instruction& instruction);
  void read_declaration(const Instruction& instruction);
  bool read_function(const Instruction& instruction);
  void begin_function(const Instruction& instruction);

  const Unit& unit_;
  Binary binary_;
  std::unique_ptr<llvm::Module> module_;
  Decorations decorations_;
  DebugLines lines_;
  LateConstants late_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Type>> types_;
  std::unordered_map<std::uint32_t, Value> values_;
  std::unordered_map<std::uint32_t, std::string> names_, strings_;
  std::unordered_map<std::uint32_t, ExtendedSet> sets_;
  std::unordered_map<std::uint32_t, std::vector<Instruction>> modes_;
  std::unordered_map<std::uint32_t, std::unique_ptr<FunctionText>> functions_;
  std::vector<FunctionText*> order_;  // of the functions in the module
  FunctionText* open_function_ = nullptr;
  std::unordered_set<Capability> capabilities_;
  std::vector<EntryPoint> entry_points_;
  std::unordered_set<std::uint32_t> entry_ids_;
  std::unordered_set<std::uint32_t> claimed_;
  std::unordered_map<const llvm::Type*, llvm::FastMathFlags> math_flags_of_functions_;
  std::uint32_t work_group_size_ = 0;
  bool has_packed_structures_ = false;
  std::unordered_map<std::uint32_t, const Type*> built_in_types_;
  std::unordered_map<std::uint32_t, PostponedConstant> postponed_;
};

}  // namespace clcuda::compiler::spirv
