// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

TEST(ConstantPointers, ThatAreArgumentsAreOfBuffers) {
  const std::string ptx =
      built("kernel void k(global float* p, constant float* c) { p[0] = c[1]; p[1] = c[2]; }").uniform.ptx;
  EXPECT_EQ(count(ptx, "ld.global.nc"), 2U) << ptx;
  EXPECT_EQ(count(ptx, ".const"), 0U) << ptx;
  EXPECT_EQ(count(built("constant int t[3] = {1, 2, 3}; kernel void k(global int* p) { p[0] = t[p[1]]; }")
                      .uniform.ptx,
                  "ld.const"),
            1U);
  EXPECT_EQ(count(built("constant int t[20000] = {1, 2, 3}; kernel void k(global int* p) { p[0] = t[p[1]]; }")
                      .uniform.ptx,
                  ".const"),
            0U);
}

// A constant pointer that is loaded from a buffer points to a buffer, and a kernel may select between that and the program's own constants.
// Then these constants cannot be in PTX's constant state space.
TEST(ConstantPointers, OfOtherMemoryAreOfBuffers) {
  const std::string own =
      "constant int own[4] = {1, 2, 3, 4}; typedef struct { int n; constant int* p; } S; ";
  for (const char* kernel : {
           "kernel void k(global S* s, global int* out) { *out = s->p[s->n]; }",
           "kernel void k(global S* s, global int* out) { S t = *s; *out = t.p[t.n]; }",
           "kernel void k(global S* s, global int* out) { constant int* p = s->n ? own : s->p; *out = "
           "p[s->n]; }",
           "kernel void k(global S* s, global int* out) { s->p = own + s->n; }",
           "kernel void k(global ulong* s, global int* out) { *out = *(constant int*)s[0] + own[s[1]]; }",
           // As other types, in part or as a whole, through variables of any.
           "typedef union { constant int* p; ulong2 bits; } U;"
           "kernel void k(global U* u, global int* out) { U t = *u; *out = t.p[out[1]] + own[out[2]]; }",
           "typedef union { ulong bits; constant int* p; } U;"
           "kernel void k(global ulong* s, global int* out) { U t; t.bits = *s; *out = *t.p + own[s[1]]; }",
           "kernel void k(global uint* s, global int* out) { constant int* p = own; ((uint*)&p)[1] = *s; "
           "*out = *p; }",
           "kernel void k(global S* s, global int* out) { ulong raw[2]; __builtin_memcpy(raw, s, 16);"
           " *out = ((S*)raw)->p[own[raw[0]]]; }",
           "kernel void k(global ulong* s, global int* out) { ulong bits = *s; constant int* p;"
           " __builtin_memcpy(&p, &bits, 8); *out = p[own[s[1]]]; }",
           "kernel void k(global ulong* s, global int* out) { S t[4]; for (int i = 0; i < 4; ++i) {"
           " t[i].p = own; *(ulong*)&t[i].p = s[i]; } *out = t[s[4]].p[0]; }",
           "local ulong* bits_of(local void* p) { return p; }"
           "kernel void k(global ulong* s, global int* out) { local S t; t.p = own; bits_of(&t)[1] = *s;"
           " *out = *t.p; }",
           "global union { ulong bits; constant int* p; } u; kernel void a(global ulong* s) { u.bits = *s; }"
           "kernel void k(global int* out) { *out = *u.p + own[out[1]]; }",
           "kernel void k(global S* s) { S t = {1, own}; *s = t; }",
           "constant S table[2] = {{1, own}, {2, own + 1}};"
           "__attribute__((noinline)) void copy(global S* to, constant S* from) { *to = *from; }"
           "kernel void k(global S* s) { copy(s, table + s[1].n); }",
           "kernel void k(global ulong* s) { *s = (ulong)(own + s[1]); }",
           "kernel void k(global ulong* s) { constant int* p = own + s[1]; *s = *(ulong*)&p; }",
           "kernel void k(global ulong* s, global int* out) { constant int* p;"
           " asm(\"mov.b64 %0, %1;\" : \"=l\"(p) : \"l\"(*s)); *out = *p + own[s[1]]; }",
       })
    EXPECT_EQ(count(built(own + kernel).uniform.ptx, ".const"), 0U) << kernel;
  // If all pointers are to the program's own constants, these stay in the constant state space.
  for (const char* kernel : {
           "constant int other[2] = {5, 6}; constant int* constant both[2] = {own, other}; "
           "kernel void k(global int* a) { *a = both[a[1] & 1][a[2]]; }",
           "kernel void k(global int* a) { S t[2] = {{1, own}, {2, own + 1}}; *a = t[a[1]].p[a[2]]; }",
           "kernel void k(global int* a) { constant int *p = own, *q = own + a[0]; *a = q - p + p[a[1]]; }",
           "kernel void k(global int* a) { S t[4], u[4]; for (int i = 0; i < 4; ++i) { t[i].n = a[i]; t[i].p "
           "= own + i; }"
           " u[a[5]] = t[a[6]]; *a = u[a[7]].p[u[a[8]].n]; }",
           "typedef struct Node { int n; constant struct Node* next; } Node;"
           "constant Node last = {1, 0}, first = {2, &last};"
           "kernel void k(global int* a) { int sum = 0;"
           " for (constant Node* n = a[0] ? &first : &last; n; n = n->next) sum += n->n; *a = sum; }",
           "kernel void k(global int* a) { union { constant int* p; ulong2 bits; } u; u.p = own; *a = "
           "u.p[a[1]]; }",
       })
    EXPECT_GT(count(built(own + kernel).uniform.ptx, "ld.const"), 0U) << kernel;
}

}  // namespace
}  // namespace clcuda::compiler
