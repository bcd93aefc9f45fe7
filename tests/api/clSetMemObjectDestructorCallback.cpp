// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "support/handle_in_callback.h"
#include "support/opencl.h"

namespace {

struct Order {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> seen;
};
struct Entry {
  Order& order;
  int number;
  static void CL_CALLBACK note(cl_mem, void* data) {
    const auto& entry = *static_cast<Entry*>(data);
    std::lock_guard lock(entry.order.mutex);
    entry.order.seen.push_back(entry.number);
    entry.order.changed.notify_all();
  }
};

class SetMemObjectDestructorCallback : public test::OpenCL {
 protected:
  static std::vector<int> wait_for(Order& order, std::size_t count) {
    std::unique_lock lock(order.mutex);
    order.changed.wait_for(lock, std::chrono::seconds(20), [&] { return order.seen.size() >= count; });
    return order.seen;
  }
};

TEST_F(SetMemObjectDestructorCallback, LastSetIsCalledFirst) {
  Order order;
  Entry entries[] = {{order, 0}, {order, 1}, {order, 2}};
  test::Buffer buffer = make_buffer(16);
  for (Entry& entry : entries) CL_OK(clSetMemObjectDestructorCallback(buffer, Entry::note, &entry));
  EXPECT_TRUE(order.seen.empty());
  buffer.reset();
  EXPECT_EQ(wait_for(order, 3), (std::vector<int>{2, 1, 0}));
}

TEST_F(SetMemObjectDestructorCallback, CommandsAndSubBuffersComeFirst) {
  Order order;
  Entry entry{order, 0};
  test::Buffer buffer = make_buffer(1024);
  CL_OK(clSetMemObjectDestructorCallback(buffer, Entry::note, &entry));
  const cl_buffer_region region{0, 512};
  test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  const test::Event gate = make_user_event();
  CL_OK(clEnqueueFillBuffer(queue, buffer, "a", 1, 0, 1024, 1, gate.list(), nullptr));
  buffer.reset();
  EXPECT_TRUE(wait_for(order, 0).empty());
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clFinish(queue));
  EXPECT_TRUE(wait_for(order, 0).empty());
  part.reset();
  EXPECT_EQ(wait_for(order, 1).size(), 1u);
}

// Section 5.5.1: the handle that the callback gets is not valid any more, and is not reused for another object yet.
TEST_F(SetMemObjectDestructorCallback, TheHandleIsNobodys) {
  using Seen = test::HandleInCallback<cl_mem, test::Buffer>;
  Seen seen{[&](cl_mem memory) {
              return std::vector{clGetMemObjectInfo(memory, CL_MEM_SIZE, 0, nullptr, nullptr),
                                 clRetainMemObject(memory), clReleaseMemObject(memory),
                                 clSetMemObjectDestructorCallback(memory, Seen::look, &seen)};
            },
            [&] { return test::Buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, 1, nullptr, nullptr)); }};
  test::Buffer buffer = make_buffer(16);
  CL_OK(clSetMemObjectDestructorCallback(buffer, Seen::look, &seen));
  buffer.reset();
  seen.expect_nobodys(CL_INVALID_MEM_OBJECT);
}

TEST_F(SetMemObjectDestructorCallback, Errors) {
  const test::Buffer buffer = make_buffer(16);
  CL_EXPECT(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(nullptr, Entry::note, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, nullptr, nullptr));
}

}  // namespace
