// SPDX-License-Identifier: Apache-2.0
// Operations on the lanes of a warp: each suspends the item until the lanes of its mask have arrived.
#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {

void FunctionTranslator::warp_sync(const Instruction& in) {
  suspend(Wait::warp_sync, {read(in, 0, bits_type(32))});
}

void FunctionTranslator::active_mask(const Instruction& in) {
  write(in, 0, resize(suspend(Wait::active_mask, {builder_.getInt32(kWhoeverIsThere)}), 32));
}

void FunctionTranslator::write_vote(const Instruction& in, llvm::Value* result) {
  write(in, 0, resize(result, in.has(Modifier::ballot) ? 32 : 1));
}

void FunctionTranslator::vote_sync(const Instruction& in) {
  const Wait wait = in.has(Modifier::ballot) ? Wait::vote_ballot
                    : in.has(Modifier::any)  ? Wait::vote_any
                    : in.has(Modifier::all)  ? Wait::vote_all
                                             : Wait::vote_uni;
  write_vote(in, suspend(wait, {read(in, 2, bits_type(32)), read(in, 1, kPredicateType)}));
}

void FunctionTranslator::vote(const Instruction& in) {
  const Wait wait = in.has(Modifier::ballot) ? Wait::vote_ballot
                    : in.has(Modifier::any)  ? Wait::vote_any
                    : in.has(Modifier::all)  ? Wait::vote_all
                                             : Wait::vote_uni;
  write_vote(in, suspend(wait, {builder_.getInt32(kWhoeverIsThere), read(in, 1, kPredicateType)}));
}

void FunctionTranslator::shuffle_sync(const Instruction& in) {
  const Type word = bits_type(32);
  const Wait wait = in.has(Modifier::up)     ? Wait::shuffle_up
                    : in.has(Modifier::down) ? Wait::shuffle_down
                    : in.has(Modifier::bfly) ? Wait::shuffle_bfly
                                             : Wait::shuffle_idx;
  llvm::Value* result =
      suspend(wait, {read(in, 4, word), read(in, 1, word), read(in, 2, word), read(in, 3, word)});
  write_pair(in, resize(result, 32), resize(builder_.CreateLShr(result, 32), 1));
}

void FunctionTranslator::match_sync(const Instruction& in) {
  const bool all = in.has(Modifier::all);
  llvm::Value* result =
      suspend(all ? Wait::match_all : Wait::match_any, {read(in, 2, bits_type(32)), read(in, 1, in.type())});
  if (all)
    write_pair(in, resize(result, 32), resize(builder_.CreateLShr(result, 32), 1));
  else
    write(in, 0, resize(result, 32));
}

void FunctionTranslator::reduce_sync(const Instruction& in) {
  const bool is_signed = in.type().is_signed();
  const Wait wait =
      in.has(Modifier::add)    ? Wait::reduce_add
      : in.has(Modifier::min)  ? (is_signed ? Wait::reduce_min_signed : Wait::reduce_min_unsigned)
      : in.has(Modifier::max)  ? (is_signed ? Wait::reduce_max_signed : Wait::reduce_max_unsigned)
      : in.has(Modifier::and_) ? Wait::reduce_and
      : in.has(Modifier::or_)  ? Wait::reduce_or
                               : Wait::reduce_xor;
  write(in, 0, resize(suspend(wait, {read(in, 2, bits_type(32)), read(in, 1, in.type())}), 32));
}

void FunctionTranslator::elect_sync(const Instruction& in) {
  llvm::Value* result = suspend(Wait::elect, {read(in, 1, bits_type(32))});
  write_pair(in, resize(result, 32), resize(builder_.CreateLShr(result, 32), 1));
}

}  // namespace clcuda::ptx
