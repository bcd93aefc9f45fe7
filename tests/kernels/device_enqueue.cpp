// SPDX-License-Identifier: Apache-2.0
// enqueue_kernel (OpenCL C 6.15.18): arguments of blocks, their ranges, and that the parent command waits for them.
#include <algorithm>
#include <numeric>

#include "device_enqueue_test.h"

namespace {

TEST_F(DeviceEnqueue, BlocksSeeWhatTheyCapture) {
  const auto seed = static_cast<cl_int>(test::random_engine()() % 1000000);
  for (const char* flags : {"NO_WAIT", "WAIT_KERNEL", "WAIT_WORK_GROUP"}) {
    const auto out =
        run(std::string("kernel void parent(global int* out, int seed) {"
                        "  size_t i = get_global_id(0); char c = (char)i; long l = (long)seed << 20;"
                        "  float4 v = (float4)(i, i + 1, i + 2, seed % 1000);"
                        "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_") +
                flags +
                ", ndrange_1D(1), ^{ out[i] = seed + c + (int)(l >> 20) + (int)(v.x + v.w); });"
                "}",
            100, 100, seed);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(out[i], 2 * seed + 2 * i + seed % 1000) << flags << " " << i;
  }
}

// A sampler of the function around the block, and one of the program.
TEST_F(DeviceEnqueue, BlocksSample) {
  std::vector<float> texels(64);
  std::iota(texels.begin(), texels.end(), 1.0F);
  const cl_image_format format{CL_R, CL_FLOAT};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                           &description, texels.data(), &error);
  CL_OK(error);
  const auto out =
      run("constant sampler_t outer = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
          "kernel void parent(global int* out, read_only image2d_t image) {"
          "  const sampler_t inner = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
          "CLK_FILTER_NEAREST;"
          "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(12), ^{"
          "    int i = get_global_id(0);"
          "    out[i] = read_imagef(image, inner, (int2)(i, 1)).x + 100 * read_imagef(image, outer, "
          "(int2)(i, 1)).x;"
          "  });"
          "}",
          1, 12, image);
  for (int i = 0; i < 12; ++i) ASSERT_EQ(out[i], i < 8 ? 101 * (9 + i) : 16) << i;
}

TEST_F(DeviceEnqueue, ARangeIsCoveredOnce) {
  const std::string body =
      " ^{ size_t i = get_global_id(0) - get_global_offset(0);"
      "    size_t j = get_global_id(1) - get_global_offset(1), k = get_global_id(2) - get_global_offset(2);"
      "    bool same = get_global_offset(0) == o[0] && get_work_dim() == dims && get_global_size(0) == g[0] "
      "&&"
      "      get_global_size(1) == g[1] && get_global_size(2) == g[2] &&"
      "      get_global_id(0) == o[0] + get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0) &&"
      "      get_global_id(1) == o[1] + get_group_id(1) * get_enqueued_local_size(1) + get_local_id(1) &&"
      "      get_global_id(2) == o[2] + get_group_id(2) * get_enqueued_local_size(2) + get_local_id(2) &&"
      "      get_local_id(1) < get_local_size(1) && get_local_id(2) < get_local_size(2) &&"
      "      get_num_groups(1) == (g[1] + get_enqueued_local_size(1) - 1) / get_enqueued_local_size(1);"
      "    atomic_add(&out[(k * g[1] + j) * g[0] + i], same ? 1 : 1000); }";
  const test::Program program = build(
      "typedef struct { ulong o[3], g[3], l[3]; uint dims, has_local; } range_t;"
      "kernel void parent(global int* out, range_t r) {"
      "  size_t o[3] = {r.o[0], r.o[1], r.o[2]}, g[3] = {r.g[0], r.g[1], r.g[2]}, l[3] = {r.l[0], r.l[1], "
      "r.l[2]};"
      "  uint dims = r.dims; ndrange_t n;"
      "  if (!r.has_local) n = dims == 1 ? ndrange_1D(g[0]) : dims == 2 ? ndrange_2D(g) : ndrange_3D(g);"
      "  else n = dims == 1 ? ndrange_1D(o[0], g[0], l[0]) : dims == 2 ? ndrange_2D(o, g, l) : ndrange_3D(o, "
      "g, l);"
      "  if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, n," +
      body + ") != CLK_SUCCESS) out[0] = -1; }");
  struct {
    cl_ulong o[3], g[3], l[3];
    cl_uint dims, has_local;
  } range;
  for (int round = 0; round < 20; ++round) {
    const auto below = [](std::uint64_t limit) { return test::random_engine()() % limit; };
    const bool deep = round >= 12;  // more layers than a CUDA block may have
    range = {{0, 0, 0}, {1, 1, 1}, {1, 1, 1}, static_cast<cl_uint>(deep ? 3 : 1 + round % 3), round % 2 != 0};
    for (unsigned d = 0; d < range.dims; ++d) {
      if (range.has_local) range.o[d] = below(50);
      range.g[d] = 1 + below(range.dims == 1 ? 5000 : range.dims == 2 ? 90 : 20);
      range.l[d] = 1 + below(range.dims == 1 ? 300 : range.dims == 2 ? 20 : 7);
    }
    if (deep) {
      const int flat = round / 2 % 2;
      range.g[2] = 1 + below(1024);
      if (!range.has_local) range.g[0] = range.g[1] = 1;
      range.l[2] = 65 + below(192);
      range.l[flat] = 1;
      range.l[1 - flat] = 1 + below(256 / range.l[2]);
    }
    const auto count = static_cast<std::size_t>(range.g[0] * range.g[1] * range.g[2]);
    const auto out = run(program, "parent", 1, count, range);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(out[i], 1) << i << " of " << range.g[0] << " " << range.g[1] << " " << range.g[2]
                           << ", groups of " << range.l[0] << " " << range.l[1] << " " << range.l[2];
  }
}

