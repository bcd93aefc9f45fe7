// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class CallBase;
class Loop;
}  // namespace llvm

namespace clcuda::compiler {

// Properties of loops by which passes decide whether to unroll them.

// True if the address of a load or texture fetch depends on another load of the same iteration, as in a[index[i]].
bool chains_loads(const llvm::Loop& loop);

// True if metadata says how to unroll the loop: by the program (#pragma unroll) or an earlier pass.
bool has_own_wish(const llvm::Loop& loop);

// The number of instructions in its blocks, debug information excluded.
unsigned size_of(const llvm::Loop& loop);

// True for inline assembly without side effects that is not convergent, which is what texture fetches are (builtins/image_fetch.h).
bool is_fetch(const llvm::CallBase& call);

}  // namespace clcuda::compiler
