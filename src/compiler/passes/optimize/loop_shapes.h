// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class CallBase;
class Loop;
}  // namespace llvm

namespace clcuda::compiler {

// What passes that unroll loops ask of them.

// Whether a load, or a texture fetch, needs what another one in the same turn brings.
bool chains_loads(const llvm::Loop& loop);

// Whether the program or an earlier pass has said how it is to be unrolled.
bool has_own_wish(const llvm::Loop& loop);

// Instructions of its body.
unsigned size_of(const llvm::Loop& loop);

// A texture fetch, as builtins/image_fetch.h has it.
bool is_fetch(const llvm::CallBase& call);

}  // namespace clcuda::compiler