TEST_F(DeviceEnqueue, LocalArguments) {
  const auto values = test::random_values<cl_int>(64);
  const test::Buffer in = make_buffer(values);
  const auto out = run(
      "void reverse(global int* out, global const int* in, local int* a, local double* b, local char* c) {"
      "  size_t i = get_local_id(0); a[i] = in[i]; b[i] = i; c[i] = (char)i; barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[i] = a[63 - i] + (int)b[(i + 1) % 64] + c[(i + 2) % 64]; }"
      "kernel void parent(global int* out, global const int* in) {"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64, 64),"
      "    ^(local void* c, local void* a, local void* b) { reverse(out, in, a, b, c); }, 64u, 256u, 512u); "
      "}",
      1, 64, in);
  for (std::size_t i = 0; i < 64; ++i)
    ASSERT_EQ(out[i], static_cast<cl_int>(static_cast<cl_uint>(values[63 - i]) + (i + 1) % 64 + (i + 2) % 64))
        << i;
}

// A block does not tell what its pointers point to: they suit the largest type.
TEST_F(DeviceEnqueue, LocalArgumentsAreAligned) {
  const auto out =
      run("void store(global int* out, local void* a, local double16* b, local void* c) {"
          "  out[0] = (int)(size_t)a; out[1] = (int)(size_t)b; out[2] = (int)(size_t)c;"
          "  *b = (double16)(5); out[3] = (int)b->s7; }"
          "kernel void parent(global int* out) {"
          "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),"
          "    ^(local void* a, local void* b, local void* c) { local volatile char v[3]; v[0] = 1;"
          "      store(out, a, b, c); out[4] = v[0]; }, 32u, 128u, 1u); }",
          1, 5);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(out[i] % 128, 0) << i;
  EXPECT_EQ(out[3], 5);
  EXPECT_EQ(out[4], 1);
}

// Those of kernels, too, in programs with blocks, without, and with functions that need no block but the device runtime.
TEST_F(DeviceEnqueue, LocalArgumentsOfKernelsAreAligned) {
  for (const char* more :
       {"", "if (out[2] < 0) enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 0; });",
        "if (out[2] < 0) { clk_event_t e = create_user_event(); release_event(e); }",
        "if (out[2] < 0) out[0] = get_kernel_work_group_size(^{ out[0] = 0; });"}) {
    const test::Program program = build(
        "kernel void own(global int* out, local char* a, local double16* b) {"
        "  local volatile char v[3]; v[0] = 7; out[0] = (int)(size_t)b; a[0] = a[4] = 1;"
        "  *b = (double16)(5); out[1] = (int)((local double*)b)[out[2]]; out[3] = v[0]; out[4] = a[0] + "
        "a[4];" +
        std::string(more) + "}");
    const test::Buffer out = make_buffer(std::vector<cl_int>{0, 0, 15, 0, 0});
    const test::Kernel kernel = make_kernel(program, "own");
    set_argument(kernel, 0, out);
    CL_OK(clSetKernelArg(kernel, 1, 5, nullptr));
    CL_OK(clSetKernelArg(kernel, 2, 128, nullptr));
    const std::size_t one = 1;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    const auto values = contents<cl_int>(out, 5);
    EXPECT_EQ(values[0] % 128, 0) << more;
    EXPECT_EQ(values, (std::vector<cl_int>{values[0], 5, 15, 7, 2})) << more;
  }
}

