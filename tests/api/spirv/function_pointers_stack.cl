// SPDX-License-Identifier: Apache-2.0
// SPIR-V extensions: SPV_INTEL_function_pointers
// A function with a private array of 4000 bytes, and one without.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

uint small(global const uint* a) { return a[0]; }
uint large(global const uint* a) {
  volatile uint values[1000];
  values[a[0]] = a[1];
  values[a[1]] = a[0];
  return values[a[0]] + values[a[1]];
}

kernel void k(global uint* a) {
  uint (*const functions[])(global const uint*) = {large, small};
  a[0] = functions[a[0] == 0](a);
}
