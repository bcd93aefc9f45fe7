// SPDX-License-Identifier: Apache-2.0
// SPIR-V extensions: SPV_INTEL_function_pointers
// Calls through pointers to functions.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

typedef uint (*unary)(uint);

uint add_100(uint x) { return x + 100; }
uint triple(uint x) { return 3 * x; }
uint with_id(uint x) { return x + (uint)get_global_id(0) * 1000; }

constant unary table[3] = {add_100, triple, with_id};

__attribute__((noinline)) uint twice(unary f, uint x) { return f(f(x)); }

// By a table, and by a function that takes a pointer.
kernel void from_table(global uint* a) {
  const size_t i = get_global_id(0);
  a[i] = table[a[i] % 3](a[i]) + twice(table[(a[i] + 1) % 3], a[i]);
}

// Selected, compared, and carried through a loop.
kernel void selected(global uint* a) {
  const size_t i = get_global_id(0);
  unary f = a[i] & 1 ? add_100 : triple;
  uint x = a[i];
  for (uint n = x % 7; n != 0; --n) {
    x = f(x);
    if (f == add_100)
      f = table[n % 3];
    else if (f != with_id)
      f = add_100;
  }
  a[i] = x;
}

// Numbers in a buffer that are addresses, which the next kernel calls.
kernel void store(global ulong* pointers) {
  const size_t i = get_global_id(0);
  pointers[i] = (ulong)table[pointers[i] % 3];
}
kernel void call(global const ulong* pointers, global uint* a) {
  const size_t i = get_global_id(0);
  a[i] = ((unary)pointers[i])(a[i]);
}

// Of other types.
typedef struct {
  char tag;
  ulong number;
  int more[3];
} structure;
typedef structure (*of_structures)(structure, float4, bool);

structure negated(structure s, float4 v, bool wanted) {
  s.number = wanted ? -s.number : s.number + (ulong)v.z;
  s.more[1] -= s.tag;
  return s;
}
structure doubled(structure s, float4 v, bool wanted) {
  s.number *= wanted ? 2 : (ulong)v.w;
  return s;
}

kernel void structures(global uint* a) {
  const size_t i = get_global_id(0);
  structure s = {(char)(a[i] % 50), a[i], {1, 2, 3}};
  of_structures f = a[i] & 1 ? negated : doubled;
  const structure t = f(s, (float4)(1, 2, 3, 4), a[i] & 2);
  a[i] = (uint)t.number + s.more[1] + t.more[1] * 10;
}

// A function that is given itself.
typedef struct recursion {
  uint (*function)(const struct recursion*, uint);
} recursion;
uint sum(const recursion* self, uint n) { return n == 0 ? 0 : n + self->function(self, n - 1); }
kernel void recursive(global uint* a) {
  const size_t i = get_global_id(0);
  const recursion self = {a[i] == 0xffffffff ? 0 : sum};
  a[i] = sum(&self, a[i] % 10);
}

void print(uint x) { printf("%u at %u\n", x, (uint)get_global_id(0)); }
void nothing(uint x) {}
kernel void prints(global const uint* a) {
  void (*const functions[])(uint) = {nothing, print};
  functions[a[get_global_id(0)] % 2](a[get_global_id(0)]);
}
