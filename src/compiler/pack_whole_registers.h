// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class MachineFunctionPass;
}

namespace clcuda::compiler {

// ptxas (13.0, every chip since Turing) may write the upper half of a pair of 16-bit numbers into the register of a 32-bit or 64-bit number
// whose lower half is in the pair, although that number is still needed. A pair with such a half is made from whole registers:
//
//   cvt.u16.u32 %rs1, %r1; mov.b32 %r2, {%rs1, %rs2}    →  cvt.u32.u16 %r3, %rs2; prmt.b32 %r2, %r1, %r3, 0x5410
//
// Does nothing to pairs whose halves are computed in 16 bits.
//
// To go when kernels_random_expressions passes on a GPU without it for some minutes.
llvm::MachineFunctionPass* pack_whole_registers();

}  // namespace clcuda::compiler