// Beside a kernel with so many local variables that they lie in dynamic shared memory.
TEST_F(DeviceEnqueue, AlignmentBesideLargeLocalVariables) {
  const test::Program program = build(
      "void store(global int* out, local char* a, local double16* b) { out[0] = (int)(size_t)b; a[0] = 3;"
      "  *b = (double16)(5); out[1] = (int)b->s7 + a[0]; }"
      "kernel void parent(global int* out) {"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),"
      "    ^(local void* a, local void* b) { local volatile char v[3]; v[0] = 1; store(out, a, b); out[2] = "
      "v[0]; }, 1u,"
      "    128u); }"
      "kernel void large(global int* out, local double16* b) { local char c[20]; local double16 v[360];"
      "  size_t i = get_local_id(0); c[i % 20] = 1; for (size_t k = i; k < 360; k += get_local_size(0)) v[k] "
      "= (double16)(k);"
      "  if (i == 0) { *b = (double16)(7); out[0] = (int)(size_t)v; out[1] = (int)(size_t)b; }"
      "  barrier(CLK_LOCAL_MEM_FENCE); double sum = 0; for (int k = 0; k < 360; ++k) sum += v[k].sf;"
      "  if (i == 0) { out[2] = (int)sum; out[3] = (int)b->s3; out[4] = c[0]; } }");
  const auto of_block = run(program, "parent", 1, 3);
  EXPECT_EQ(of_block[0] % 128, 0);
  EXPECT_EQ(of_block, (std::vector<cl_int>{of_block[0], 8, 1}));
  cl_ulong most = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, nullptr));
  if (most < (48 << 10)) return;
  const test::Buffer out = make_buffer(std::vector<cl_int>(5));
  const test::Kernel kernel = make_kernel(program, "large");
  set_argument(kernel, 0, out);
  CL_OK(clSetKernelArg(kernel, 1, 128, nullptr));
  const std::size_t items = 32;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
  const auto values = contents<cl_int>(out, 5);
  EXPECT_EQ(values[0] % 128, 0);
  EXPECT_EQ(values[1] % 128, 0);
  EXPECT_EQ(values, (std::vector<cl_int>{values[0], values[1], 360 * 359 / 2, 7, 1}));
}

// The block's own variables count.
TEST_F(DeviceEnqueue, TooMuchLocalMemory) {
  const std::string block =
      "^(local void* p) { local int own[2048]; local int* x = p; size_t i = get_local_id(0);"
      "  own[i] = i; x[i] = 2; barrier(CLK_LOCAL_MEM_FENCE); out[1 + i] = own[63 - i] + x[63 - i]; }";
  const test::Program program = build(
      "kernel void parent(global int* out, uint bytes, int with_event) { clk_event_t e;"
      "  queue_t q = get_default_queue();"
      "  if (!with_event) { out[0] = enqueue_kernel(q, 0, ndrange_1D(64, 64), " +
          block +
          ", bytes); return; }"
          "  out[0] = enqueue_kernel(q, 1, ndrange_1D(64, 64), 0, NULL, &e, " +
          block + ", bytes); }",
      "-cl-std=CL3.0 -g");
  for (const cl_int with_event : {0, 1}) {
    for (const cl_uint bytes : {1024u, 40000u}) {
      const auto out = run(program, "parent", 1, 65, bytes, with_event);
      EXPECT_EQ(out[0], 0) << bytes;
      for (int i = 0; i < 64; ++i) ASSERT_EQ(out[1 + i], 65 - i) << bytes;
    }
    for (const cl_uint bytes : {44000u, 49152u, 49153u})
      EXPECT_EQ(run(program, "parent", 1, 2, bytes, with_event),
                (std::vector<cl_int>{CL_OUT_OF_RESOURCES, 0}))
          << bytes;
  }
}

