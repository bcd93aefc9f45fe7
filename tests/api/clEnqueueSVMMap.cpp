// SPDX-License-Identifier: Apache-2.0
#include "svm_test.h"

namespace {

class SvmMap : public test::SvmTest {
 protected:
  cl_int map(void* begin, std::size_t size, cl_map_flags flags = CL_MAP_READ) const {
    return clEnqueueSVMMap(queue, CL_TRUE, flags, begin, size, 0, nullptr, nullptr);
  }
  cl_int unmap(void* begin) const { return clEnqueueSVMUnmap(queue, begin, 0, nullptr, nullptr); }
};

TEST_F(SvmMap, HostAndDeviceInTurns) {
  constexpr std::size_t kCount = 10'000;
  const test::Svm memory = allocate(kCount * sizeof(cl_uint));
  auto expected = test::random_values<cl_uint>(kCount);
  write(memory, expected);
  const test::Program program =
      build("kernel void k(global uint* p) { size_t i = get_global_id(0); p[i] = p[i] * 3 + (uint)i; }");
  const test::Kernel kernel = make_kernel(program, "k");
  CL_OK(clSetKernelArgSVMPointer(kernel, 0, memory.get()));
  for (int round = 0; round < 4; ++round) {
    launch(kernel, kCount);
    for (std::size_t i = 0; i < kCount; ++i) expected[i] = expected[i] * 3 + static_cast<cl_uint>(i);
    // The host changes a part, which is mapped twice.
    const std::size_t first = test::random_engine()() % kCount,
                      size = 1 + test::random_engine()() % (kCount - first);
    cl_uint* const part = memory.as<cl_uint>() + first;
    CL_OK(map(part, size * sizeof(cl_uint), CL_MAP_READ | CL_MAP_WRITE));
    CL_OK(map(part, sizeof(cl_uint)));
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(part[i], expected[first + i]);
      part[i] ^= 0x5555;
      expected[first + i] ^= 0x5555;
    }
    CL_OK(unmap(part));
    CL_OK(unmap(part));
  }
  EXPECT_EQ(read<cl_uint>(memory, kCount), expected);
}

TEST_F(SvmMap, Errors) {
  const test::Svm memory = allocate(1024);
  CL_EXPECT(CL_INVALID_VALUE, map(nullptr, 1));
  CL_EXPECT(CL_INVALID_VALUE, map(memory.get(), 0));
  CL_EXPECT(CL_INVALID_VALUE, map(memory.get(), 1, 1 << 10));
  CL_EXPECT(CL_INVALID_VALUE, map(memory.get(), 1, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION));
  CL_EXPECT(CL_INVALID_VALUE, map(memory.as<char>() + 1000, 25));
  CL_EXPECT(CL_INVALID_VALUE, unmap(nullptr));
  CL_EXPECT(CL_SUCCESS, unmap(memory.get()));
  const test::Event gate = make_user_event();
  CL_OK(clSetUserEventStatus(gate, -5));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory.get(), 1, 1, gate.list(), nullptr));
}

TEST_F(SvmMap, WaitList) {
  const test::Svm memory = allocate(1024);
  check_wait_list(CL_COMMAND_SVM_MAP, [&](cl_command_queue tested, cl_uint count, const cl_event* waits,
                                          cl_event* event) {
    return clEnqueueSVMMap(tested, CL_FALSE, CL_MAP_READ, memory.get(), 1024, count, waits, event);
  });
  check_wait_list(CL_COMMAND_SVM_UNMAP,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueSVMUnmap(tested, memory.get(), count, waits, event);
                  });
}

class SvmMigrate : public test::SvmTest {
 protected:
  cl_int migrate(const std::vector<const void*>& pointers, const std::vector<std::size_t>& sizes,
                 cl_mem_migration_flags flags) const {
    auto list = pointers;
    return clEnqueueSVMMigrateMem(queue, static_cast<cl_uint>(list.size()),
                                  list.empty() ? nullptr : list.data(),
                                  sizes.empty() ? nullptr : sizes.data(), flags, 0, nullptr, nullptr);
  }
};

TEST_F(SvmMigrate, KeepsTheBytes) {
  const test::Svm a = allocate(100'000), b = allocate(300);
  const auto in_a = test::random_values(100'000), in_b = test::random_values(300);
  write(a, in_a);
  write(b, in_b);
  CL_EXPECT(CL_SUCCESS, migrate({a.get(), b.as<char>() + 7}, {}, 0));
  CL_EXPECT(CL_SUCCESS, migrate({a.as<char>() + 5000, b.get()}, {5000, 0}, CL_MIGRATE_MEM_OBJECT_HOST));
  CL_EXPECT(CL_SUCCESS, migrate({a.get()}, {100'000}, 0));
  EXPECT_EQ(read<std::uint8_t>(a, in_a.size()), in_a);
  EXPECT_EQ(read<std::uint8_t>(b, in_b.size()), in_b);
}

TEST_F(SvmMigrate, Errors) {
  const test::Svm memory = allocate(1024);
  const void* pointer = memory.get();
  int on_stack = 0;
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 0, &pointer, nullptr, 0, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 1, nullptr, nullptr, 0, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, migrate({memory.get(), &on_stack}, {}, 0));
  CL_EXPECT(CL_INVALID_VALUE, migrate({nullptr}, {}, 0));
  CL_EXPECT(CL_INVALID_VALUE, migrate({memory.get()}, {1025}, 0));
  CL_EXPECT(CL_INVALID_VALUE, migrate({memory.as<char>() + 1000}, {25}, 0));
  CL_EXPECT(CL_INVALID_VALUE, migrate({memory.get()}, {}, 1 << 7));
  CL_EXPECT(CL_SUCCESS, migrate({memory.get()}, {}, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED));
}

TEST_F(SvmMigrate, WaitList) {
  const test::Svm memory = allocate(1024);
  const void* pointer = memory.get();
  check_wait_list(CL_COMMAND_SVM_MIGRATE_MEM,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueSVMMigrateMem(tested, 1, &pointer, nullptr, 0, count, waits, event);
                  });
}

}  // namespace
