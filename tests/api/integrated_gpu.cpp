// SPDX-License-Identifier: Apache-2.0
// A GPU without its own memory, whose managed memory the host must not access while kernels run: the capabilities that it reports, and that
// host and kernels see the same values in each kind of memory.
#include <sched.h>

#include <algorithm>

#include "support/device_info.h"
#include "usm_test.h"

namespace {

class IntegratedGpu : public test::UsmTest {
 protected:
  void SetUp() override {
    UsmTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    program = build(
        "kernel void add(global uint* p, uint v) { p[get_global_id(0)] += v; }\n"
        "kernel void answer(global atomic_uint* asked, global atomic_uint* answered, uint count) {\n"
        "  for (uint i = 1; i <= count; ++i) {\n"
        "    while (atomic_load_explicit(asked, memory_order_acquire, memory_scope_all_svm_devices) < i);\n"
        "    atomic_store_explicit(answered, i, memory_order_release, memory_scope_all_svm_devices);\n"
        "  }\n"
        "}\n");
    add = make_kernel(program, "add");
  }
  // A kernel that adds v to each element.
  void add_to(const test::Buffer& buffer, std::size_t count, cl_uint v) {
    set_arguments(add, buffer, v);
    launch(add, count);
  }
  static std::vector<cl_uint> sums(std::vector<cl_uint> values, cl_uint v) {
    for (cl_uint& value : values) value += v;
    return values;
  }

  test::Program program;
  test::Kernel add;
};

constexpr std::size_t kCount = 100'000;

TEST_F(IntegratedGpu, SaysWhatItsAttributesSay) {
  EXPECT_EQ(test::device_info<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY), cl_bool{CL_TRUE});
  EXPECT_EQ(test::device_info<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES),
            cl_device_svm_capabilities{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER});
  constexpr cl_device_unified_shared_memory_capabilities_intel kDevice =
      CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
  constexpr auto kShared = kDevice | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
  const auto usm_capabilities = [&](cl_device_info name) {
    return test::device_info<cl_device_unified_shared_memory_capabilities_intel>(device, name);
  };
  EXPECT_EQ(usm_capabilities(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL), kShared);
  EXPECT_EQ(usm_capabilities(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL), kDevice);
  EXPECT_EQ(usm_capabilities(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL), kShared);
  EXPECT_EQ(usm_capabilities(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL), kShared);
  EXPECT_EQ(usm_capabilities(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL), 0u);
}

TEST_F(IntegratedGpu, RefusesFineGrains) {
  for (const cl_svm_mem_flags grain :
       {CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS})
    EXPECT_EQ(nullptr, clSVMAlloc(context, CL_MEM_READ_WRITE | grain, 64, 0)) << grain;
}

TEST_F(IntegratedGpu, BuffersOfEveryKind) {
  const auto before = test::random_values<cl_uint>(kCount);
  constexpr std::size_t kSize = kCount * sizeof(cl_uint);
  for (const cl_mem_flags kind : {cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR},
                                  cl_mem_flags{CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR}}) {
    SCOPED_TRACE(kind);
    std::vector<cl_uint> host = before;
    const test::Buffer buffer = make_buffer(kSize, CL_MEM_READ_WRITE | kind, host.data());
    add_to(buffer, kCount, 5);
    cl_int error = 1;
    auto* mapped = static_cast<cl_uint*>(clEnqueueMapBuffer(
        queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, kSize, 0, nullptr, nullptr, &error));
    CL_OK(error);
    if (kind & CL_MEM_USE_HOST_PTR) EXPECT_EQ(mapped, host.data());
    EXPECT_EQ(std::vector<cl_uint>(mapped, mapped + kCount), sums(before, 5));
    for (std::size_t i = 0; i < kCount; ++i) mapped[i] += 2;
    CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
    add_to(buffer, kCount, 1);
    EXPECT_EQ(contents<cl_uint>(buffer, kCount), sums(before, 8));
  }
}

// Host and kernel take turns while the kernel runs: no access of the host may wait for the kernel's end.
TEST_F(IntegratedGpu, HostAccessesSharedMemoryWhileKernelsRun) {
  constexpr cl_uint kTurns = 200;
  const test::Kernel answer = make_kernel(program, "answer");
  cl_int error = 1;
  const test::UsmMemory memory(*usm, context, usm->shared_alloc(context, device, nullptr, 256, 0, &error));
  CL_OK(error);
  std::fill_n(memory.get(), 256, 0);
  auto* const words = memory.as<cl_uint>();
  CL_OK(usm->set_argument(answer, 0, words));
  CL_OK(usm->set_argument(answer, 1, words + 32));
  set_argument(answer, 2, kTurns);
  launch(answer, 1);
  CL_OK(clFlush(queue));
  for (cl_uint turn = 1; turn <= kTurns; ++turn) {
    __atomic_store_n(words, turn, __ATOMIC_RELEASE);
    while (__atomic_load_n(words + 32, __ATOMIC_ACQUIRE) < turn) sched_yield();
  }
  CL_OK(clFinish(queue));
  EXPECT_EQ(words[32], kTurns);
}

}  // namespace
