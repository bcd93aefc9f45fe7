// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/debug_lines.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Path.h>

namespace clcuda::compiler::spirv {

DebugLines::DebugLines(llvm::Module& module, bool wanted) : module_(module) {
  if (wanted) builder_ = std::make_unique<llvm::DIBuilder>(module);
}

DebugLines::~DebugLines() = default;

llvm::DIFile* DebugLines::file(const std::string& path) {
  llvm::DIFile*& file = files_[path];
  if (!file) file = builder_->createFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
  if (!unit_) {
    unit_ = builder_->createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C99), file, "clcuda",
                                        true, "", 0, "", llvm::DICompileUnit::DebugDirectivesOnly);
    module_.addModuleFlag(llvm::Module::Max, "Dwarf Version", 2);
    module_.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  }
  return file;
}

llvm::DISubprogram* DebugLines::subprogram(llvm::DIFile* file, std::uint32_t line) {
  if (llvm::DISubprogram* known = function_->getSubprogram()) return known;
  auto* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  auto* subprogram = builder_->createFunction(
      unit_, function_->getName(), "", file, line, type, line, llvm::DINode::FlagPrototyped,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function_->setSubprogram(subprogram);
  return subprogram;
}

void DebugLines::set(const std::string& path, std::uint32_t line, std::uint32_t column) {
  if (!builder_ || !function_) return;
  llvm::DIFile* source = file(path);
  llvm::DISubprogram* function = subprogram(source, line);
  llvm::DIScope* scope = function;
  if (function->getFile() != source) scope = builder_->createLexicalBlockFile(function, source);
  // LLVM stores columns in 16 bits.
  location_ = llvm::DILocation::get(module_.getContext(), line, column < 0x10000 ? column : 0, scope);
}

void DebugLines::begin_function(llvm::Function& function) {
  function_ = &function;
  location_ = {};
}

void DebugLines::end_function() {
  function_ = nullptr;
  location_ = {};
}

// LLVM requires a location on a call of a function with debug information, also where the caller's instruction has no line.
llvm::DebugLoc DebugLines::location() const {
  if (location_ || !function_ || !function_->getSubprogram()) return location_;
  return llvm::DILocation::get(module_.getContext(), 0, 0, function_->getSubprogram());
}

void DebugLines::complete() {
  if (builder_ && unit_) builder_->finalize();
}

}  // namespace clcuda::compiler::spirv
