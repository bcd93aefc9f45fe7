// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::refused;

TEST(KernelInfo, Arguments) {
  const CompiledProgram program = built(R"(
    typedef struct { int a; char b; long c; } Item;
    kernel void k(global const float* restrict in, constant int* table, local double2* scratch, char c, float3 v, Item item,
                  volatile global Item* out, unsigned int n, half h, local char* bytes) {})",
                                        "-cl-std=CL3.0 -cl-kernel-arg-info");
  ASSERT_EQ(program.kernels.size(), 1U);
  const KernelInfo& kernel = program.kernels[0];
  EXPECT_EQ(kernel.name, "k");
  ASSERT_EQ(kernel.arguments.size(), 10U);

  struct Expected {
    const char *type, *name;
    ArgumentKind kind;
    AddressQualifier address;
    std::uint32_t size, offset, bytes;
  };
  const Expected expected[] = {
      {"float*", "in", ArgumentKind::global_pointer, AddressQualifier::global, 8, 0, 8},
      {"int*", "table", ArgumentKind::constant_pointer, AddressQualifier::constant, 8, 8, 8},
      {"double2*", "scratch", ArgumentKind::local_pointer, AddressQualifier::local, 0, 16, 4},
      {"char", "c", ArgumentKind::value, AddressQualifier::private_, 1, 20, 1},
      {"float3", "v", ArgumentKind::value, AddressQualifier::private_, 16, 32, 16},
      {"Item", "item", ArgumentKind::value, AddressQualifier::private_, 16, 48, 16},
      {"Item*", "out", ArgumentKind::global_pointer, AddressQualifier::global, 8, 64, 8},
      {"uint", "n", ArgumentKind::value, AddressQualifier::private_, 4, 72, 4},
      {"half", "h", ArgumentKind::value, AddressQualifier::private_, 2, 76, 2},
      {"char*", "bytes", ArgumentKind::local_pointer, AddressQualifier::local, 0, 80, 4},
  };
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const ArgumentInfo& argument = kernel.arguments[i];
    EXPECT_EQ(argument.type_name, expected[i].type);
    EXPECT_EQ(argument.name, expected[i].name);
    EXPECT_EQ(argument.kind, expected[i].kind) << argument.name;
    EXPECT_EQ(argument.address, expected[i].address) << argument.name;
    EXPECT_EQ(argument.access, AccessQualifier::none) << argument.name;
    EXPECT_EQ(argument.size, expected[i].size) << argument.name;
    EXPECT_EQ(argument.offset, expected[i].offset) << argument.name;
    EXPECT_EQ(argument.parameter_size, expected[i].bytes) << argument.name;
  }
  EXPECT_TRUE(kernel.arguments[0].is_const && kernel.arguments[0].is_restrict &&
              !kernel.arguments[0].is_volatile);
  EXPECT_TRUE(kernel.arguments[6].is_volatile);
  EXPECT_EQ(kernel.arguments[2].pointee_alignment, 16U);
  EXPECT_EQ(kernel.arguments[9].pointee_alignment, 1U);
  EXPECT_EQ(kernel.parameter_size, 84U);
}

// C++ for OpenCL: applications see references as pointers.
TEST(KernelInfo, References) {
  const CompiledProgram program = built(R"(
    struct S { int a[4]; };
    typedef const unsigned int Number;
    kernel void k(global int& x, local double2& y, const constant float& z, volatile global unsigned char& b,
                  global unsigned short (&array)[4], global S& s, global Number& n, global int* const global& p, int v) {})",
                                        "-cl-std=CLC++2021 -cl-kernel-arg-info");
  ASSERT_EQ(program.kernels.size(), 1U);
  const KernelInfo& kernel = program.kernels[0];
  struct Expected {
    const char* type;
    ArgumentKind kind;
    AddressQualifier address;
    bool is_const, is_volatile;
    std::uint32_t size, offset;
  };
  const Expected expected[] = {
      {"int&", ArgumentKind::global_pointer, AddressQualifier::global, false, false, 8, 0},
      {"double2&", ArgumentKind::local_pointer, AddressQualifier::local, false, false, 0, 8},
      {"float&", ArgumentKind::constant_pointer, AddressQualifier::constant, true, false, 8, 16},
      {"uchar&", ArgumentKind::global_pointer, AddressQualifier::global, false, true, 8, 24},
      {"ushort(&)[4]", ArgumentKind::global_pointer, AddressQualifier::global, false, false, 8, 32},
      {"S&", ArgumentKind::global_pointer, AddressQualifier::global, false, false, 8, 40},
      {"Number&", ArgumentKind::global_pointer, AddressQualifier::global, true, false, 8, 48},
      {"int*&", ArgumentKind::global_pointer, AddressQualifier::global, true, false, 8, 56},
      {"int", ArgumentKind::value, AddressQualifier::private_, false, false, 4, 64},
  };
  ASSERT_EQ(kernel.arguments.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const ArgumentInfo& argument = kernel.arguments[i];
    EXPECT_EQ(argument.type_name, expected[i].type);
    EXPECT_EQ(argument.kind, expected[i].kind) << argument.name;
    EXPECT_EQ(argument.address, expected[i].address) << argument.name;
    EXPECT_EQ(argument.is_const, expected[i].is_const) << argument.name;
    EXPECT_EQ(argument.is_volatile, expected[i].is_volatile) << argument.name;
    EXPECT_EQ(argument.size, expected[i].size) << argument.name;
    EXPECT_EQ(argument.offset, expected[i].offset) << argument.name;
  }
  EXPECT_EQ(kernel.arguments[1].pointee_alignment, 16U);
}

