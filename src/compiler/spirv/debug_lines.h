// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugLoc.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace clcuda::compiler::spirv {

// Turns OpLine into debug locations, in the form that Clang emits for programs with debug information: line directives only. Without
// `wanted` all functions do nothing.
//
//   lines.begin_function(f); lines.set("k.cl", 7, 3); builder.SetCurrentDebugLocation(lines.location()); …
//   lines.end_function(); … lines.complete();
class DebugLines {
 public:
  DebugLines(llvm::Module& module, bool wanted);
  ~DebugLines();

  // The location of the following instructions of the current function.
  void set(const std::string& file, std::uint32_t line, std::uint32_t column);
  void clear() { location_ = {}; }

  void begin_function(llvm::Function& function);
  void end_function();
  // The location for the instruction that is made now; empty if none is known.
  llvm::DebugLoc location() const;

  // To be called once all functions have been read.
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
