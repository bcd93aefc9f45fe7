// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/symbols.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <functional>

#include "compiler/passes/library_names.h"
#include "compiler/ptx_identifier.h"
#include "compiler/spirv/builtin_name.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

// Names are written to the PTX text. LLVM's back end replaces other characters, some by changing the name.
bool is_part_of_name(char c) { return is_of_ptx_identifier(c) || c == '.' || c == '@'; }

// OpName means nothing: a name that is also one of the OpenCL C library's (_Z13get_global_idj, __to_global) must not be taken for it.
std::string internal_name(std::string name) {
  std::ranges::replace_if(name, std::not_fn(is_part_of_name), '_');
  if (name.empty() || name.starts_with("llvm.")) return "unnamed";
  return name.front() == '_' || name.starts_with(kProgramPrefix) ? "internal." + name : name;
}

// Checks an external name, by which other modules may link. An internal symbol of that name is renamed.
void check_external_name(llvm::Module& module, const std::string& name) {
  if (name.empty() || name.starts_with("llvm.") || !std::ranges::all_of(name, is_part_of_name))
    refuse("the name '" + name + "' cannot be linked");
  llvm::GlobalValue* known = module.getNamedValue(name);
  if (!known) return;
  if (known->hasLocalLinkage()) {
    known->setName(name + ".internal");
  } else if (!llvm::isa<llvm::Function>(known) || !known->isDeclaration()) {
    refuse("the name '" + name + "' is given twice");
  }
}

llvm::GlobalValue::LinkageTypes linkage_of(LinkageType type) {
  switch (type) {
    case LinkageType::Export:
    case LinkageType::Import:
      return llvm::GlobalValue::ExternalLinkage;
    case LinkageType::LinkOnceODR:
      return llvm::GlobalValue::LinkOnceODRLinkage;
  }
  refuse("its linkage is unknown");
}

// The program or the library may define a function of a library name. Linking decides (passes/library_names.h). printf is no function of
// the library, but that of OpenCL.std goes by this name until it is lowered.
std::string linked_name(const std::string& name, const llvm::FunctionType* function) {
  const auto known = function ? library_name(name, *function) : std::nullopt;
  const std::string canonical = known.value_or(name);
  return is_library_name(canonical) || canonical == "printf" ? program_name(canonical) : canonical;
}

}  // namespace

Symbol symbol_of(ModuleReader& reader, std::uint32_t id, const llvm::FunctionType* function) {
  const auto linkage = reader.decorations().linkage(id);
  if (!linkage) return {internal_name(reader.name(id)), llvm::GlobalValue::InternalLinkage, false};
  const std::string name = linked_name(linkage->name, function);
  check_external_name(reader.module(), name);
  return {name, linkage_of(linkage->type), linkage->type == LinkageType::Import};
}

void check_kernel_name(const std::string& name) {
  const bool begins_well = name.size() > 1 || (name.size() == 1 && llvm::isAlpha(name[0]));
  if (!begins_well || llvm::isDigit(name[0]) || !std::ranges::all_of(name, is_of_ptx_identifier))
    refuse("'" + name + "' cannot be the name of a kernel");
  if (is_library_name(name)) refuse("'" + name + "' is the name of a function of OpenCL C");
}

llvm::MaybeAlign decorated_alignment(const ModuleReader& reader, std::uint32_t id) {
  if (const auto bytes = reader.decorations().operand(id, Decoration::Alignment))
    return checked_alignment(*bytes);
  if (const auto constant = reader.decorations().operand(id, Decoration::AlignmentId))
    return checked_alignment(reader.integer(*constant));
  return std::nullopt;
}

llvm::Align checked_alignment(std::uint64_t bytes) {
  // LLVM 22's SPIR-V back end writes 128 as a negative number of eight bits.
  if (bytes == 0xffffff80) bytes = 128;
  require(llvm::isPowerOf2_64(bytes) && bytes <= (1 << 12),
          "an alignment is a power of two, of 4096 at most");
  return llvm::Align(bytes);
}

}  // namespace clcuda::compiler::spirv
