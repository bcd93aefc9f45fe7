// SPDX-License-Identifier: Apache-2.0
// Work-items that exchange data through buffers of their kernel: no read may be moved, and no write left out, across barriers, fences and
// atomic functions (OpenCL C 6.15.8 and 6.15.12), although the buffers are distinct and the compiler knows it.
#include <atomic>
#include <chrono>
#include <string>

#include "support/opencl.h"

namespace {

class SharedArguments : public test::OpenCL {
 protected:
  static constexpr std::size_t kItems = 64;

  // A work-group executes `k(data, out, flag)`; returns what is in `out`, an element for each work-item.
  std::vector<cl_int> run(const std::string& source, const char* options, cl_int first,
                          std::size_t items = kItems) const {
    const test::Program program = build(source, options);
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer data = make_buffer(std::vector<cl_int>(items, first)),
                       out = make_buffer(std::vector<cl_int>(items)),
                       flag = make_buffer(std::vector<cl_int>(1));
    set_arguments(kernel, data, out, flag);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
    return contents<cl_int>(out, items);
  }
};

struct Barrier {
  const char *call, *options;
  std::size_t items = 64;  // that it brings together
};
constexpr Barrier kBarriers[] = {
    {"barrier(CLK_GLOBAL_MEM_FENCE)", "-cl-std=CL1.2"},
    {"barrier(CLK_GLOBAL_MEM_FENCE)", "-cl-std=CL3.0"},
    {"work_group_barrier(CLK_GLOBAL_MEM_FENCE)", "-cl-std=CL3.0"},
    {"work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_work_group)", "-cl-std=CL3.0"},
    {"work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device)", "-cl-std=CL3.0"},
    {"sub_group_barrier(CLK_GLOBAL_MEM_FENCE)", "-cl-std=CL3.0", 32},
    {"(work_group_reduce_add(1), work_group_barrier(CLK_GLOBAL_MEM_FENCE))", "-cl-std=CL3.0"},
};

std::string with(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// The second read is of what another work-item has written.
constexpr const char* kReadWriteRead[] = {
    R"(kernel void k(global int* QUALIFIER data, global int* QUALIFIER out, global int* flag) {
         int l = get_local_id(0), x = data[0];
         BARRIER;
         if (l == 1) data[0] = x + 7;
         BARRIER;
         out[l] = data[0];
       })",
    // in a function of the program,
    R"(int twice(global int* QUALIFIER data, int l) {
         int x = data[0];
         BARRIER;
         if (l == 1) data[0] = x + 7;
         BARRIER;
         return data[0];
       }
       kernel void k(global int* QUALIFIER data, global int* QUALIFIER out, global int* flag) {
         out[get_local_id(0)] = twice(data, get_local_id(0));
       })",
    // in turns, with a barrier in a function,
    R"(void meet(void) { BARRIER; }
       kernel void k(global int* QUALIFIER data, global int* QUALIFIER out, global int* flag) {
         int l = get_local_id(0);
         for (int i = 0; i < 7; ++i) {
           meet();
           if (l == i) ++data[0];
           meet();
         }
         out[l] = data[0];
       })",
    // and what is written only for another work-item to read it.
    R"(kernel void k(global int* QUALIFIER data, global int* QUALIFIER out, global int* flag) {
         int l = get_local_id(0);
         if (l == 0) data[0] = 12;
         BARRIER;
         if (l == 1) flag[0] = data[0];
         BARRIER;
         if (l == 0) data[0] = 3;
         BARRIER;
         out[l] = flag[0];
       })"};

TEST_F(SharedArguments, AreReadAgainBehindBarriers) {
  for (const Barrier& barrier : kBarriers)
    for (const char* qualifier : {"", "restrict"})
      for (const char* source : kReadWriteRead) {
        const std::string text = with(with(source, "BARRIER", barrier.call), "QUALIFIER", qualifier);
        SCOPED_TRACE(text);
        EXPECT_EQ(run(text, barrier.options, 5, barrier.items), std::vector<cl_int>(barrier.items, 12));
      }
}