TEST_F(DeviceEnqueue, LocalVariablesAndCollectives) {
  const auto out =
      run("kernel void child(global int* out) { local int sum[64]; size_t i = get_local_id(0);"
          "  sum[i] = (int)get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE);"
          "  int all = work_group_reduce_add(sum[(i + 1) % 64]); if (i == 0) out[get_group_id(0)] = all; }"
          "kernel void parent(global int* out) {"
          "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(640, 64), ^{ "
          "child(out); }); }",
          1, 10);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(out[i], 64 * 64 * i + 63 * 32) << i;
}

TEST_F(DeviceEnqueue, TheParentIsCompleteWhenItsDescendantsAre) {
  // A tree: each work-item of a level enqueues the next level, with each flag in turn.
  const test::Program program = build(
      "void level(global int* out, int depth) { atomic_inc(out);"
      "  if (depth > 0) {"
      "    if (enqueue_kernel(get_default_queue(), depth % 3, ndrange_1D(3), ^{ level(out, depth - 1); }))"
      "      atomic_inc(out + 1); } }"
      "kernel void parent(global int* out, int depth) { level(out, depth); }"
      "kernel void check(global int* out, global const int* tree) { out[0] = tree[0]; }");
  const cl_int depth = 5;
  cl_int expected = 0;
  for (cl_int level = 0, items = 2; level <= depth; ++level, items *= 3) expected += items;
  const test::Buffer tree = make_buffer(std::vector<cl_int>(2));
  const test::Kernel parent = make_kernel(program, "parent");
  set_arguments(parent, tree, depth);
  const std::size_t two = 2;
  test::Event done;
  CL_OK(clEnqueueNDRangeKernel(queue, parent, 1, nullptr, &two, nullptr, 0, nullptr, done.out()));
  const auto seen = run(program, "check", 1, 1, tree);
  EXPECT_EQ(seen[0], expected);
  EXPECT_EQ(test::status_of(done), CL_COMPLETE);
  EXPECT_EQ(contents<cl_int>(tree, 2)[1], 0);
}

// A child sees what work-items write after the call if its flag makes it wait for the whole kernel or the work-group.
TEST_F(DeviceEnqueue, ChildrenWaitAsTheirFlagsSay) {
  const test::Program program = build(
      "kernel void parent(global int* out, global int* work, int flags, int every) {"
      "  int i = get_global_id(0), group = get_group_id(0), local_size = get_local_size(0);"
      "  int first = flags == CLK_ENQUEUE_FLAGS_WAIT_KERNEL ? 0 : group * local_size;"
      "  int count = flags == CLK_ENQUEUE_FLAGS_WAIT_KERNEL ? (int)get_global_size(0) : local_size;"
      "  if (get_local_id(0) == 0 && group % every == 0 &&"
      "      enqueue_kernel(get_default_queue(), flags, ndrange_1D(1), ^{"
      "        int all = 0; for (int k = 0; k < count; ++k) all += work[first + k]; out[group] = all; }))"
      "    out[group] = -1;"
      "  uint x = i; for (int k = 0; k < 3000; ++k) x = x * 1664525u + 1013904223u;"
      "  work[i] = x == 12345 ? 3 : 2; }");
  constexpr std::size_t kGroup = 64, kGroups = 40, kItems = kGroup * kGroups;
  for (const cl_int flags : {1, 2}) {
    for (const cl_int every : {1, static_cast<cl_int>(kGroups)}) {
      const test::Buffer work = make_buffer(std::vector<cl_int>(kItems)),
                         out = make_buffer(std::vector<cl_int>(kGroups));
      const test::Kernel parent = make_kernel(program, "parent");
      set_arguments(parent, out, work, flags, every);
      CL_OK(clEnqueueNDRangeKernel(queue, parent, 1, nullptr, &kItems, &kGroup, 0, nullptr, nullptr));
      const auto done = contents<cl_int>(work, kItems), seen = contents<cl_int>(out, kGroups);
      const auto sum = [&](std::size_t first, std::size_t count) {
        return std::accumulate(done.begin() + first, done.begin() + first + count, 0);
      };
      for (std::size_t g = 0; g < kGroups; g += every)
        EXPECT_EQ(seen[g], flags == 1 ? sum(0, kItems) : sum(g * kGroup, kGroup))
            << "flags " << flags << ", group " << g;
    }
  }
}

