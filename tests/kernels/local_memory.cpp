// SPDX-License-Identifier: Apache-2.0
// The whole local memory of a device: in arguments, in variables, in both, and together with the library's own use of it.
#include <array>

#include "support/opencl.h"

namespace {

class LocalMemory : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof size, &size, nullptr));
  }
  // The work-group writes each word of its local memory and adds the words up in reverse order.
  static std::string body(const std::string& words) {
    return "  size_t l = get_local_id(0), n = get_local_size(0); ulong sum = 0;\n"
           "  for (size_t i = l; i < " +
           words +
           "; i += n) p[i] = (uint)(i * 3 + get_group_id(0));\n"
           "  barrier(CLK_LOCAL_MEM_FENCE);\n"
           "  for (size_t i = l; i < " +
           words + "; i += n) sum += p[" + words + " - 1 - i];\n";
  }
  static std::vector<cl_ulong> expected(cl_ulong words) {
    std::vector<cl_ulong> sums(kGroups);
    for (std::size_t g = 0; g < kGroups; ++g)
      for (cl_ulong i = 0; i < words; ++i) sums[g] += i * 3 + g;
    return sums;
  }
  cl_int run(cl_kernel kernel, const test::Buffer& out) const {
    set_argument(kernel, 0, out);
    const std::size_t global = kGroups * kItems;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &kItems, 0, nullptr, nullptr);
  }
  static constexpr std::size_t kGroups = 6, kItems = 96;
  cl_ulong size = 0;
};

const char* const kAddUp =
    "  global atomic_ulong* place = (global atomic_ulong*)(out + get_group_id(0)); atomic_fetch_add(place, "
    "sum);\n}\n";

TEST_F(LocalMemory, AllInAnArgument) {
  const test::Program program =
      build("kernel void k(global ulong* out, uint words, local uint* p) {\n" + body("words") + kAddUp);
  const test::Kernel kernel = make_kernel(program, "k");
  for (const cl_ulong bytes : {cl_ulong{48 << 10}, size / 2, size}) {
    const test::Buffer out = make_buffer(std::vector<cl_ulong>(kGroups, 0));
    set_argument(kernel, 1, static_cast<cl_uint>(bytes / 4));
    CL_OK(clSetKernelArg(kernel, 2, bytes, nullptr));
    CL_OK(run(kernel, out));
    EXPECT_EQ(contents<cl_ulong>(out, kGroups), expected(bytes / 4)) << bytes;
    cl_ulong used = 0;
    CL_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used, nullptr));
    EXPECT_EQ(used, bytes);
  }
  CL_OK(clSetKernelArg(kernel, 2, size + 4096, nullptr));
  const test::Buffer out = make_buffer(8 * kGroups);
  CL_EXPECT(CL_OUT_OF_RESOURCES, run(kernel, out));
}