// Data that a flag publishes, within a work-group and beyond.
TEST_F(SharedArguments, AreReadAgainBehindAcquire) {
  for (const char* scope : {"memory_scope_work_group", "memory_scope_device"})
    for (const char* qualifier : {"", "restrict"}) {
      const std::string source = with(with(R"(
kernel void k(global int* QUALIFIER data, global int* QUALIFIER out, global atomic_int* flag) {
  int l = get_local_id(0), x = data[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 0) {
    data[0] = x + 1;
    atomic_store_explicit(flag, 1, memory_order_release, SCOPE);
  } else {
    while (atomic_load_explicit(flag, memory_order_acquire, SCOPE) == 0);
  }
  out[l] = data[0];
})",
                                           "SCOPE", scope),
                                      "QUALIFIER", qualifier);
      SCOPED_TRACE(source);
      EXPECT_EQ(run(source, "-cl-std=CL3.0", 5), std::vector<cl_int>(kItems, 6));
    }
}

// The usual loop until nothing changes: all work-items write the same to `flag` in each turn, and read it.
TEST_F(SharedArguments, TellWhenNothingChanges) {
  const std::string source = R"(
kernel void k(global int* data, global int* out, global int* flag) {
  int l = get_local_id(0);
  if (l == 0) data[0] = 0;
  do {
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0) *flag = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l > 0 && data[l - 1] + 1 < data[l]) {
      data[l] = data[l - 1] + 1;
      *flag = 1;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  } while (*flag);
  out[l] = data[l];
})";
  std::vector<cl_int> distances(kItems);
  for (std::size_t i = 0; i < kItems; ++i) distances[i] = static_cast<cl_int>(i);
  EXPECT_EQ(run(source, "-cl-std=CL3.0", 1000), distances);
}

// Host and kernel take turns in fine-grained memory: the kernel reads what the host writes meanwhile, and writes what it reads.
TEST_F(SharedArguments, AreSharedWithTheHostMeanwhile) {
  cl_device_svm_capabilities able = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof able, &able, nullptr));
  if (!(able & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) || !(able & CL_DEVICE_SVM_ATOMICS))
    GTEST_SKIP() << "no atomics on shared memory";
  const test::Program program = build(R"(
kernel void k(global int* data, const global int* given, global atomic_int* flags, int turns) {
  int seen = given[0];
  for (int i = 1; i <= turns; ++i) {
    data[0] = i * 11 + seen;
    atomic_store_explicit(flags, i, memory_order_release, memory_scope_all_svm_devices);
    while (atomic_load_explicit(flags + 1, memory_order_acquire, memory_scope_all_svm_devices) != i);
    seen = given[0];
  }
})");
  const test::Kernel kernel = make_kernel(program, "k");
  const auto allocate = [&] {
    return static_cast<cl_int*>(
        clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 256, 0));
  };
  cl_int *data = allocate(), *given = allocate(), *flags = allocate();
  ASSERT_TRUE(data && given && flags);
  data[0] = given[0] = flags[0] = flags[1] = 0;
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, data));
  CL_OK(clSetKernelArgSVMPointer(kernel, 1, given));
  CL_OK(clSetKernelArgSVMPointer(kernel, 2, flags));
  constexpr cl_int kTurns = 4;
  set_argument(kernel, 3, kTurns);
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  CL_OK(clFlush(queue));
  std::vector<cl_int> seen, expected;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (cl_int turn = 1; turn <= kTurns; ++turn) {
    while (std::atomic_ref(flags[0]).load(std::memory_order_acquire) != turn &&
           std::chrono::steady_clock::now() < limit) {
    }
    seen.push_back(data[0]);
    expected.push_back(turn * 11 + (turn - 1) * 1000);
    given[0] = turn * 1000;
    std::atomic_ref(flags[1]).store(turn, std::memory_order_release);
  }
  CL_OK(clFinish(queue));
  EXPECT_EQ(seen, expected);
  for (cl_int* memory : {data, given, flags}) clSVMFree(context, memory);
}

}  // namespace
