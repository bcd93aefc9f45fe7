// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugLoc.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace clcuda::compiler::spirv {

// Line numbers (OpLine), as Clang leaves them for programs that are built with debug information: directives
// only.
class DebugLines {
 public:
  DebugLines(llvm::Module& module, bool wanted);
  ~DebugLines();

  // Of what follows, in the current function.
  void set(const std::string& file, std::uint32_t line, std::uint32_t column);
  void clear() { location_ = {}; }

  void begin_function(llvm::Function& function);
  void end_function();
  // Of the current instruction; empty where nothing is known.
  llvm::DebugLoc location() const;

  // Once all functions are read.
  void complete();

 private:
  llvm::DIFile* file(const std::string& path);
  llvm::DISubprogram* subprogram(llvm::DIFile* file, std::uint32_t line);

  llvm::Module& module_;
  std::unique_ptr<llvm::DIBuilder> builder_;  // null: not wanted
  llvm::DICompileUnit* unit_ = nullptr;
  std::unordered_map<std::string, llvm::DIFile*> files_;
  llvm::Function* function_ = nullptr;
  llvm::DebugLoc location_;
};

}  // namespace clcuda::compiler::spirv