// Local arguments whose sizes are not multiples of the alignment of the next one, from nothing to the whole local memory; read by other
// work-items.
TEST_F(LocalMemory, AllInSeveralArguments) {
  const test::Program program = build(
      "kernel void k(global ulong* out, local uchar* a, uint m, local uint* b, uint n, local ushort* c, uint "
      "o) {\n"
      "  const size_t l = get_local_id(0), step = get_local_size(0);\n"
      "  for (size_t i = l; i < m; i += step) a[i] = (uchar)(i * 5);\n"
      "  for (size_t i = l; i < n; i += step) b[i] = (uint)(i * 3);\n"
      "  for (size_t i = l; i < o; i += step) c[i] = (ushort)(i * 7);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  ulong sum = 0;\n"
      "  for (size_t i = l; i < m; i += step) sum += a[m - 1 - i];\n"
      "  for (size_t i = l * 4; i < n; i += step * 4)\n"
      "    if (i + 3 < n) sum += (ulong)b[i] + b[i + 1] + b[i + 2] + b[i + 3];\n"
      "    else for (size_t k = i; k < n; ++k) sum += b[k];\n"
      "  for (size_t i = l; i < o; i += step) sum += c[i];\n" +
      std::string(kAddUp));
  const test::Kernel kernel = make_kernel(program, "k");
  std::vector<std::array<cl_uint, 3>> counts = {{1, 1, 1}, {3, 0, 5}, {17, 33, 9}, {0, 7, 1}};
  for (int i = 0; i < 20; ++i) {
    const auto random = test::random_values<cl_uint>(3);
    counts.push_back({random[0] % 500, random[1] % 2000, random[2] % 500});
  }
  // No room for padding: 4 bytes, then all others.
  counts.push_back({4, static_cast<cl_uint>(size / 4 - 2), 2});
  for (const auto& [m, n, o] : counts) {
    const test::Buffer out = make_buffer(std::vector<cl_ulong>(kGroups, 0));
    CL_OK(clSetKernelArg(kernel, 1, m, nullptr));
    set_argument(kernel, 2, m);
    CL_OK(clSetKernelArg(kernel, 3, n * sizeof(cl_uint), nullptr));
    set_argument(kernel, 4, n);
    CL_OK(clSetKernelArg(kernel, 5, o * sizeof(cl_ushort), nullptr));
    set_argument(kernel, 6, o);
    CL_OK(run(kernel, out));
    cl_ulong sum = 0;
    for (cl_uint i = 0; i < m; ++i) sum += static_cast<cl_uchar>(i * 5);
    for (cl_uint i = 0; i < n; ++i) sum += i * 3;
    for (cl_uint i = 0; i < o; ++i) sum += static_cast<cl_ushort>(i * 7);
    EXPECT_EQ(contents<cl_ulong>(out, kGroups), std::vector<cl_ulong>(kGroups, sum))
        << m << ' ' << n << ' ' << o;
  }
}

TEST_F(LocalMemory, AllInAVariable) {
  const std::string words = std::to_string(size / 4);
  const test::Program program =
      build("kernel void k(global ulong* out) {\n  local uint p[" + words + "];\n" + body(words) + kAddUp);
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_ulong>(kGroups, 0));
  CL_OK(run(kernel, out));
  EXPECT_EQ(contents<cl_ulong>(out, kGroups), expected(size / 4));
}

// With collective functions, which use local memory too.
TEST_F(LocalMemory, VariablesArgumentsAndCollectiveFunctions) {
  const cl_ulong half = size / 8;  // words
  const std::string words = std::to_string(half);
  const test::Program program =
      build("kernel void k(global ulong* out, local uint* q) {\n  local uint p[" + words + "];\n" +
            body(words) + "  for (size_t i = l; i < " + words +
            "; i += n) q[i] = p[i] ^ 1;\n"
            "  ulong all = work_group_reduce_add(sum);\n"
            "  for (size_t i = l; i < " +
            words +
            "; i += n) if (q[i] != (p[i] ^ 1)) all = 0;\n"
            "  if (work_group_any(all == 0)) all = 0;\n  if (l == 0) out[get_group_id(0)] = all;\n}\n");
  const test::Kernel kernel = make_kernel(program, "k");
  CL_OK(clSetKernelArg(kernel, 1, half * 4, nullptr));
  const test::Buffer out = make_buffer(std::vector<cl_ulong>(kGroups, 0));
  CL_OK(run(kernel, out));
  EXPECT_EQ(contents<cl_ulong>(out, kGroups), expected(half));
}

// A work-group size that the library chooses fits any amount of local memory.
TEST_F(LocalMemory, ChosenWorkGroupSize) {
  const test::Program program = build(
      "kernel void k(global uint* out, local uint* p) { p[get_local_id(0)] = get_global_id(0);\n"
      "  barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = p[get_local_size(0) - 1 - get_local_id(0)]; "
      "}");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(4096 * 4);
  set_argument(kernel, 0, out);
  const std::size_t global = 4096;
  for (const cl_ulong bytes : {cl_ulong{4096}, size / 3, size}) {
    CL_OK(clSetKernelArg(kernel, 1, bytes, nullptr));
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    auto values = contents<cl_uint>(out, global);
    std::vector<bool> seen(global);
    for (const cl_uint value : values) {
      ASSERT_LT(value, global);
      ASSERT_FALSE(seen[value]);
      seen[value] = true;
    }
  }
}