// Range sizes that no group size divides, or that exceed the limits of a CUDA grid, take several grids: the child waits for all.
class ParentsOfSeveralGrids : public DeviceEnqueue {
 protected:
  // A work-item of `level` adds 1 to out[0]; the first one enqueues a child, which stores what it finds there in out[1]. Those of the last
  // group are slow.
  const std::string level_ =
      "void level(volatile global int* out, int items) {"
      "  int i = get_global_linear_id();"
      "  if (i >= items / 4 * 4) for (volatile int k = 0; k < 1000000; ++k) ;"
      "  atomic_inc(out);"
      "  if (i == 0 && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),"
      "                               ^{ out[1] = out[0]; })) out[1] = -1; }";
};

TEST_F(ParentsOfSeveralGrids, LaunchedByTheHost) {
  const test::Program program =
      build(level_ + "kernel void parent(global int* out) { level(out, get_global_size(0)); }");
  const auto expect_all = [&](std::size_t width, std::size_t height, const std::size_t* local) {
    const test::Buffer out = make_buffer(std::vector<cl_int>(2));
    const test::Kernel kernel = make_kernel(program, "parent");
    set_arguments(kernel, out);
    const std::size_t global[] = {width, height};
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr));
    const auto items = static_cast<cl_int>(width * height);
    EXPECT_EQ(contents<cl_int>(out, 2), (std::vector<cl_int>{items, items})) << width << " " << height;
  };
  const std::size_t four[] = {4, 1}, one[] = {1, 1};
  for (const std::size_t items : {3, 4, 6, 8, 11}) expect_all(items, 1, four);
  expect_all(1009, 1, nullptr);  // a prime number
  expect_all(1, 70000, one);
}

TEST_F(ParentsOfSeveralGrids, LaunchedByTheDevice) {
  const test::Program program =
      build(level_ +
            "kernel void parent(global int* out, int items, int flags, int with_event) { clk_event_t e;"
            "  queue_t q = get_default_queue(); ndrange_t n = ndrange_1D(items, 4);"
            "  if (!with_event) { enqueue_kernel(q, flags, n, ^{ level(out, items); }); return; }"
            "  enqueue_kernel(q, flags, n, 0, NULL, &e, ^{ level(out, items); });"
            "  enqueue_kernel(q, flags, ndrange_1D(1), 1, &e, NULL, ^{ out[2] = out[1]; });"
            "  release_event(e); }");
  for (const cl_int items : {4, 6, 11})
    for (const cl_int flags : {0, 1, 2})
      for (const cl_int with_event : {0, 1})
        EXPECT_EQ(run(program, "parent", 1, 3, items, flags, with_event),
                  (std::vector<cl_int>{items, items, with_event ? items : 0}))
            << "flags " << flags << ", event " << with_event;
}

// More grids than the device starts at a time, an odd number of others before them: at the limit, a range is started in part.
TEST_F(ParentsOfSeveralGrids, Thousands) {
  constexpr cl_int kCount = 7000;
  const test::Program program = build(
      "kernel void parent(global int* out, volatile global int* seen, int count) {"
      "  queue_t q = get_default_queue(); enqueue_kernel(q, 0, ndrange_1D(1), ^{ atomic_inc(out); });"
      "  for (int k = 0; k < count; ++k)"
      "    if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3, 2), ^{"
      "          atomic_inc(seen + k);"
      "          if (get_global_id(0) == 0 && enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),"
      "                                                      ^{ if (seen[k] == 3) atomic_inc(out + 1); }))"
      "            atomic_inc(out + 2); }))"
      "      atomic_inc(out + 2); }");
  const test::Buffer seen = make_buffer(std::vector<cl_int>(kCount));
  EXPECT_EQ(run(program, "parent", 1, 3, seen, kCount), (std::vector<cl_int>{1, kCount, 0}));
}

TEST_F(DeviceEnqueue, LongChains) {
  const test::Program program = build(
      "void next(global int* out, int left, int flags) {"
      "  out[0] += 1;"
      "  if (left > 0 && enqueue_kernel(get_default_queue(), flags, ndrange_1D(1), ^{ next(out, left - 1, "
      "flags); }))"
      "    out[1] = left; }"
      "kernel void parent(global int* out, int length, int flags) { next(out, length - 1, flags); }");
  for (const cl_int flags : {0, 1}) {
    const auto out = run(program, "parent", 1, 2, cl_int{3000}, flags);
    EXPECT_EQ(out, (std::vector<cl_int>{3000, 0})) << flags;
  }
}

