// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class FunctionPass;
}

namespace clcuda::compiler {

// Extends a 32-bit number to 64 bits again in the block where it is scaled:
//
//   %long = sext i32 %n to i64   …   %stride = shl i64 %long, 2     →  …  %again = sext i32 %n to i64; %stride = shl i64 %again, 2
//
// Instruction selection, which looks at one block at a time, then makes one instruction of both (mul.wide), which ptxas fuses with each
// addition of the stride to an address (IMAD.WIDE): one instead of two. The same for a stride that is merged from several blocks (phi)
// where it is computed alike. Runs just before instruction selection, since passes before would merge the two again.
llvm::FunctionPass* extend_where_scaled();

}  // namespace clcuda::compiler
