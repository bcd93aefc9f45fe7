// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class FunctionPass;
}

namespace clcuda::compiler {

// Takes the extension of a sum for the sum of extensions where it has been computed before, so that accesses at constant distances have one
// address in common, from which ptxas sees that they differ:
//
//   a[zext(x + y)], a[zext(x) + zext(y) + 4096]    →  p = &a[zext(x + y)]; p[0], p[4096]
//
// With two addresses, no load moves ahead of a store through the other one, and an unrolled loop waits for memory in each of its copies.
// separate-const-offset-from-gep makes sums of extensions of indices with a constant, and replaces them again only if the constant was
// added last, not if it has been moved out of a loop. Does nothing to sums that may wrap without that being undefined, and adds no
// instruction. Runs where equal values have been merged, ahead of LLVM's last pass that merges them.
llvm::FunctionPass* share_extended_sums();

}  // namespace clcuda::compiler