// C++ for OpenCL: a kernel in a namespace has C linkage, and type names are those that the program uses.
TEST(KernelInfo, OfNamespaces) {
  const CompiledProgram program = built(R"(
    namespace n {
    struct S { int x; };
    enum class E : char { one };
    kernel void a(global S& s, E e, const local S& shared) { s.x = (int)e + shared.x; }
    namespace { kernel void b(S s, global int* p) { *p = s.x; } }
    }
    namespace {
    struct T { int x[3]; };
    kernel void c(T t, global T& u, global n::S* s) { u = t; }
    }
    inline namespace v1 { __kernel __attribute__((reqd_work_group_size(4, 1, 1))) void d(global T* t) {} }
    namespace n::m { kernel void e(global struct S* s, volatile global n::S& t) {} }
    extern "C" { kernel void f(global T& t); kernel void f(global T& t) {} namespace n { kernel void g(float4 s) {} } }
    extern "C" kernel void h(int x) {})",
                                        "-cl-std=CLC++2021 -cl-kernel-arg-info");
  std::string names, arguments;
  for (const KernelInfo& kernel : program.kernels) {
    names += kernel.name + " ";
    for (const ArgumentInfo& argument : kernel.arguments)
      arguments += argument.type_name + " " + argument.name + " " + std::to_string(argument.offset) + ", ";
  }
  EXPECT_EQ(names, "a b c d e f g h ");
  EXPECT_EQ(arguments,
            "S& s 0, E e 8, S& shared 12, S s 0, int* p 8, T t 0, T& u 16, n::S* s 24, T* t 0, struct S* s "
            "0, n::S& t 8, "
            "T& t 0, float4 s 0, int x 0, ");
  ASSERT_EQ(program.kernels.size(), 8U);
  EXPECT_EQ(program.kernels[0].arguments[2].kind, ArgumentKind::local_pointer);
  EXPECT_TRUE(program.kernels[0].arguments[2].is_const);
  EXPECT_EQ(program.kernels[3].attributes, "reqd_work_group_size(4,1,1)");
  EXPECT_TRUE(program.kernels[4].arguments[1].is_volatile);
  EXPECT_NE(
      refused("namespace a { kernel void k() {} } namespace b { kernel void k() {} }", "-cl-std=CLC++2021")
          .find("redefinition"),
      std::string::npos);
}

TEST(KernelInfo, Attributes) {
  const CompiledProgram program = built(R"(
    kernel __attribute__((reqd_work_group_size(8, 4, 2))) void a() {}
    kernel __attribute__((work_group_size_hint(64, 1, 1), vec_type_hint(uint4))) void b() {}
    kernel void c() {})");
  ASSERT_EQ(program.kernels.size(), 3U);
  EXPECT_EQ(program.kernels[0].attributes, "reqd_work_group_size(8,4,2)");
  EXPECT_EQ(program.kernels[0].required_work_group_size, (std::array<std::uint32_t, 3>{8, 4, 2}));
  EXPECT_EQ(program.kernels[1].work_group_size_hint, (std::array<std::uint32_t, 3>{64, 1, 1}));
  EXPECT_EQ(program.kernels[1].attributes, "vec_type_hint(uint4) work_group_size_hint(64,1,1)");
  EXPECT_EQ(program.kernels[2].attributes, "");
}

TEST(KernelInfo, UniformWorkGroups) {
  const char* source = "kernel void k() {}";
  EXPECT_FALSE(built(source).kernels[0].uniform_work_group_size);
  EXPECT_TRUE(built(source, "-cl-std=CL3.0 -cl-uniform-work-group-size").kernels[0].uniform_work_group_size);
  EXPECT_TRUE(built(source, "").kernels[0].uniform_work_group_size);
}

TEST(KernelInfo, LocalVariablesBeyondStaticMemory) {
  const CompiledProgram program = built(R"(
    kernel void small(global float* p) { local float a[64]; a[get_local_id(0)] = *p; barrier(1); *p = a[3]; }
    kernel void large(global float* p) {
      local float a[20000]; local double b[3];
      int l = get_local_id(0); a[l] = p[l]; b[l % 3] = l; barrier(1); p[l] = a[l ^ 1] + b[l % 2];
    })");
  EXPECT_EQ(program.kernels[0].static_local_size, 0U);
  EXPECT_EQ(program.kernels[1].static_local_size, 80024U);
  EXPECT_EQ(testing::ptxas_complaint(program.uniform.ptx, 90), "");
}

TEST(KernelInfo, ProgramScopeVariables) {
  const CompiledProgram with = built(
      "global int counter = 3; constant int t[2] = {1, 2}; global const int u[4] = {5, 6, 7, 8};"
      "kernel void k(global int* p) { *p = counter++ + t[*p] + u[p[1]]; }");
  EXPECT_EQ(with.global_variable_size, 4U);
  EXPECT_TRUE(with.uniform_is_general);
  EXPECT_FALSE(built("kernel void k() {}").uniform_is_general);
}

}  // namespace
}  // namespace clcuda::compiler
