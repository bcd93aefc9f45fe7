// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/module_reader.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <array>

#include "compiler/spirv/declarations.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/refuse.h"
#include "compiler/target.h"

namespace clcuda::compiler::spirv {
namespace {

using Declaration = bool (*)(ModuleReader&, const Instruction&);
constexpr std::array kDeclarations = {Declaration(read_debug), Declaration(read_constant),
                                      Declaration(read_type), Declaration(read_global),
                                      Declaration(read_mode)};

// The data layout that Clang uses for the device (target.h).
constexpr char kDataLayout[] = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

std::unique_ptr<llvm::Module> empty_module(llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>("<kernel>", context);
  module->setTargetTriple(llvm::Triple(kDeviceTriple));
  module->setDataLayout(kDataLayout);
  return module;
}

}  // namespace

ModuleReader::ModuleReader(const Unit& unit, Binary binary, llvm::LLVMContext& context)
    : unit_(unit),
      binary_(std::move(binary)),
      module_(empty_module(context)),
      lines_(*module_, unit.options.debug_info) {}

void ModuleReader::read_declarations() {
  for_each_instruction(binary_, [this](const Instruction& instruction) {
    check_operands(instruction.op(), instruction.operands());
    read(instruction);
  });
  require(!open_function_, "error: the module ends within a function");
  for (const Instruction& instruction : late_.instructions())
    at_instruction(instruction, [&] { read_declaration(instruction); });
}

void ModuleReader::read(const Instruction& instruction) {
  if (instruction.result()) claim(instruction.result());
  if (read_function(instruction) || decorations_.read(instruction) || late_.take(instruction)) return;
  read_declaration(instruction);
}

void ModuleReader::read_declaration(const Instruction& instruction) {
  const auto takes = [&](Declaration declaration) { return declaration(*this, instruction); };
  require(std::ranges::any_of(kDeclarations, takes), "it is not supported, or not outside of a function");
}

bool ModuleReader::read_function(const Instruction& instruction) {
  if (instruction.op() == Op::Function) {
    begin_function(instruction);
    return true;
  }
  if (!open_function_) return false;
  FunctionText& text = *open_function_;
  const auto is_line = [](const Instruction& in) { return in.op() == Op::Line || in.op() == Op::NoLine; };
  const auto has_lines_only = [&] { return std::ranges::all_of(text.body, is_line); };
  if (instruction.op() == Op::FunctionParameter) {
    require(has_lines_only(), "a parameter stands behind a function's first block");
    text.body.clear();
    text.parameters.push_back(instruction.result());
    const std::size_t count = text.parameters.size();
    require(count <= text.type->members.size(), "the function's type has fewer parameters");
    require(text.type->members[count - 1]->id == instruction.type(),
            "the function's type has another parameter here");
  } else if (instruction.op() == Op::FunctionEnd) {
    require(text.parameters.size() == text.type->members.size(), "the function's type has more parameters");
    if (has_lines_only()) text.body.clear();
    declare_function(*this, text);
    open_function_ = nullptr;
  } else {
    text.body.push_back(instruction);
  }
  return true;
}

void ModuleReader::begin_function(const Instruction& instruction) {
  require(!open_function_, "it stands within another function");
  auto text = std::make_unique<FunctionText>();
  text->id = instruction.result();
  text->control = instruction[0];
  text->type = &type(instruction[1]);
  require(text->type->is(TypeKind::function), "its type is no function type");
  require(text->type->element->id == instruction.type(), "its type has another result");
  open_function_ = text.get();
  order_.push_back(text.get());
  functions_[text->id] = std::move(text);
}

const Type& ModuleReader::type(std::uint32_t id) const {
  const auto entry = types_.find(id);
  if (entry == types_.end()) refuse("%" + std::to_string(id) + " is no type");
  return *entry->second;
}

Type& ModuleReader::add_type(std::uint32_t id, Type type) {
  type.id = id;
  has_packed_structures_ |= type.is_packed;
  auto& place = types_[id];
  if (place) {
    require(type.is(TypeKind::pointer) && place->value == type.value,
            "the id was announced as another pointer");
    *place = std::move(type);
  } else {
    place = std::make_unique<Type>(std::move(type));
  }
  return *place;
}

void ModuleReader::announce_pointer(std::uint32_t id, StorageClass storage) {
  require(!types_.contains(id), "the type is known already");
  Type pointer{.kind = TypeKind::pointer, .storage = storage};
  pointer.value = pointer.memory = llvm::PointerType::get(context(), address_space_of(storage));
  add_type(id, std::move(pointer));
}

const Value* ModuleReader::find(std::uint32_t id) const {
  const auto entry = values_.find(id);
  return entry == values_.end() ? nullptr : &entry->second;
}

void ModuleReader::define(std::uint32_t id, const Type& type, llvm::Value* value) {
  values_[id] = {&type, value};
}

void ModuleReader::define_built_in(std::uint32_t id, const Type& pointer, const Type& pointee) {
  define(id, pointer, nullptr);
  built_in_types_[id] = &pointee;
}

const Type* ModuleReader::built_in_type(std::uint32_t id) const {
  const auto entry = built_in_types_.find(id);
  return entry == built_in_types_.end() ? nullptr : entry->second;
}

void ModuleReader::postpone(std::uint32_t number, std::vector<std::uint32_t> words) {
  const Instruction instruction(number, words);
  postponed_.emplace(instruction.result(), PostponedConstant{std::move(words), instruction});
}

const Instruction* ModuleReader::postponed(std::uint32_t id) const {
  const auto entry = postponed_.find(id);
  return entry == postponed_.end() ? nullptr : &entry->second.instruction;
}

llvm::Constant& ModuleReader::constant(std::uint32_t id) const {
  const Value* found = find(id);
  auto* constant = found ? llvm::dyn_cast_or_null<llvm::Constant>(found->value) : nullptr;
  if (!constant) refuse("%" + std::to_string(id) + " is no constant");
  return *constant;
}

std::uint64_t ModuleReader::integer(std::uint32_t id) const {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant(id));
  if (!number || number->getBitWidth() > 64) refuse("%" + std::to_string(id) + " is no integer constant");
  return number->getZExtValue();
}

