// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include "support/two_devices.h"
#include "svm_test.h"

namespace {

class SvmKernel : public test::SvmTest {
 protected:
  void SetUp() override {
    SvmTest::SetUp();
    if (IsSkipped()) return;
    program = build(
        "struct node { global struct node* next; int value; };\n"
        "kernel void sum(global struct node* first, global int* out) {\n"
        "  int all = 0; for (global struct node* n = first; n; n = n->next) { all += n->value; n->value = "
        "-n->value; }\n"
        "  *out = all; }\n"
        "kernel void add(constant int* in, global int* out, local int* shared, int number) {\n"
        "  size_t i = get_global_id(0); out[i] = in[i] + number; }\n");
  }
  test::Program program;
};

TEST_F(SvmKernel, PointersIntoAllocations) {
  const test::Kernel add = make_kernel(program, "add");
  const test::Svm memory = allocate(200 * sizeof(cl_int));
  auto expected = test::random_values<cl_int>(200);
  write(memory, expected);
  CL_OK(clSetKernelArgSVMPointer(add, 0, memory.as<cl_int>() + 50));
  CL_OK(clSetKernelArgSVMPointer(add, 1, memory.as<cl_int>() + 100));
  CL_OK(clSetKernelArg(add, 2, 4, nullptr));
  set_argument(add, 3, cl_int{3});
  launch(add, 50);
  for (int i = 0; i < 50; ++i)
    expected[100 + i] = static_cast<cl_int>(static_cast<cl_uint>(expected[50 + i]) + 3);
  EXPECT_EQ(read<cl_int>(memory, 200), expected);
  // A buffer replaces a pointer as the argument's value.
  const test::Buffer buffer = make_buffer(std::vector<cl_int>(50, 1000));
  set_argument(add, 0, buffer);
  launch(add, 50);
  for (int i = 0; i < 50; ++i) expected[100 + i] = 1003;
  EXPECT_EQ(read<cl_int>(memory, 200), expected);
}

// Section 5.9.2: a call that fails changes nothing. Launches with pointers that are the same must know it.
TEST_F(SvmKernel, StayWhenAnotherValueIsRefused) {
  const test::Kernel kernel = make_kernel(
      build("kernel void k(global int* a, global int* b, int n) {\n"
            "  int sum = 0; for (int i = 0; i < n; ++i) { a[0] = i; sum += b[0]; } a[1] = sum; }\n"),
      "k");
  const test::Svm memory = allocate(4096);
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, memory.as<cl_int>()));
  CL_OK(clSetKernelArgSVMPointer(kernel, 1, memory.as<cl_int>()));
  set_argument(kernel, 2, cl_int{10});
  cl_mem invalid = nullptr;
  const auto bad = reinterpret_cast<cl_mem>(&invalid);
  for (const cl_uint index : {0u, 1u}) {
    write(memory, std::vector<cl_int>{0, 0});
    CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, index, sizeof bad, &bad));
    launch(kernel, 1);
    EXPECT_EQ((std::vector<cl_int>{9, 45}), read<cl_int>(memory, 2));
  }
}

// The compiler must not assume an alignment that allows wide loads and stores: the pointer may be to any element, and so may the buffer in
// SVM.
TEST_F(SvmKernel, AnyElementOfAnAllocation) {
  const test::Program own = build(
      "kernel void negate(global const int* in, global int* out) {\n"
      "  size_t i = get_global_id(0) * 4;\n"
      "  int a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];\n"
      "  out[i] = -a; out[i + 1] = -b; out[i + 2] = -c; out[i + 3] = -d; }\n");
  const test::Kernel negate = make_kernel(own, "negate");
  constexpr size_t kCount = 256;
  const test::Svm memory = allocate(2 * (kCount + 4) * sizeof(cl_int));
  const auto values = test::random_values<cl_int>(2 * (kCount + 4));
  for (const size_t from : {0, 1, 3}) {
    for (const size_t to : {0, 2}) {
      for (const bool in_buffer : {false, true}) {
        write(memory, values);
        cl_int* const in = memory.as<cl_int>() + from;
        cl_int* const out = memory.as<cl_int>() + kCount + 4 + to;
        test::Buffer buffer;
        if (in_buffer) {
          cl_int error = CL_SUCCESS;
          buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kCount * sizeof(cl_int), in, &error);
          CL_EXPECT(CL_SUCCESS, error);
          set_argument(negate, 0, buffer);
        } else {
          CL_OK(clSetKernelArgSVMPointer(negate, 0, in));
        }
        CL_OK(clSetKernelArgSVMPointer(negate, 1, out));
        launch(negate, kCount / 4);
        auto expected = values;
        for (size_t i = 0; i < kCount; ++i)
          expected[kCount + 4 + to + i] = static_cast<cl_int>(0u - static_cast<cl_uint>(values[from + i]));
        EXPECT_EQ(read<cl_int>(memory, values.size()), expected) << from << " " << to << " " << in_buffer;
      }
    }
  }
}

