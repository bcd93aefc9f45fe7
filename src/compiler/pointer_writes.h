// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/parts_of_types.h"

namespace llvm {
class Argument;
class CallBase;
class StoreInst;
class Use;
class Value;
}  // namespace llvm

namespace clcuda::compiler {

// Tells whether code may change memory through a parameter that is a pointer: by a store or an atomic operation, in the function or in what
// it calls. `const` does not tell: a cast may take it away, and many kernels that only read do not say it.
//
//   kernel void k(global const int* a, global int* b) { *(global int*)a = *b; }   // a: yes, b: no
//
// The answer is yes wherever the pointer cannot be followed: into memory (but for a variable that holds nothing else, as in code that is
// not optimised), through an integer, to a function that is not known. Functions of the OpenCL C library write through pointers to what is
// not const. To be asked before the library is linked.
//
// Follows each value once, also where several parameters are passed to one function. What has been followed must not be deleted between
// questions.
class PointerWrites {
 public:
  PointerWrites();
  bool may_write_through(const llvm::Argument& pointer);

 private:
  bool may_write(const llvm::Use& use);
  bool store_may_write(const llvm::StoreInst& store, const llvm::Use& use);
  bool call_may_write(const llvm::CallBase& call, const llvm::Use& use);
  bool variable_may_be_written(const llvm::Use& use);
  bool result_may_be_written(const llvm::Use& use);
  bool derived_may_be_written(const llvm::Value& derived, const llvm::Use& use);
  bool may_be_written(const llvm::Value& next, const llvm::Value& from);
  void set_written(const llvm::Value& value);

  PartsOfTypes pointers_;
  // The values found, each with those from which it was derived. Variables stand for what they hold, functions for their results.
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<const llvm::Value*, 1>> sources_;
  llvm::SmallVector<const llvm::Value*> open_;  // those whose uses have not been examined
  llvm::DenseSet<const llvm::Value*> written_;  // those through which code may write
};

}  // namespace clcuda::compiler
