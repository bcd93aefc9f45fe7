// SPDX-License-Identifier: Apache-2.0
// ArgumentInfo::is_written: the pointers through which a kernel may write, regardless of const in the source. Names of parameters give the
// expectation: w… are written, r… are not.
#include "support.h"

namespace clcuda::compiler {
namespace {

void expect_as_named(std::string_view source, const std::string& options) {
  const CompiledProgram program = testing::built(source, options + " -cl-kernel-arg-info");
  ASSERT_FALSE(program.kernels.empty());
  for (const KernelInfo& kernel : program.kernels)
    for (const ArgumentInfo& argument : kernel.arguments) {
      if (argument.kind == ArgumentKind::global_pointer)
        EXPECT_EQ(argument.name.front() == 'w', argument.is_written)
            << kernel.name << ", " << argument.name << ", with \"" << options << '"';
      else
        EXPECT_FALSE(argument.is_written) << kernel.name << ", " << argument.name;
    }
}

// The same without optimization, where variables are in memory.
class PointerWrites : public ::testing::TestWithParam<std::string> {};

TEST_P(PointerWrites, StoresInTheKernel) {
  expect_as_named(R"(
    kernel void plain(global const int* r, global int* r_not_const, global int* w, local int* l, constant int* c) {
      w[0] = r[0] + r_not_const[1] + c[0];
      l[0] = 1;
    }
    kernel void const_cast_away(global const int* w1, const global int* w2, global const int* r) {
      *(global int*)w1 = *r;
      ((global char*)w2)[3] = 1;
    }
    kernel void moved(global const int* r, global const int* w, int n) {
      global const int* at = r + n;
      global int* to = (global int*)w + 1;
      for (int i = 0; i < n; ++i) *to++ = *at++;
    }
    kernel void chosen(global const int* w1, global const int* w2, global const int* r, int n) {
      global int* to = (global int*)(n > 3 ? w1 : w2);
      *to = r < w1 ? *r : 2;
    }
    kernel void volatile_load(global volatile const int* r, global volatile int* w) { *w = *r; }
    kernel void vectors(global const float4* r, global float4* w) { w->xy = r->zw; }
    kernel void structures(global const struct { int a[4]; int b; }* r, global struct { int a[4]; int b; }* w) { w->a[1] = r->b; }
    kernel void whole(global struct S { int a[40]; }* r, global struct S* w) { *w = *r; }
    kernel void generic_pointer(global const int* r, global const int* w) {
      const int* from = r;
      int* to = (int*)w;
      *to = *from;
    })",
                  "-cl-std=CL3.0 " + GetParam());
}

TEST_P(PointerWrites, Functions) {
  expect_as_named(R"(
    int get(global const int* p, int i) { return p[i]; }
    void put(global const int* p, int i) { *(global int*)p = i; }
    global const int* step(global const int* p, int n) { return n ? p + 1 : p; }
    void either(global const int* a, global const int* b, int n) { put(n > 3 ? a : b, n); }
    __attribute__((noinline)) void far(global int* p) { put(p, 7); }
    kernel void called(global const int* r, global const int* w, global const int* w_far) {
      put(w, get(r, 1));
      far((global int*)w_far);
    }
    global const int* skip(global const int* p) { return p + 3; }
    kernel void returned(global const int* r, global const int* w) { put(step(w, 2), *skip(r)); }
    kernel void swapped(global const int* w1, global const int* w2) { either(w1, w2, 3); }
    kernel void inner(global const int* w, global const int* r) { put(w, *r); }
    kernel void outer(global const int* w, global const int* r) { inner(w, r); })",
                  "-cl-std=CL3.0 " + GetParam());
}

TEST_P(PointerWrites, FunctionsOfTheLibrary) {
  expect_as_named(R"(
    kernel void vload(global const float* r, global float* w) { vstore4(vload4(0, r), 1, w); }
    kernel void halves(global const half* r, global half* w) { vstore_half(vload_half(0, r), 1, w); }
    kernel void fractions(global float* w, float x) { fract(x, w); }
    kernel void async_copies(global const int* r, global int* w, local int* l) {
      event_t done = async_work_group_copy(l, r, 10, 0);
      done = async_work_group_copy(w, l, 10, done);
      prefetch(r, 1);
      wait_group_events(1, &done);
    }
    kernel void atomics(global int* w1, global atomic_int* w2, global int* w3) {
      atomic_add(w1, 1);
      atomic_store(w2, 1);
      atomic_cmpxchg(w3, 1, 2);
    })",
                  "-cl-std=CL3.0 " + GetParam());
}

// Pointers that the analysis cannot follow may be written.
TEST_P(PointerWrites, LostPointers) {
  expect_as_named(R"(
    kernel void number(global const int* w, global int* w_to) { *(global int*)((ulong)w + 4) = *w_to = 1; }
    kernel void in_memory(global const int* w, global ulong* w_to, global const int* r) {
      global const int* list[2] = {w, 0};
      *(global int*)list[*r] = 3;
      *(global const int* global*)w_to = w;
    }
    global const int* step(global const int* p) { return p + 1; }
    kernel void returned_to_both(global const int* w, global const int* w_or_not) { *(global int*)step(w) = *step(w_or_not); }
    kernel void variable_that_is_known(global const int* w, global const int* r) {
      global const int* p = w;
      global const int** q = &p;
      *(global int*)*q = *r;
    })",
                  "-cl-std=CL3.0 " + GetParam());
}

TEST_P(PointerWrites, CppForOpenCL) {
  expect_as_named(R"(
    template <class T> struct View {
      const T* data;
      T& operator[](int i) const { return const_cast<T&>(data[i]); }
    };
    kernel void references(global const int& r, global int& w, global const int& w_const) {
      w = r;
      const_cast<global int&>(w_const) = 3;
    }
    kernel void view(global const int* w) { View<global int>{w}[1] = 2; })",
                  "-cl-std=CLC++2021 " + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Of, PointerWrites, ::testing::Values("", "-cl-opt-disable"),
                         [](const auto& of) { return of.param.empty() ? "Optimized" : "Unoptimized"; });

}  // namespace
}  // namespace clcuda::compiler