// Null pointers in variables without initializers, converted from other address spaces, and passed as generic pointers.
TEST_F(LocalMemory, NullPointers) {
  const test::Program program = build(R"(
local int* global named = 0;
local int* global unnamed;
local int* global list[2] = {0, 0};
struct Pair { int number; local float* pointer; };
global struct Pair given = {3, 0}, zero;
__attribute__((noinline)) int is_null(int* p) { return p == 0; }
__attribute__((noinline)) int is_null_of_local(local int* p) { return p == 0; }
__attribute__((noinline)) local int* choose(local int* p, int yes) { return yes ? p : 0; }
kernel void k(global int* out, local int* argument) {
  local int first[4];
  int i = 0;
  out[i++] = named == 0; out[i++] = unnamed == 0; out[i++] = list[out[0]] == 0;
  out[i++] = given.pointer == 0; out[i++] = zero.pointer == 0; out[i++] = given.number;
  out[i++] = is_null(named); out[i++] = is_null(list[1]); out[i++] = is_null_of_local(unnamed);
  out[i++] = is_null(choose(first, 0)); out[i++] = is_null_of_local(choose(first, 0));
  out[i++] = is_null_of_local(to_local((int*)out)); out[i++] = is_null((int*)0);
  local int* none = choose(first, 0);
  int* any = none;
  out[i++] = any == 0; out[i++] = is_null_of_local((local int*)any); out[i++] = none ? 2 : 1;
  out[i++] = !is_null(choose(first, 1)); out[i++] = !is_null_of_local(first); out[i++] = !is_null_of_local(argument);
  out[i++] = !is_null(argument); out[i++] = first ? 1 : 0;
  named = first; list[1] = argument; first[2] = 40; argument[1] = 2;
  out[i++] = named[2] + list[1][1];
})");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_int>(22, 0));
  set_argument(kernel, 0, out);
  CL_OK(clSetKernelArg(kernel, 1, 16, nullptr));
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  std::vector<cl_int> expected(22, 1);
  expected[5] = 3;
  expected[21] = 42;
  EXPECT_EQ(contents<cl_int>(out, 22), expected);
}

// A comparison of a generic pointer with one of a named address space: Clang compares them in that address space.
TEST_F(LocalMemory, ComparedPointers) {
  const test::Program program = build(R"(
__attribute__((noinline)) int same(global int* a, int* b) { return a == b; }
kernel void k(global int* out, int one) {
  local int first[4], other[4];
  int own[4];
  own[one] = one; first[one] = one; other[one] = one;
  int i = 0;
  local int* null_of_local = 0;
  global int* null_of_global = 0;
  int* any = null_of_local;
  out[i++] = null_of_global == any; out[i++] = null_of_local == any;
  any = one ? null_of_local : first;
  out[i++] = null_of_global == any; out[i++] = same(null_of_global, any); out[i++] = out != any;
  any = first + one - 1;
  out[i++] = first == any; out[i++] = other != any; out[i++] = out != any; out[i++] = !same(out, any);
  out[i++] = null_of_global != any;
  any = own + one - 1;
  out[i++] = first != any; out[i++] = out != any; out[i++] = !same(out, any); out[i++] = own == any;
  any = out + one - 1;
  out[i++] = out == any; out[i++] = same(out, any); out[i++] = first != any; out[i++] = own != any;
  any = 0;
  for (int n = 1; n < one; ++n) { first[n] = n; any = first + n; }
  out[i++] = any == 0; out[i++] = same(0, any); out[i++] = any == null_of_local;
  switch (one) { case 0: any = first; break; case 1: case 3: any = 0; break; case 7: any = own; break; default: any = other; }
  out[i++] = any == 0; out[i++] = same(0, any);
})");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_int>(23, 0));
  set_argument(kernel, 0, out);
  set_argument(kernel, 1, cl_int{1});
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_int>(out, 23), std::vector<cl_int>(23, 1));
}

}  // namespace