struct Node {
  Node* next;
  cl_int value;
};

// A linked list, each node of which is an SVM allocation; only the first is an argument.
TEST_F(SvmKernel, FollowsPointersInStructures) {
  const test::Kernel kernel = make_kernel(program, "sum");
  std::vector<test::Svm> nodes;
  std::vector<void*> pointers;
  cl_int wanted = 0;
  for (int i = 0; i < 50; ++i) {
    nodes.push_back(allocate(sizeof(Node)));
    pointers.push_back(nodes.back().get());
    wanted += i * i;
    write<Node>(nodes.back(), {{i ? nodes[i - 1].as<Node>() : nullptr, i * i}});
  }
  const test::Svm out = allocate(sizeof(cl_int));
  CL_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, pointers.size() * sizeof(void*),
                            pointers.data()));
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, nodes.back().get()));
  CL_OK(clSetKernelArgSVMPointer(kernel, 1, out.get()));
  cl_int error = CL_SUCCESS;
  const test::Kernel clone = clCloneKernel(kernel, &error);
  CL_EXPECT(CL_SUCCESS, error);
  launch(kernel, 1);
  EXPECT_EQ(read<cl_int>(out, 1)[0], wanted);
  launch(clone, 1);
  EXPECT_EQ(read<cl_int>(out, 1)[0], -wanted);
  // An empty list.
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, nullptr));
  launch(kernel, 1);
  EXPECT_EQ(read<cl_int>(out, 1)[0], 0);
}

TEST_F(SvmKernel, MemoryOfTheHost) {
  if (!has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) GTEST_SKIP() << "no fine-grained system memory";
  const test::Kernel kernel = make_kernel(program, "sum");
  std::vector<Node> nodes(100);
  cl_int wanted = 0, found = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = {i + 1 < nodes.size() ? &nodes[i + 1] : nullptr, static_cast<cl_int>(3 * i)};
    wanted += nodes[i].value;
  }
  const cl_bool yes = CL_TRUE;
  CL_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, nodes.data()));
  CL_OK(clSetKernelArgSVMPointer(kernel, 1, &found));
  launch(kernel, 1);
  CL_OK(clFinish(queue));
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(nodes[5].value, -15);
}

TEST_F(SvmKernel, Errors) {
  const test::Kernel add = make_kernel(program, "add");
  const test::Svm memory = allocate(64);
  CL_EXPECT(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(nullptr, 0, memory.get()));
  CL_EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(add, 4, memory.get()));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 2, memory.get()));
  CL_EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 3, memory.get()));
  int on_stack = 0;
  CL_EXPECT(has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ? CL_SUCCESS : CL_INVALID_ARG_VALUE,
            clSetKernelArgSVMPointer(add, 0, &on_stack));
}

