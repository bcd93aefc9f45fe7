// SPDX-License-Identifier: Apache-2.0
// USM pointers as arguments, and memory that kernels access through pointers in memory (clSetKernelExecInfo).
#include <numeric>

#include "usm_test.h"

namespace {

class MemPointer : public test::UsmTest {};

constexpr char kSource[] =
    "typedef struct node { global struct node* next; uint value; } node;\n"
    "kernel void sum(global const node* first, global uint* out) {\n"
    "  uint sum = 0;\n"
    "  for (global const node* n = first; n; n = n->next) sum += n->value;\n"
    "  *out = sum;\n"
    "}\n"
    "kernel void mixed(local uint* l, uint v, constant uint* c, global uint* g) { *g = *c + v; }\n"
    "kernel void is_null(global uint* p, global uint* out) { *out = p == 0; }\n";

struct Node {
  Node* next;
  cl_uint value;
};

TEST_F(MemPointer, Errors) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "mixed");
  const test::UsmMemory memory = allocate(test::Usm::device, 64);
  CL_EXPECT(CL_INVALID_KERNEL, usm->set_argument(nullptr, 0, memory.get()));
  CL_EXPECT(CL_INVALID_KERNEL, usm->set_argument(reinterpret_cast<cl_kernel>(queue.get()), 0, memory.get()));
  CL_EXPECT(CL_INVALID_ARG_INDEX, usm->set_argument(kernel, 4, memory.get()));
  CL_EXPECT(CL_INVALID_ARG_VALUE, usm->set_argument(kernel, 0, memory.get()));
  CL_EXPECT(CL_INVALID_ARG_VALUE, usm->set_argument(kernel, 1, memory.get()));
  // Since version 1.1 of the extension, any pointer value is accepted.
  for (const cl_uint index : {2u, 3u})
    for (const void* pointer : {static_cast<const void*>(memory.get()), static_cast<const void*>(nullptr),
                                reinterpret_cast<const void*>(0x1234), reinterpret_cast<const void*>(~0ul)})
      CL_EXPECT(CL_SUCCESS, usm->set_argument(kernel, index, pointer));
}

TEST_F(MemPointer, IntoEveryKindOfMemory) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "mixed"), is_null = make_kernel(program, "is_null");
  CL_OK(clSetKernelArg(kernel, 0, 64, nullptr));
  const cl_uint added = 5;
  set_argument(kernel, 1, added);
  for (const test::Usm from : test::kAllKinds)
    for (const test::Usm to : test::kAllKinds) {
      const test::UsmMemory source = allocate(from, 1024), target = allocate(to, 1024);
      const auto values = test::random_values<cl_uint>(256);
      write(source, values);
      const std::size_t at = test::random_engine()() % 256, place = test::random_engine()() % 256;
      CL_OK(usm->set_argument(kernel, 2, source.as<cl_uint>() + at));
      CL_OK(usm->set_argument(kernel, 3, target.as<cl_uint>() + place));
      launch(kernel, 1);
      EXPECT_EQ(read<cl_uint>(target, 256)[place], values[at] + added);
      CL_OK(usm->set_argument(is_null, 0, nullptr));
      CL_OK(clSetKernelArgSVMPointer(is_null, 1, target.get()));  // the older function takes such memory, too
      launch(is_null, 1);
      EXPECT_EQ(read<cl_uint>(target, 1)[0], 1u);
    }
}

// A linked list with nodes in all kinds of memory, which the kernel follows.
TEST_F(MemPointer, KernelsFollowPointersInMemory) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "sum");
  const cl_bool yes = CL_TRUE;
  for (const cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
    CL_OK(clSetKernelExecInfo(kernel, name, sizeof yes, &yes));
  std::vector<test::UsmMemory> memories;
  const std::size_t count = 60;
  for (std::size_t i = 0; i < count; ++i)
    memories.push_back(allocate(test::kAllKinds[test::random_engine()() % 3], sizeof(Node)));
  const auto values = test::random_values<cl_uint>(count);
  for (std::size_t i = 0; i < count; ++i)
    write(memories[i], std::vector<Node>{{i + 1 < count ? memories[i + 1].as<Node>() : nullptr, values[i]}});
  const test::UsmMemory out = allocate(test::Usm::shared, sizeof(cl_uint));
  CL_OK(usm->set_argument(kernel, 0, memories.front().get()));
  CL_OK(usm->set_argument(kernel, 1, out.get()));
  launch(kernel, 1);
  EXPECT_EQ(read<cl_uint>(out, 1)[0], std::accumulate(values.begin(), values.end(), cl_uint{0}));
}

TEST_F(MemPointer, ExecInfo) {
  const test::Program program = build(kSource);
  const test::Kernel kernel = make_kernel(program, "sum");
  const test::UsmMemory memory = allocate(test::Usm::device, 64);
  const void* pointers[] = {memory.get(), nullptr, &memory};
  for (const cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
    for (const cl_bool value : {CL_TRUE, CL_FALSE}) {
      CL_EXPECT(CL_SUCCESS, clSetKernelExecInfo(kernel, name, sizeof value, &value));
      CL_EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, name, sizeof value, nullptr));
      CL_EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, name, 1, &value));
      CL_EXPECT(CL_INVALID_KERNEL, clSetKernelExecInfo(nullptr, name, sizeof value, &value));
    }
  constexpr cl_kernel_exec_info kPointers = CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL;
  CL_EXPECT(CL_SUCCESS, clSetKernelExecInfo(kernel, kPointers, sizeof pointers, pointers));
  CL_EXPECT(CL_SUCCESS, clSetKernelExecInfo(kernel, kPointers, 0, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, kPointers, 9, pointers));
  CL_EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, kPointers, 8, nullptr));
}

}  // namespace
