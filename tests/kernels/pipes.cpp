// SPDX-License-Identifier: Apache-2.0
// Pipes (OpenCL C 6.15.14): each packet written is read once, in the order of the reservations.
#include <algorithm>

#include "support/device_info.h"

namespace {

constexpr std::size_t kItems = 512, kGroup = 64;

// Ways to write and to read a packet, one per work-item.
struct Way {
  const char* name;
  const char* write;
  const char* read;
};
constexpr Way kWays[] = {
    {"plain", "bad = write_pipe(p, &x);", "bad = read_pipe(p, &x);"},
    {"reserved",
     "reserve_id_t r = reserve_write_pipe(p, 1); bad = !is_valid_reserve_id(r);"
     "if (!bad) { bad = write_pipe(p, r, 0, &x); commit_write_pipe(p, r); }",
     "reserve_id_t r = reserve_read_pipe(p, 1); bad = !is_valid_reserve_id(r);"
     "if (!bad) { bad = read_pipe(p, r, 0, &x); commit_read_pipe(p, r); }"},
    {"work_group",
     "reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0)); bad = !is_valid_reserve_id(r);"
     "if (!bad) { bad = write_pipe(p, r, get_local_id(0), &x); work_group_commit_write_pipe(p, r); }",
     "reserve_id_t r = work_group_reserve_read_pipe(p, get_local_size(0)); bad = !is_valid_reserve_id(r);"
     "if (!bad) { bad = read_pipe(p, r, get_local_id(0), &x); work_group_commit_read_pipe(p, r); }"},
    {"sub_group",
     "reserve_id_t r = sub_group_reserve_write_pipe(p, get_sub_group_size()); bad = !is_valid_reserve_id(r);"
     "if (!bad) { bad = write_pipe(p, r, get_sub_group_local_id(), &x); sub_group_commit_write_pipe(p, r); }",
     "reserve_id_t r = sub_group_reserve_read_pipe(p, get_sub_group_size()); bad = !is_valid_reserve_id(r);"
     "if (!bad) { bad = read_pipe(p, r, get_sub_group_local_id(), &x); sub_group_commit_read_pipe(p, r); }"},
};

class Pipes : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (!test::device_info<cl_bool>(device, CL_DEVICE_PIPE_SUPPORT)) GTEST_SKIP() << "no pipes";
  }
  test::Buffer make_pipe(cl_uint packet_size, cl_uint max_packets) const {
    cl_int error = CL_SUCCESS;
    test::Buffer pipe = clCreatePipe(context, 0, packet_size, max_packets, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return pipe;
  }
  // Kernels write_<way>(in, p, failures) and read_<way>(p, out, failures) for packets of a type.
  static std::string kernels(const std::string& type) {
    std::string text;
    for (const Way& way : kWays) {
      text += std::string("kernel void write_") + way.name + "(global const " + type +
              "* in, write_only pipe " + type + " p, volatile global atomic_int* failures) {\n  " + type +
              " x = in[get_global_id(0)]; int bad;\n  " + way.write +
              "\n  if (bad) atomic_fetch_add(failures, 1);\n}\n";
      text += std::string("kernel void read_") + way.name + "(read_only pipe " + type + " p, global " + type +
              "* out, volatile global atomic_int* failures) {\n  " + type +
              " x = out[get_global_id(0)]; int bad;\n  " + way.read +
              "\n  out[get_global_id(0)] = x;\n  if (bad) atomic_fetch_add(failures, 1);\n}\n";
    }
    return text;
  }
  void run(cl_program program, const std::string& name, cl_mem first, cl_mem second, std::size_t count) {
    const test::Kernel kernel = make_kernel(program, name.c_str());
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof first, &first));
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof second, &second));
    set_argument(kernel, 2, failures);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, &kGroup, 0, nullptr, nullptr));
  }
  cl_int failed() {
    const cl_int count = contents<cl_int>(failures, 1)[0];
    const cl_int zero = 0;
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, failures, &zero, 4, 0, 4, 0, nullptr, nullptr));
    return count;
  }
  template <class T>
  void check_all_ways(const std::string& type, const std::string& declarations = "") {
    const test::Program program = build(declarations + kernels(type));
    failures = make_buffer(std::vector<cl_int>{0});
    for (const Way& writing : kWays)
      for (const Way& reading : kWays) {
        SCOPED_TRACE(type + " " + writing.name + " " + reading.name);
        const test::Buffer pipe = make_pipe(sizeof(T), kItems + 100);
        for (int round = 0; round < 3; ++round) {  // the second one wraps around the pipe's end
          auto in = test::random_values<cl_uchar>(kItems * sizeof(T));
          const test::Buffer from = make_buffer(in), to = make_buffer(std::vector<cl_uchar>(in.size(), 0));
          run(program, std::string("write_") + writing.name, from, pipe, kItems);
          run(program, std::string("read_") + reading.name, pipe, to, kItems);
          ASSERT_EQ(failed(), 0);
          EXPECT_EQ(packets<T>(contents(to, in.size())), packets<T>(in));
        }
      }
  }
  // Sorted, because work-items reserve in any order.
  template <class T>
  static std::vector<std::vector<cl_uchar>> packets(const std::vector<cl_uchar>& bytes) {
    std::vector<std::vector<cl_uchar>> all;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T))
      all.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(T)));
    std::ranges::sort(all);
    return all;
  }
  test::Buffer failures;
};