FunctionText* ModuleReader::function(std::uint32_t id) {
  const auto entry = functions_.find(id);
  return entry == functions_.end() ? nullptr : entry->second.get();
}

std::string ModuleReader::name(std::uint32_t id) const {
  const auto entry = names_.find(id);
  return entry == names_.end() ? std::string() : entry->second;
}

const std::string& ModuleReader::string(std::uint32_t id) const {
  const auto entry = strings_.find(id);
  if (entry == strings_.end()) refuse("%" + std::to_string(id) + " is no OpString");
  return entry->second;
}

ExtendedSet ModuleReader::extended_set(std::uint32_t id) const {
  const auto entry = sets_.find(id);
  if (entry == sets_.end()) refuse("%" + std::to_string(id) + " is no set of extended instructions");
  return entry->second;
}

void ModuleReader::add_entry_point(EntryPoint entry) {
  entry_ids_.insert(entry.function);
  entry_points_.push_back(std::move(entry));
}

bool ModuleReader::has_mode(std::uint32_t function, ExecutionMode mode) {
  return std::ranges::any_of(execution_modes(function), [&](const Instruction& instruction) {
    return static_cast<ExecutionMode>(instruction[1]) == mode;
  });
}

void ModuleReader::claim(std::uint32_t id) {
  if (id == 0 || id >= binary_.bound)
    refuse("%" + std::to_string(id) + " is out of the module's bound of ids");
  if (!claimed_.insert(id).second) refuse("%" + std::to_string(id) + " is defined twice");
}

}  // namespace clcuda::compiler::spirv
