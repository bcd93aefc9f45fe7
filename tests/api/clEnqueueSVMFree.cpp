// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "svm_test.h"

namespace {

class SvmFree : public test::SvmTest {};

TEST_F(SvmFree, FreesInItsTurn) {
  test::Svm a = allocate(1 << 20), b = allocate(64);
  const auto values = test::random_values(64);
  std::vector<std::uint8_t> seen(64);
  CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, a.get(), values.data(), 64, 0, nullptr, nullptr));
  CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, b.get(), a.get(), 64, 0, nullptr, nullptr));
  CL_OK(clEnqueueSVMMemcpy(queue, CL_FALSE, seen.data(), b.get(), 64, 0, nullptr, nullptr));
  const void* const address = a.get();
  void* pointers[] = {a.release(), b.release()};
  CL_OK(clEnqueueSVMFree(queue, 2, pointers, nullptr, nullptr, 0, nullptr, nullptr));
  pointers[0] = pointers[1] = nullptr;  // the list belongs to the application again
  CL_OK(clFinish(queue));
  EXPECT_EQ(seen, values);
  // The freed pointer is no longer an SVM allocation.
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 1, const_cast<const void**>(&address), nullptr, 0,
                                                     0, nullptr, nullptr));
}

struct Call {
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  std::vector<void*> pointers;
  std::atomic<int> count = 0;
};

void CL_CALLBACK free_all(cl_command_queue queue, cl_uint count, void* pointers[], void* user) {
  Call& call = *static_cast<Call*>(user);
  call.queue = queue;
  call.pointers.assign(pointers, pointers + count);
  ++call.count;
  for (void* pointer : call.pointers) clSVMFree(call.context, pointer);
}

TEST_F(SvmFree, CallsTheFunction) {
  test::Svm a = allocate(64), b = allocate(64);
  Call call;
  call.context = context;
  void* pointers[] = {a.release(), b.release()};
  const test::Event gate = make_user_event();
  test::Event event;
  CL_OK(clEnqueueSVMFree(queue, 2, pointers, free_all, &call, 1, gate.list(), event.out()));
  EXPECT_EQ(call.count, 0);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clWaitForEvents(1, event.list()));
  EXPECT_EQ(call.count, 1);
  EXPECT_EQ(call.queue, queue.get());
  EXPECT_EQ(call.pointers, (std::vector<void*>{pointers[0], pointers[1]}));
}

TEST_F(SvmFree, Errors) {
  test::Svm memory = allocate(64);
  void* pointer = memory.get();
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 0, &pointer, nullptr, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_SUCCESS, clEnqueueSVMFree(queue, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr));
  // A command that fails frees nothing.
  const test::Event gate = make_user_event();
  CL_OK(clSetUserEventStatus(gate, -5));
  CL_OK(clEnqueueSVMFree(queue, 1, &pointer, nullptr, nullptr, 1, gate.list(), nullptr));
  CL_OK(clFinish(queue));
  write<cl_int>(memory, {5});
  EXPECT_EQ(read<cl_int>(memory, 1), std::vector<cl_int>{5});
}

TEST_F(SvmFree, WaitList) {
  check_wait_list(CL_COMMAND_SVM_FREE,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueSVMFree(tested, 0, nullptr, nullptr, nullptr, count, waits, event);
                  });
}

}  // namespace
