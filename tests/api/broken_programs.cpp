// SPDX-License-Identifier: Apache-2.0
// Programs with a few random changes of their tokens: each is built, or rejected with a reason, and the process survives even if the
// compiler crashes. CLCUDA_TEST_SEED repeats a run, CLCUDA_TEST_SECONDS makes it longer.
#include <chrono>
#include <string>

#include "support/mutation.h"
#include "support/programs.h"

namespace {

struct Program {
  const char* options;
  const char* source;
};

constexpr Program kPrograms[] = {
    {"-cl-std=CL1.2",
     "#define TILE 8\n"
     "kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void tiles(global const float* restrict "
     "in,\n"
     "    global float* out, local float* tile, int n) {\n"
     "  const int x = get_global_id(0), l = get_local_id(1) * TILE + get_local_id(0);\n"
     "  float sum = 0;\n"
     "  for (int t = 0; t < n; t += TILE) {\n"
     "    tile[l] = in[t + x];\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "#pragma unroll\n"
     "    for (int k = 0; k < TILE; ++k) sum = fma(tile[k], 0.5f, sum);\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  }\n"
     "  out[get_global_id(1) * n + x] = sum;\n"
     "}\n"},
    {"-cl-std=CL1.2",
     "typedef struct { float4 position; uchar tag[3]; int weight; } Body;\n"
     "constant float kWeights[4] = {0.1f, 0.2f, 0.3f, 0.4f};\n"
     "float square(float4 v) { return dot(v, v) + kWeights[(int)v.w & 3]; }\n"
     "kernel void bodies(global Body* in, Body one, float4 origin) {\n"
     "  local int count;\n"
     "  const int i = get_global_id(0);\n"
     "  float sum = square(in[i].position - origin) * one.weight;\n"
     "  switch (in[i].tag[1]) { case 0: sum = -sum; break; case 3: sum = sqrt(sum); default: sum += 1.0f; }\n"
     "  if (sum > 3.0f) atomic_inc(&count);\n"
     "  in[i].position.xz = (float2)(sum, as_float(0x3f800000));\n"
     "}\n"},
    {"-cl-std=CL3.0",
     "constant sampler_t kSampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;\n"
     "kernel void filter(read_only image2d_t in, write_only image2d_t out, sampler_t other) {\n"
     "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
     "  if (any(at >= get_image_dim(in))) return;\n"
     "  float4 sum = (float4)(0);\n"
     "  for (int dx = -1; dx <= 1; ++dx)\n"
     "    sum += read_imagef(in, kSampler, at + (int2)(dx, 0)) * (dx == 0 ? 0.5f : 0.25f);\n"
     "  sum.xyz = select(sum.zyx, sum.s012, sum.xyz > sum.yzx);\n"
     "  write_imagef(out, at, sum + read_imagef(in, other, convert_float2(at)));\n"
     "}\n"},
    {"-cl-std=CL3.0",
     "kernel void volumes(read_write image3d_t volume, global uint* histogram, float4 v) {\n"
     "  const int4 at = (int4)(get_global_id(0), get_global_id(1), 0, 0);\n"
     "  write_imageui(volume, at, read_imageui(volume, at) + 1u);\n"
     "  atomic_add(histogram + convert_uchar_sat(v.x * 255.0f), 1u);\n"
     "  printf(\"%d %v4f\\n\", at.x, v);\n"
     "}\n"},
    {"-cl-std=CL3.0",
     "global atomic_int counter;\n"
     "kernel void collect(global int* a, read_only pipe int p, int n) {\n"
     "  int packet = 0;\n"
     "  reserve_id_t id = reserve_read_pipe(p, 1);\n"
     "  if (is_valid_reserve_id(id)) { read_pipe(p, id, 0, &packet); commit_read_pipe(p, id); }\n"
     "  const int sum = sub_group_reduce_add(packet) + work_group_scan_inclusive_max(n);\n"
     "  atomic_fetch_add_explicit(&counter, sum, memory_order_relaxed, memory_scope_device);\n"
     "  a[get_global_id(0)] = work_group_broadcast(sum, 0);\n"
     "}\n"},
    {"-cl-std=CL3.0",
     "void child(global int* a, int depth) { a[get_global_id(0)] += depth; }\n"
     "kernel void parent(global int* a, int n) {\n"
     "  void (^block)(void) = ^{ child(a, n); };\n"
     "  clk_event_t done;\n"
     "  ndrange_t range = ndrange_1D(n);\n"
     "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, 0, 0, &done, block);\n"
     "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range,\n"
     "                 ^(local void* room) { ((local int*)room)[0] = 1; }, 64u);\n"
     "  release_event(done);\n"
     "}\n"},
    {"-cl-std=CL3.0 -g",
     "int helper(private int* p, int n) { while (n-- > 0) { if (p[n] == 3) continue; p[n] ^= n << 3; } "
     "return *p; }\n"
     "kernel void numbers(global int* a, constant short8* s, local int* l, int n) {\n"
     "  int array[16] = {1, 2, 3};\n"
     "  event_t copied = async_work_group_copy(l, a, 4, 0);\n"
     "  wait_group_events(1, &copied);\n"
     "  ulong wide = mul_hi((ulong)n, upsample(7u, 8u)) >> clz(n);\n"
     "  int quotient = 0;\n"
     "  double d = (double)wide / 3.0 + remquo(1.0, 2.0, &quotient);\n"
     "  vstore4(vload4(0, a).wzyx + convert_int4_rte((float4)(d)), 1, a);\n"
     "  do { a[0] += popcount(s[n].s7) + rotate(n, 3) + helper(array, n % 16); } while (--n);\n"
     "}\n"},
    {"-cl-std=CLC++2021",
     "namespace shapes {\n"
     "template <class T, int N> struct Row {\n"
     "  T values[N];\n"
     "  T sum() const { T s = 0; for (T v : values) s += v; return s; }\n"
     "};\n"
     "class Shape {\n"
     " public:\n"
     "  Shape(float side) : side_(side) {}\n"
     "  operator float() const { return side_ * side_; }\n"
     " private:\n"
     "  float side_;\n"
     "};\n"
     "}\n"
     "template <class F> void each(global float* a, int n, F f) { for (int i = 0; i < n; ++i) a[i] = "
     "f(a[i]); }\n"
     "kernel void shapes_kernel(global float* a, int n) {\n"
     "  shapes::Row<float, 4> row{{1, 2, 3, 4}};\n"
     "  shapes::Shape shape(row.sum());\n"
     "  each(a, n, [=](float x) -> float { return x + shape; });\n"
     "  auto* p = a + n;\n"
     "  constexpr int k = sizeof(row) / sizeof(float);\n"
     "  if constexpr (k > 3) *p = static_cast<float>(k) + shape;\n"
     "}\n"},
};

class BrokenPrograms : public test::Programs {
 protected:
  // The program is built, or rejected with a reason.
  void build_or_refuse(const std::string& source, const char* options) {
    const test::Program program = create(source);
    const cl_int code = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
    EXPECT_TRUE(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE) << test::error_name(code) << " for\n"
                                                                        << source;
    const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
    if (code == CL_SUCCESS)
      ++built;
    else
      ++refused;
    EXPECT_TRUE(code == CL_SUCCESS || !log.empty()) << source;
    EXPECT_EQ(std::string::npos, log.find("internal error")) << log << "\nfor\n" << source;
  }
  int built = 0, refused = 0;
};

TEST_F(BrokenPrograms, AreRefusedOrBuilt) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 6);
  std::vector<std::vector<std::string>> originals;
  for (const Program& program : kPrograms) originals.push_back(test::tokens_of(program.source));
  while (!HasFailure() && (built + refused < 20 || std::chrono::steady_clock::now() < end)) {
    const std::size_t which = test::random_engine()() % std::size(kPrograms);
    build_or_refuse(test::mutated(originals[which], 3), kPrograms[which].options);
  }
  RecordProperty("built", built);
  RecordProperty("refused", refused);
}

TEST_F(BrokenPrograms, AreMadeFromGoodOnes) {
  for (const Program& program : kPrograms) build(program.source, program.options);
}

}  // namespace