TEST_F(SvmKernel, ExecInfoErrors) {
  const test::Kernel add = make_kernel(program, "add");
  const test::Svm memory = allocate(64);
  const void* pointer = memory.get();
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  const auto info = [&](cl_kernel_exec_info name, std::size_t size, const void* value) {
    return clSetKernelExecInfo(add, name, size, value);
  };
  CL_EXPECT(CL_INVALID_KERNEL,
            clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointer, &pointer));
  CL_EXPECT(CL_INVALID_VALUE, info(0, sizeof pointer, &pointer));
  CL_EXPECT(CL_INVALID_VALUE, info(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointer, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, info(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointer - 1, &pointer));
  CL_EXPECT(CL_SUCCESS, info(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointer, &pointer));
  CL_EXPECT(CL_SUCCESS, info(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, info(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, &pointer));
  CL_EXPECT(CL_INVALID_VALUE, info(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, info(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes));
  CL_EXPECT(CL_SUCCESS, info(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
  CL_EXPECT(has(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ? CL_SUCCESS : CL_INVALID_OPERATION,
            info(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
}

// Host and kernel access the same memory at the same time.
class SvmAtomics : public test::SvmTest {
 protected:
  void SetUp() override {
    SvmTest::SetUp();
    if (!IsSkipped() && !has(CL_DEVICE_SVM_ATOMICS)) GTEST_SKIP() << "no atomics on shared memory";
  }
  test::Svm shared(std::size_t size) const {
    return allocate(size, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
  }
  // When this returns, the kernel has started or will start without another call.
  void begin(cl_kernel kernel, std::size_t items) const {
    launch(kernel, items);
    CL_EXPECT(CL_SUCCESS, clFlush(queue));
  }
};

// The kernel answers each number that the host posts with its double.
TEST_F(SvmAtomics, HostAndDeviceAtOnce) {
  struct Mailbox {
    cl_uint posted, answered;  // counts
    cl_uint value, result;
  };
  const test::Program serving = build(
      "struct mailbox { atomic_uint posted, answered; uint value, result; };\n"
      "kernel void serve(global struct mailbox* box, uint count) {\n"
      "  for (uint i = 1; i <= count; ++i) {\n"
      "    while (atomic_load_explicit(&box->posted, memory_order_acquire, memory_scope_all_svm_devices) != "
      "i);\n"
      "    box->result = 2 * box->value;\n"
      "    atomic_store_explicit(&box->answered, i, memory_order_release, memory_scope_all_svm_devices);\n"
      "  }\n}\n");
  const test::Kernel kernel = make_kernel(serving, "serve");
  const test::Svm memory = shared(sizeof(Mailbox));
  auto* const box = memory.as<Mailbox>();
  *box = {};
  constexpr cl_uint kCount = 200;
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, box));
  set_argument(kernel, 1, kCount);
  begin(kernel, 1);
  for (cl_uint i = 1; i <= kCount; ++i) {
    const auto value = static_cast<cl_uint>(test::random_engine()());
    box->value = value;
    __atomic_store_n(&box->posted, i, __ATOMIC_RELEASE);
    while (__atomic_load_n(&box->answered, __ATOMIC_ACQUIRE) != i) sched_yield();
    ASSERT_EQ(box->result, 2 * value) << i;
  }
}

// Host and kernel each store to one variable and then load the other's: at least one of them must see the other's store (store buffering;
// API specification 3.3.4, sequential consistency across memory_scope_all_svm_devices).
TEST_F(SvmAtomics, HostAndDeviceDoNotBothMissTheOther) {
  const test::Program meeting = build(
      "#define SVM memory_scope_all_svm_devices\n"
      "kernel void meet(global atomic_uint* here, global atomic_uint* there, global atomic_uint* mine,\n"
      "                 global atomic_uint* yours, global uint* missed, uint rounds, uint fences) {\n"
      "  for (uint i = 0; i < rounds; ++i) {\n"
      "    atomic_store_explicit(here, i + 1, memory_order_release, SVM);\n"
      "    while (atomic_load_explicit(there, memory_order_acquire, SVM) <= i);\n"
      "    if (fences) {\n"
      "      atomic_store_explicit(mine + i, 1, memory_order_relaxed, SVM);\n"
      "      atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, SVM);\n"
      "      missed[i] = !atomic_load_explicit(yours + i, memory_order_relaxed, SVM);\n"
      "    } else {\n"
      "      atomic_store_explicit(mine + i, 1, memory_order_seq_cst, SVM);\n"
      "      missed[i] = !atomic_load_explicit(yours + i, memory_order_seq_cst, SVM);\n"
      "    }\n"
      "  }\n}\n");
  const test::Kernel kernel = make_kernel(meeting, "meet");
  constexpr cl_uint kRounds = 500;
  struct Places {
    cl_uint device_here, host_here;
    cl_uint of_device[kRounds], of_host[kRounds], missed[kRounds];
  };
  const test::Svm memory = shared(sizeof(Places));
  auto* const places = memory.as<Places>();
  for (const cl_uint fences : {0u, 1u}) {
    *places = {};
    cl_uint number = 0;
    for (cl_uint* place :
         {&places->device_here, &places->host_here, places->of_device, places->of_host, places->missed})
      CL_OK(clSetKernelArgSVMPointer(kernel, number++, place));
    set_argument(kernel, 5, kRounds);
    set_argument(kernel, 6, fences);
    begin(kernel, 1);
    std::vector<cl_uint> missed(kRounds);
    for (cl_uint i = 0; i < kRounds; ++i) {
      __atomic_store_n(&places->host_here, i + 1, __ATOMIC_RELEASE);
      while (__atomic_load_n(&places->device_here, __ATOMIC_ACQUIRE) <= i) sched_yield();
      __atomic_store_n(&places->of_host[i], 1, __ATOMIC_SEQ_CST);
      missed[i] = !__atomic_load_n(&places->of_device[i], __ATOMIC_SEQ_CST);
    }
    CL_OK(clFinish(queue));
    for (cl_uint i = 0; i < kRounds; ++i)
      ASSERT_FALSE(missed[i] && places->missed[i]) << "round " << i << (fences ? ", with fences" : "");
  }
}

// All work-items and the host increment the same counter.
TEST_F(SvmAtomics, HostAndDeviceCountTogether) {
  const test::Program counting = build(
      "kernel void count(global atomic_uint* place, global atomic_ulong* most) {\n"
      "  atomic_fetch_add_explicit(place, 3, memory_order_relaxed, memory_scope_all_svm_devices);\n"
      "  atomic_fetch_max_explicit(most, get_global_id(0), memory_order_relaxed, "
      "memory_scope_all_svm_devices);\n}\n");
  const test::Kernel kernel = make_kernel(counting, "count");
  const test::Svm memory = shared(16);
  auto* const place = memory.as<cl_uint>();
  auto* const most = memory.as<cl_ulong>() + 1;
  *place = 0;
  *most = 5;
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, place));
  CL_OK(clSetKernelArgSVMPointer(kernel, 1, most));
  begin(kernel, 1 << 16);
  for (int i = 0; i < 1000; ++i) __atomic_fetch_add(place, 1, __ATOMIC_RELAXED);
  CL_OK(clFinish(queue));
  EXPECT_EQ(*place, 3u * (1 << 16) + 1000);
  EXPECT_EQ(*most, (1u << 16) - 1);
}

// Several devices of one context use the memory in turn.
TEST_F(SvmKernel, SeveralDevices) {
  if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device";
  const test::TwoDevices both;
  cl_int error = CL_SUCCESS;
  const char* text =
      "kernel void k(global uint* p, uint n) { size_t i = get_global_id(0); p[i] = p[i] * 5 + n; }";
  const test::Program made = clCreateProgramWithSource(both.context, 1, &text, nullptr, &error);
  CL_OK(clBuildProgram(made, 0, nullptr, "", nullptr, nullptr));
  const test::Kernel kernel = clCreateKernel(made, "k", &error);
  const test::Svm memory(both.context, 0, 4000);
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, memory.get()));
  auto expected = test::random_values<cl_uint>(1000);
  CL_OK(
      clEnqueueSVMMemcpy(both.queues[0], CL_TRUE, memory.get(), expected.data(), 4000, 0, nullptr, nullptr));
  const std::size_t items = 1000;
  for (cl_uint round = 0; round < 6; ++round) {
    set_argument(kernel, 1, round);
    CL_OK(clEnqueueNDRangeKernel(both.queues[round % 2], kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                 nullptr));
    CL_OK(clFinish(both.queues[round % 2]));
    for (cl_uint& value : expected) value = value * 5 + round;
  }
  std::vector<cl_uint> seen(1000);
  CL_OK(clEnqueueSVMMemcpy(both.queues[1], CL_TRUE, seen.data(), memory.get(), 4000, 0, nullptr, nullptr));
  EXPECT_EQ(seen, expected);
}

}  // namespace
