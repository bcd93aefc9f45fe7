// SPDX-License-Identifier: Apache-2.0
#include "svm_test.h"

namespace {

class SvmAlloc : public test::SvmTest {};

TEST_F(SvmAlloc, EveryFlagAndAlignment) {
  for (const cl_svm_mem_flags access : {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY})
    for (cl_uint alignment = 0; alignment <= 64 << 10; alignment = alignment ? 2 * alignment : 1)
      for (const cl_svm_mem_flags grain :
           {0, CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS}) {
        if (grain && !has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) continue;
        if (grain & CL_MEM_SVM_ATOMICS && !has(CL_DEVICE_SVM_ATOMICS)) continue;
        const test::Svm memory(context, access | grain, 1 + test::random_engine()() % 5000, alignment);
        ASSERT_NE(memory.get(), nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % (alignment ? alignment : 128), 0u);
      }
}

TEST_F(SvmAlloc, Refusals) {
  EXPECT_EQ(nullptr, clSVMAlloc(nullptr, 0, 64, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(reinterpret_cast<cl_context>(queue.get()), 0, 64, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, 0, 0));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, ~std::size_t{0}, 0));
  cl_ulong largest = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, nullptr));
  EXPECT_EQ(nullptr, clSVMAlloc(context, 0, largest + 1, 0));
  for (const cl_uint alignment : {3u, 12u, 129u, 4097u, 1u << 17, 1u << 31, ~0u})
    EXPECT_EQ(nullptr, clSVMAlloc(context, 0, 64, alignment)) << alignment;
  for (const cl_svm_mem_flags flags :
       {cl_svm_mem_flags{CL_MEM_READ_WRITE | CL_MEM_READ_ONLY},
        cl_svm_mem_flags{CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}, cl_svm_mem_flags{CL_MEM_SVM_ATOMICS},
        cl_svm_mem_flags{CL_MEM_USE_HOST_PTR}, cl_svm_mem_flags{CL_MEM_HOST_READ_ONLY},
        cl_svm_mem_flags{1} << 40})
    EXPECT_EQ(nullptr, clSVMAlloc(context, flags, 64, 0)) << flags;
  if (!has(CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) {
    EXPECT_EQ(nullptr, clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  }
}

// SVM allocations are limited to the device's memory, and freed memory can be allocated again.
TEST_F(SvmAlloc, NeverMoreThanTheDeviceHas) {
  cl_ulong whole = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof whole, &whole, nullptr));
  for (int round = 0; round < 3; ++round) {
    const test::Svm half(context, 0, whole / 2 + 4096, 0);
    ASSERT_NE(half.get(), nullptr) << round;
    EXPECT_EQ(nullptr, clSVMAlloc(context, 0, whole / 2, 0));
  }
}

TEST_F(SvmAlloc, FreeIgnoresWhatIsNotAnAllocation) {
  test::Svm memory = allocate(64);
  clSVMFree(context, nullptr);
  clSVMFree(nullptr, memory.get());
  clSVMFree(context, memory.as<char>() + 1);
  int on_stack = 0;
  clSVMFree(context, &on_stack);
  write<cl_int>(memory, {1, 2, 3});
  EXPECT_EQ(read<cl_int>(memory, 3), (std::vector<cl_int>{1, 2, 3}));
  void* const freed = memory.release();
  clSVMFree(context, freed);
  clSVMFree(context, freed);
}

// A buffer that uses an SVM allocation does not copy it: kernels, reads and maps access the allocation itself.
TEST_F(SvmAlloc, BuffersUseItInPlace) {
  constexpr std::size_t kCount = 1000;
  const test::Svm memory = allocate(kCount * sizeof(cl_int));
  const auto before = test::random_values<cl_int>(kCount);
  write(memory, before);
  cl_int* const middle = memory.as<cl_int>() + 100;
  const test::Buffer buffer = make_buffer(100 * sizeof(cl_int), CL_MEM_USE_HOST_PTR, middle);
  EXPECT_EQ(contents<cl_int>(buffer, 100), std::vector<cl_int>(before.begin() + 100, before.begin() + 200));
  cl_bool uses = CL_FALSE;
  std::size_t offset = 1;
  void* host = nullptr;
  CL_OK(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr));
  CL_OK(clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof offset, &offset, nullptr));
  CL_OK(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof host, &host, nullptr));
  EXPECT_EQ(uses, CL_TRUE);
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(host, middle);

  const test::Program program = build("kernel void k(global int* p) { p[get_global_id(0)] += 1; }");
  const test::Kernel kernel = make_kernel(program, "k");
  set_arguments(kernel, buffer);
  launch(kernel, 100);
  cl_int error = CL_SUCCESS;
  auto* const mapped = static_cast<cl_int*>(clEnqueueMapBuffer(
      queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 40, 80, 0, nullptr, nullptr, &error));
  CL_EXPECT(CL_SUCCESS, error);
  ASSERT_EQ(mapped, middle + 10);
  EXPECT_EQ(mapped[0], before[110] + 1);
  mapped[0] = 77;
  CL_OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  launch(kernel, 100);
  auto expected = before;
  for (int i = 100; i < 200; ++i) expected[i] += 2;
  expected[110] = 78;
  EXPECT_EQ(read<cl_int>(memory, kCount), expected);
}

TEST_F(SvmAlloc, BuffersOnItAreNotLargerThanIt) {
  const test::Svm memory = allocate(1024);
  cl_int error = CL_SUCCESS;
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    EXPECT_EQ(nullptr, clCreateBuffer(context, flags, 1025, memory.get(), &error));
    CL_EXPECT(CL_INVALID_BUFFER_SIZE, error) << flags;
    EXPECT_EQ(nullptr, clCreateBuffer(context, flags, 25, memory.as<char>() + 1000, &error));
    CL_EXPECT(CL_INVALID_BUFFER_SIZE, error) << flags;
  }
  const test::Buffer plain = make_buffer(64);
  cl_bool uses = CL_TRUE;
  CL_OK(clGetMemObjectInfo(plain, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr));
  EXPECT_EQ(uses, CL_FALSE);
}

// clSVMFree does not wait for kernels that do not use the memory.
TEST_F(SvmAlloc, FreeDoesNotWait) {
  const test::Svm flag = allocate(
      sizeof(cl_int), has(CL_DEVICE_SVM_ATOMICS) ? CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS : 0);
  if (!has(CL_DEVICE_SVM_ATOMICS)) GTEST_SKIP() << "no way to hold a kernel up";
  *flag.as<volatile cl_int>() = 0;
  const test::Program program = build(
      "kernel void wait(global atomic_int* flag) {\n"
      "  while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_all_svm_devices)); }\n");
  const test::Kernel kernel = make_kernel(program, "wait");
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, flag.get()));
  test::Event event;
  const std::size_t one = 1;
  void* const held_up = allocate(64 << 20).release();
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
  CL_OK(clFlush(queue));
  clSVMFree(context, held_up);  // would not return if it waited
  __atomic_store_n(flag.as<cl_int>(), 1, __ATOMIC_RELEASE);
  CL_OK(clFinish(queue));
}

}  // namespace
