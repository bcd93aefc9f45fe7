// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class Argument;
}

namespace clcuda::compiler {

// Whether code may change memory through a parameter that is a pointer: by a store or an atomic operation, in the function or in what it
// calls. `const` does not tell: a cast may take it away, and many kernels that only read do not say it.
//
//   kernel void k(global const int* a, global int* b) { *(global int*)a = *b; }   // a: yes, b: no
//
// The answer is yes wherever the pointer cannot be followed: into memory (but for a variable that holds nothing else, as in code that is
// not optimised), through an integer, to a function that is not known. Functions of the OpenCL C library write through pointers to what is
// not const. To be asked before the library is linked.
bool may_write_through(const llvm::Argument& pointer);

}  // namespace clcuda::compiler