// Each work-item's child writes 3 to the work-item's element, or the work-item writes -1 if it cannot be enqueued.
constexpr const char* kOneChildEach =
    "kernel void parent(global int* out, int flags) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (enqueue_kernel(get_default_queue(), flags, ndrange_1D(2),\n"
    "                     ^{ atomic_add(out + i, (int)get_global_id(0) + 1); }))\n"
    "    out[i] = -1;\n"
    "}\n";

// More children than the device has room for at a time: some wait until others have ended.
TEST_F(DeviceEnqueue, ThousandsAtOnce) {
  const test::Program program = build(kOneChildEach);
  for (const cl_int flags : {0, 1, 2}) {
    const auto out = run(program, "parent", 18000, 18000, flags);
    EXPECT_EQ(std::ranges::count(out, 3), 18000) << flags;
  }
}

// The same from several host queues, which share the room.
TEST_F(DeviceEnqueue, ThousandsAtOnceFromManyQueues) {
  constexpr std::size_t kQueues = 4, kCount = 10000;
  const test::Program program = build(kOneChildEach);
  const test::Kernel kernel = make_kernel(program, "parent");
  std::vector<test::Queue> on_host;
  std::vector<test::Buffer> results;
  for (std::size_t q = 0; q < kQueues; ++q) {
    on_host.push_back(make_queue(0));
    results.push_back(make_buffer(std::vector<cl_int>(kCount)));
    set_arguments(kernel, results.back(), cl_int(q % 2));
    CL_OK(clEnqueueNDRangeKernel(on_host.back(), kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
    CL_OK(clFlush(on_host.back()));
  }
  for (std::size_t q = 0; q < kQueues; ++q) {
    CL_OK(clFinish(on_host[q]));
    const auto out = contents<cl_int>(results[q], kCount);
    EXPECT_EQ(std::ranges::count(out, 3), std::ptrdiff_t(kCount)) << q;
  }
}

// A queue that is full rejects further blocks; those that were enqueued run.
TEST_F(DeviceEnqueue, AFullQueueIsAnError) {
  const test::Program program = build(
      "kernel void parent(global int* out, int each) {"
      "  for (int i = 0; i < each; ++i) {"
      "    int r = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ "
      "atomic_inc(out); });"
      "    if (r == CLK_SUCCESS) atomic_inc(out + 1); else if (r == CLK_DEVICE_QUEUE_FULL) atomic_inc(out + "
      "2); } }",
      "-cl-std=CL3.0 -g");
  const auto out = run(program, "parent", 1000, 3, cl_int{40});
  EXPECT_GT(out[2], 0);
  EXPECT_EQ(out[1] + out[2], 40000);
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(run(program, "parent", 10, 3, cl_int{1}), (std::vector<cl_int>{10, 10, 0}));
}

// A range of several grids is enqueued as a whole or not at all, also while there is room for some grids but not for tasks.
TEST_F(DeviceEnqueue, AFullQueueTakesNoPartOfARange) {
  const test::Program program = build(
      "kernel void parent(global int* out) { queue_t q = get_default_queue(); int error;"
      "  clk_event_t held = create_user_event();"
      "  while (!enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &held, NULL, ^{ })) ;"
      "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[3] = 1; });"
      "  while (!(error = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(6, 4), ^{ atomic_inc(out); "
      "})))"
      "    out[1] += 6;"
      "  out[2] = error; release_event(held); }",
      "-cl-std=CL3.0 -g");
  const auto out = run(program, "parent", 1, 4);
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(out[2], -161);  // CLK_DEVICE_QUEUE_FULL
  EXPECT_EQ(out[3], 1);
}

// The optimiser can remove calls, as they are inlined.
TEST_F(DeviceEnqueue, CallsThatAreNeverMade) {
  for (const char* calls : {"for (int i = 0, levels = 0; i < levels; ++i) "
                            "enqueue_kernel(get_default_queue(), 1, ndrange_1D(4), b);",
                            "clk_event_t e; out[0] = enqueue_marker(get_default_queue(), 0, 0, &e);"
                            "if (0) enqueue_kernel(get_default_queue(), 0, ndrange_1D(4), b);",
                            "out[0] = enqueue_kernel(get_default_queue(), 1, ndrange_1D(10, 2000), b);"})
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
      const test::Program program = build(
          std::string(
              "kernel void parent(global int* out) { void (^b)(void) = ^{ out[2] = 1; }; out[1] = 7; ") +
              calls + " }",
          options);
      const auto out = run(program, "parent", 1, 3);
      EXPECT_EQ(std::vector<cl_int>(out.begin() + 1, out.end()), (std::vector<cl_int>{7, 0})) << calls;
    }
}

TEST_F(DeviceEnqueue, Errors) {
  const std::string source =
      "kernel void parent(global int* out, queue_t q) { queue_t none = __builtin_astype(0ul, queue_t);"
      "  size_t wrong = 2000; ndrange_t n = ndrange_1D(1), bad = n; bad.workDimension = 4; clk_event_t e;"
      "  void (^b)(void) = ^{ out[15] = 1; };"
      "  out[0] = enqueue_kernel(none, 0, n, b);"
      "  out[1] = enqueue_kernel(q, 0, bad, b);"
      "  out[2] = enqueue_kernel(q, 0, ndrange_1D(4000, wrong), b);"
      "  out[3] = enqueue_kernel(q, 0, n, 1, 0, 0, b);"
      "  out[4] = enqueue_kernel(q, 0, n, 0, &e, 0, b);"
      "  clk_event_t null = CLK_NULL_EVENT;"
      "  out[5] = enqueue_kernel(q, 0, n, 1, &null, 0, b);"
      "  uint zero = 0; out[6] = enqueue_kernel(q, 0, n, ^(local void* p) { out[15] = 1; }, zero);"
      "  out[7] = enqueue_kernel(q, 7, n, b);"
      "  out[8] = enqueue_marker(none, 1, &null, &e);"
      "  out[9] = enqueue_marker(q, 1, &null, &e);"
      "  out[10] = enqueue_marker(q, 0, 0, &e);"
      "  out[11] = enqueue_kernel(q, 0, ndrange_1D(0), b);"
      "  out[12] = is_valid_event(null); }";
  const auto expected = [&](const char* options) {
    const test::Program program = build(source, options);
    return run(program, "parent", 1, 16, on_device.get());
  };
  const cl_int failure = -101, queue_ = -102, range = -160, list = -57, size = -51;
  EXPECT_EQ(expected("-cl-std=CL3.0 -g"), (std::vector<cl_int>{queue_, range, range, list, list, list, size,
                                                               failure, queue_, list, list, 0, 0, 0, 0, 0}));
  EXPECT_EQ(expected("-cl-std=CL3.0"),
            (std::vector<cl_int>{failure, failure, failure, failure, failure, failure, failure, failure,
                                 failure, failure, failure, 0, 0, 0, 0, 0}));
}

TEST_F(DeviceEnqueue, UniformGroupsAreAskedFor) {
  const std::string source =
      "kernel void parent(global int* out) {"
      "  out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(100, 64), ^{ });"
      "  out[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(101), ^{ atomic_inc(out + 2); }); }";
  const test::Program uniform = build(source, "-cl-std=CL3.0 -g -cl-uniform-work-group-size");
  EXPECT_EQ(run(uniform, "parent", 1, 3), (std::vector<cl_int>{-160, 0, 101}));
  EXPECT_EQ(run(build(source), "parent", 1, 3), (std::vector<cl_int>{0, 0, 101}));
}

TEST_F(DeviceEnqueue, QueriesOfBlocks) {
  const auto out =
      run("kernel void parent(global int* out) { void (^b)(void) = ^{ atomic_inc(out + 4); };"
          "  uint most = get_kernel_work_group_size(b); out[0] = most;"
          "  out[1] = get_kernel_preferred_work_group_size_multiple(b);"
          "  out[2] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(100, 100), b);"
          "  out[3] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(100, 100), b);"
          "  enqueue_kernel(get_default_queue(), 1, ndrange_1D(most, most), b); }",
          1, 5);
  EXPECT_GE(out[0], 256);
  EXPECT_LE(out[0], 1024);
  EXPECT_EQ(out[1], 32);
  EXPECT_EQ(out[2], 32);
  EXPECT_EQ(out[3], 4);
  EXPECT_EQ(out[4], out[0]);
}

TEST_F(DeviceEnqueue, WithoutADefaultQueueThereIsNone) {
  on_device.reset();
  const auto out =
      run("kernel void parent(global int* out) { out[0] = get_default_queue() == CLK_NULL_QUEUE;"
          "  out[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[2] = 1; }); }",
          1, 3);
  EXPECT_EQ(out, (std::vector<cl_int>{1, -101, 0}));
}

}  // namespace
