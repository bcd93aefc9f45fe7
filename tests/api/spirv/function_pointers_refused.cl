// SPDX-License-Identifier: Apache-2.0
// SPIR-V extensions: SPV_INTEL_function_pointers
// Functions that cannot be called through pointers, and one that can.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

typedef void (*function)(global int*, local int*);

void waits(global int* a, local int* b) {
  *a += 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  *a += *b;
}
void calls_waits(global int* a, local int* b) { waits(a + 1, b); }
void uses_argument(global int* a, local int* b) {
  *b = *a;
  *a = *b + 1;
}

kernel void k(global int* a, local int* b, global const uint* which) {
  const function functions[] = {waits, calls_waits, uses_argument};
  functions[*which % 3](a, b);
}
