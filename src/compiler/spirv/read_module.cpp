// SPDX-License-Identifier: Apache-2.0
// The functions declared in reader.h.
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <unordered_map>

#include "compiler/passes/names.h"
#include "compiler/program_error.h"
#include "compiler/spirv/binary.h"
#include "compiler/spirv/declarations.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/reader.h"

namespace clcuda::compiler::spirv {
namespace {

// Collects the specialization constants with their sizes, which follow from their types.
class ConstantSearch {
 public:
  void look_at(const Instruction& in) {
    // Others are of no concern here, and may be many.
    if (in.op() == Op::Decorate && static_cast<Decoration>(in[1]) != Decoration::SpecId) return;
    if (decorations_.read(in)) return;
    switch (in.op()) {
      case Op::TypeBool:
        sizes_[in.result()] = 1;
        return;
      case Op::TypeInt:
      case Op::TypeFloat:
        sizes_[in.result()] = in[0] / 8;
        return;
      case Op::SpecConstantTrue:
      case Op::SpecConstantFalse:
      case Op::SpecConstant:
        add(in);
        return;
      default:
        return;
    }
  }
  std::vector<SpecializableConstant> take() { return std::move(constants_); }

 private:
  void add(const Instruction& in) {
    const auto id = decorations_.operand(in.result(), Decoration::SpecId);
    const auto size = sizes_.find(in.type());
    if (id && size != sizes_.end()) constants_.push_back({*id, size->second});
  }

  Decorations decorations_;
  std::unordered_map<std::uint32_t, std::uint32_t> sizes_;
  std::vector<SpecializableConstant> constants_;
};

// A producer that does not optimise marks every function DontInline and keeps parameters in variables. If all functions look like that, the
// mark says nothing about any of them.
bool is_unoptimized(const FunctionText& text) {
  const auto is_variable = [](const Instruction& in) { return in.op() == Op::Variable; };
  return text.body.empty() || ((text.control & FunctionControlMask::DontInline) &&
                               (text.parameters.empty() || std::ranges::any_of(text.body, is_variable)));
}

void allow_inlining_of_unoptimized(const ModuleReader& reader) {
  if (!std::ranges::all_of(reader.functions(),
                           [](const FunctionText* text) { return is_unoptimized(*text); }))
    return;
  for (const FunctionText* text : reader.functions()) text->function->removeFnAttr(llvm::Attribute::NoInline);
}

// DenormPreserve is for all that a kernel calls. -cl-denorms-are-zero is a hint.
void keep_denormals(ModuleReader& reader) {
  const auto keeps = [](const Instruction& mode) {
    return static_cast<ExecutionMode>(mode[1]) == ExecutionMode::DenormPreserve && mode[2] == 32;
  };
  const auto has_mode = [&](const EntryPoint& kernel) {
    return std::ranges::any_of(reader.execution_modes(kernel.function), keeps);
  };
  if (std::ranges::none_of(reader.entry_points(), has_mode)) return;
  for (llvm::Function& function : reader.module())
    if (!function.isDeclaration()) function.addFnAttr(kKeepsDenormalsAttribute);
}

std::unique_ptr<llvm::Module> read_whole(ModuleReader& reader) {
  reader.read_declarations();
  align_variables(reader);
  allow_inlining_of_unoptimized(reader);
  for (const FunctionText* text : reader.functions()) {
    if (text->body.empty()) continue;
    FunctionReader function(reader, *text->function, text->id);
    function.run(*text);
  }
  make_kernels(reader);
  keep_denormals(reader);
  reader.lines().complete();
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(reader.module(), &stream))
    refuse("error: the SPIR-V module is not valid: " + problem);
  return reader.take_module();
}

}  // namespace

std::optional<ModuleSummary> summarize(std::string_view bytes, std::string& problem) {
  const auto binary = open_binary(bytes, problem);
  if (!binary) return std::nullopt;
  ConstantSearch search;
  try {
    for_each_instruction(*binary, [&](const Instruction& instruction) { search.look_at(instruction); });
  } catch (const ProgramError& error) {
    problem = error.reason;
    return std::nullopt;
  }
  return ModuleSummary{binary->version, binary->byte_swapped, search.take()};
}

std::unique_ptr<llvm::Module> read(const Unit& unit, llvm::LLVMContext& context, Outcome& outcome) {
  std::string problem;
  auto binary = open_binary(unit.module, problem);
  if (!binary) {
    outcome.log += "error: " + problem + "\n";
    return nullptr;
  }
  auto reader = std::make_unique<ModuleReader>(unit, std::move(*binary), context);
  try {
    return read_whole(*reader);
  } catch (const ProgramError& error) {
    outcome.log += error.reason + "\n";
    return nullptr;
  } catch (...) {
    // After a fault in LLVM or the end of the build's budget, half-constructed objects cannot be destroyed.
    (void)reader.release();
    throw;
  }
}

}  // namespace clcuda::compiler::spirv