TEST_F(Pipes, Bytes) { check_all_ways<cl_uchar>("uchar"); }
TEST_F(Pipes, Integers) { check_all_ways<cl_int>("int"); }
TEST_F(Pipes, WideVectors) { check_all_ways<cl_long16>("long16"); }
struct Odd {
  cl_ushort values[3];
};
TEST_F(Pipes, Structures) { check_all_ways<Odd>("odd", "typedef struct { ushort values[3]; } odd;\n"); }

// Writes to a full pipe and reads from an empty one fail; a reservation of several packets succeeds as a whole or not at all.
TEST_F(Pipes, FullAndEmpty) {
  const test::Program program = build(kernels("int"));
  failures = make_buffer(std::vector<cl_int>{0});
  const test::Buffer from = make_buffer(test::random_values<cl_int>(kItems)), to = make_buffer(kItems * 4);
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.name);
    const test::Buffer pipe = make_pipe(4, 3 * kGroup + 7);
    const std::string name = way.name;
    const cl_int whole = name == "work_group" || name == "sub_group" ? 3 * kGroup : 3 * kGroup + 7;
    run(program, "read_" + name, pipe, to, kItems);
    EXPECT_EQ(failed(), static_cast<cl_int>(kItems));
    run(program, "write_" + name, from, pipe, kItems);
    EXPECT_EQ(failed(), static_cast<cl_int>(kItems) - whole);
    run(program, "read_" + name, pipe, to, kItems);
    EXPECT_EQ(failed(), static_cast<cl_int>(kItems) - whole);
  }
}

