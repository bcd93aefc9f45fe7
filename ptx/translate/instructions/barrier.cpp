// SPDX-License-Identifier: Apache-2.0
// bar and barrier
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

void FunctionTranslator::barrier_sync(const Instruction& in) {
  llvm::Value* number = read(in, 0, unsigned_type(32));
  llvm::Value* count = in.operands.size() > 1 ? read(in, 1, unsigned_type(32)) : builder_.getInt32(0);
  suspend(Wait::barrier, {number, count});
}

void FunctionTranslator::barrier_arrive(const Instruction& in) {
  suspend(Wait::barrier_arrive, {read(in, 0, unsigned_type(32)), read(in, 1, unsigned_type(32))});
}

void FunctionTranslator::barrier_reduce(const Instruction& in) {
  const bool counted = in.operands.size() > 3;
  llvm::Value* number = read(in, 1, unsigned_type(32));
  llvm::Value* count = counted ? read(in, 2, unsigned_type(32)) : builder_.getInt32(0);
  llvm::Value* predicate = read(in, counted ? 3 : 2, kPredicateType);
  const Wait wait = in.has(Modifier::popc)   ? Wait::barrier_popc
                    : in.has(Modifier::and_) ? Wait::barrier_and
                                             : Wait::barrier_or;
  llvm::Value* result = suspend(wait, {number, count, predicate});
  write(in, 0, resize(result, in.has(Modifier::popc) ? 32 : 1));
}

}  // namespace clcuda::ptx