// One work-item, for a known order: several reservations are open at a time; committed in any order, they become visible in the order of
// the reservations.
TEST_F(Pipes, ReservationsKeepTheirOrder) {
  const test::Program program = build(
      "kernel void writer(write_only pipe uint p, global uint* seen) {\n"
      "  reserve_id_t a = reserve_write_pipe(p, 2), b = reserve_write_pipe(p, 1), c = reserve_write_pipe(p, "
      "3);\n"
      "  seen[0] = is_valid_reserve_id(a) && is_valid_reserve_id(b) && is_valid_reserve_id(c);\n"
      "  seen[1] = is_valid_reserve_id(reserve_write_pipe(p, 3));\n"  // two places are left
      "  uint x;\n"
      "  for (uint i = 0; i < 3; ++i) { x = 30 + i; write_pipe(p, c, 2 - i, &x); }\n"
      "  for (uint i = 0; i < 2; ++i) { x = 10 + i; write_pipe(p, a, i, &x); }\n"
      "  x = 20; write_pipe(p, b, 0, &x);\n"
      "  seen[2] = get_pipe_num_packets(p);\n"
      "  commit_write_pipe(p, c); seen[3] = get_pipe_num_packets(p);\n"
      "  commit_write_pipe(p, a); seen[4] = get_pipe_num_packets(p);\n"
      "  commit_write_pipe(p, b); seen[5] = get_pipe_num_packets(p);\n"
      "  seen[6] = get_pipe_max_packets(p);\n}\n"
      "kernel void reader(read_only pipe uint p, global uint* out) {\n"
      "  reserve_id_t a = reserve_read_pipe(p, 4), b = reserve_read_pipe(p, 1);\n"
      "  out[7] = get_pipe_num_packets(p);\n"
      "  for (uint i = 0; i < 4; ++i) read_pipe(p, a, i, out + i);\n"
      "  read_pipe(p, b, 0, out + 4);\n"
      "  commit_read_pipe(p, b); commit_read_pipe(p, a);\n"
      "  out[8] = read_pipe(p, out + 5); out[9] = read_pipe(p, out + 6);\n}\n");
  const test::Kernel writer = make_kernel(program, "writer"), reader = make_kernel(program, "reader");
  const test::Buffer pipe = make_pipe(4, 8);
  const std::size_t one = 1;
  for (int round = 0; round < 5; ++round) {
    const test::Buffer seen = make_buffer(std::vector<cl_uint>(7, 99)),
                       out = make_buffer(std::vector<cl_uint>(10, 99));
    set_arguments(writer, pipe, seen);
    set_arguments(reader, pipe, out);
    CL_OK(clEnqueueNDRangeKernel(queue, writer, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    CL_OK(clEnqueueNDRangeKernel(queue, reader, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<cl_uint>(seen, 7), (std::vector<cl_uint>{1, 0, 0, 0, 2, 6, 8}));
    EXPECT_EQ(contents<cl_uint>(out, 10),
              (std::vector<cl_uint>{10, 11, 20, 32, 31, 30, 99, 1, 0, static_cast<cl_uint>(-1)}));
  }
}

// Writer and reader run concurrently, with a pipe that is much smaller than the data.
TEST_F(Pipes, TwoKernelsAtOnce) {
  cl_uint units = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr));
  if (units < 2)
    GTEST_SKIP() << "one compute unit: nothing says that the second kernel begins before the first ends";
  constexpr cl_uint kCount = 20'000;
  const test::Program program = build(
      "kernel void writer(write_only pipe uint p, uint count) {\n"
      "  for (uint i = 0; i < count; ++i) while (write_pipe(p, &i)); }\n"
      "kernel void reader(read_only pipe uint p, uint count, global uint* wrong) {\n"
      "  uint x; *wrong = 0;\n"
      "  for (uint i = 0; i < count; ++i) { while (read_pipe(p, &x)); *wrong += x != i; } }\n");
  const test::Kernel writer = make_kernel(program, "writer"), reader = make_kernel(program, "reader");
  const test::Buffer pipe = make_pipe(4, 10), wrong = make_buffer(std::vector<cl_uint>{77});
  set_arguments(writer, pipe, kCount);
  set_arguments(reader, pipe, kCount, wrong);
  const test::Queue other = make_queue(0);
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(other, writer, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  CL_OK(clFlush(other));
  CL_OK(clEnqueueNDRangeKernel(queue, reader, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  CL_OK(clFinish(other));
  EXPECT_EQ(contents<cl_uint>(wrong, 1)[0], 0u);
}

// Many work-items write and read concurrently: each packet arrives once.
TEST_F(Pipes, EachPacketOnce) {
  const test::Program program = build(kernels("int"));
  failures = make_buffer(std::vector<cl_int>{0});
  std::vector<cl_int> numbers(kItems);
  for (std::size_t i = 0; i < kItems; ++i) numbers[i] = static_cast<cl_int>(i);
  const test::Buffer from = make_buffer(numbers), pipe = make_pipe(4, kItems);
  for (int round = 0; round < 10; ++round) {
    const test::Buffer to = make_buffer(std::vector<cl_int>(kItems, -1));
    run(program, round % 2 ? "write_plain" : "write_reserved", from, pipe, kItems);
    run(program, round % 3 ? "read_reserved" : "read_plain", pipe, to, kItems);
    auto seen = contents<cl_int>(to, kItems);
    std::ranges::sort(seen);
    ASSERT_EQ(seen, numbers);
  }
}

// Work-items of a sub-group write at different places of the kernel, to different pipes, and not equally often.
TEST_F(Pipes, WorkItemsGoTheirOwnWays) {
  const test::Program program = build(
      "kernel void scatter(write_only pipe uint a, write_only pipe uint b, global atomic_int* failures) {\n"
      "  uint i = get_global_id(0);\n"
      "  for (uint k = 0; k < i % 5; ++k) {\n"
      "    uint x = i * 8 + k;\n"
      "    int bad = (i + k) % 3 ? write_pipe(a, &x) : write_pipe(b, &x);\n"
      "    if (bad) atomic_fetch_add(failures, 1);\n  }\n}\n"
      "kernel void drain(read_only pipe uint p, global uint* out) {\n"
      "  uint x = 0, i = get_global_id(0); while (i % 3 && read_pipe(p, &x) == 0) out[x] += 1; }\n");
  const test::Kernel scatter = make_kernel(program, "scatter"), drain = make_kernel(program, "drain");
  const test::Buffer a = make_pipe(4, 4 * kItems), b = make_pipe(4, 4 * kItems),
                     out_a = make_buffer(std::vector<cl_uint>(8 * kItems)),
                     out_b = make_buffer(std::vector<cl_uint>(8 * kItems));
  failures = make_buffer(std::vector<cl_int>{0});
  set_arguments(scatter, a, b, failures);
  CL_OK(clEnqueueNDRangeKernel(queue, scatter, 1, nullptr, &kItems, &kGroup, 0, nullptr, nullptr));
  for (const auto& [pipe, out] : {std::pair{&a, &out_a}, std::pair{&b, &out_b}}) {
    set_arguments(drain, *pipe, *out);
    CL_OK(clEnqueueNDRangeKernel(queue, drain, 1, nullptr, &kItems, &kGroup, 0, nullptr, nullptr));
  }
  EXPECT_EQ(failed(), 0);
  std::vector<cl_uint> in_a(8 * kItems), in_b(8 * kItems);
  for (cl_uint i = 0; i < kItems; ++i)
    for (cl_uint k = 0; k < i % 5; ++k) ((i + k) % 3 ? in_a : in_b)[i * 8 + k] = 1;
  EXPECT_EQ(contents<cl_uint>(out_a, 8 * kItems), in_a);
  EXPECT_EQ(contents<cl_uint>(out_b, 8 * kItems), in_b);
}

TEST_F(Pipes, PassedToFunctions) {
  const test::Program program = build(
      "int give(write_only pipe float4 p, float4 x) { return write_pipe(p, &x); }\n"
      "float4 take(read_only pipe float4 p) { float4 x = -1; read_pipe(p, &x); return x; }\n"
      "kernel void k(write_only pipe float4 p) { give(p, (float4)(1, 2, 3, 4)); }\n"
      "kernel void r(read_only pipe float4 p, global float4* out) { *out = take(p); }\n",
      "-cl-std=CL3.0");
  const test::Kernel k = make_kernel(program, "k"), r = make_kernel(program, "r");
  const test::Buffer pipe = make_pipe(16, 1), out = make_buffer(16);
  set_arguments(k, pipe);
  set_arguments(r, pipe, out);
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  CL_OK(clEnqueueNDRangeKernel(queue, r, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<float>(out, 4), (std::vector<float>{1, 2, 3, 4}));
}

// A kernel whose packet size differs from the pipe's does not access it.
TEST_F(Pipes, OtherPacketSizes) {
  const test::Program program = build(kernels("long16"));
  failures = make_buffer(std::vector<cl_int>{0});
  const test::Buffer pipe = make_pipe(4, kItems), memory = make_buffer(kItems * 128);
  run(program, "write_plain", memory, pipe, kItems);
  EXPECT_EQ(failed(), static_cast<cl_int>(kItems));
  run(program, "read_work_group", pipe, memory, kItems);
  EXPECT_EQ(failed(), static_cast<cl_int>(kItems));
}

}  // namespace
