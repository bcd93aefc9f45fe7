// SPDX-License-Identifier: Apache-2.0
#include "support/wait_list.h"

namespace {

class MigrateMemObjects : public test::WaitListTest {};

TEST_F(MigrateMemObjects, KeepsTheContents) {
  const auto bytes = test::random_values(10'000);
  const test::Buffer buffer = make_buffer(bytes);
  CL_OK(clEnqueueMigrateMemObjects(queue, 1, buffer.list(), CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr));
  CL_OK(clEnqueueMigrateMemObjects(queue, 1, buffer.list(), 0, 0, nullptr, nullptr));
  EXPECT_EQ(contents(buffer, bytes.size()), bytes);
}

// Section 5.4: a pipe is a memory object.
TEST_F(MigrateMemObjects, Pipes) {
  cl_int error = 1;
  const test::Buffer pipe = clCreatePipe(context, 0, 4, 10, nullptr, &error);
  if (error == CL_INVALID_OPERATION) GTEST_SKIP() << "the device has no pipes";
  CL_EXPECT(CL_SUCCESS, error);
  CL_OK(clEnqueueMigrateMemObjects(queue, 1, pipe.list(), 0, 0, nullptr, nullptr));
  CL_OK(clFinish(queue));
}

TEST_F(MigrateMemObjects, Errors) {
  const test::Buffer buffer = make_buffer(16);
  const cl_mem bad = nullptr;
  const auto migrate = [&](cl_uint count, const cl_mem* memories, cl_mem_migration_flags flags) {
    return clEnqueueMigrateMemObjects(queue, count, memories, flags, 0, nullptr, nullptr);
  };
  CL_EXPECT(CL_INVALID_VALUE, migrate(0, buffer.list(), 0));
  CL_EXPECT(CL_INVALID_VALUE, migrate(1, nullptr, 0));
  CL_EXPECT(CL_INVALID_VALUE, migrate(1, buffer.list(), 1 << 7));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, migrate(1, &bad, 0));
}

TEST_F(MigrateMemObjects, WaitList) {
  const test::Buffer buffer = make_buffer(16);
  check_wait_list(CL_COMMAND_MIGRATE_MEM_OBJECTS,
                  [&](cl_command_queue tested, cl_uint count, const cl_event* waits, cl_event* event) {
                    return clEnqueueMigrateMemObjects(tested, 1, buffer.list(), 0, count, waits, event);
                  });
}

// With several devices, a buffer's contents are migrated to the queue that uses them.
TEST_F(MigrateMemObjects, BetweenDevices) {
  const auto& all = test::devices();
  if (all.size() < 2) GTEST_SKIP() << "one device";
  cl_int error = CL_SUCCESS;
  const test::Context both = clCreateContext(nullptr, 2, all.data(), nullptr, nullptr, &error);
  CL_OK(error);
  const test::Queue first = clCreateCommandQueueWithProperties(both, all[0], nullptr, nullptr);
  const test::Queue second = clCreateCommandQueueWithProperties(both, all[1], nullptr, nullptr);
  auto expected = test::random_values(100'000);
  const test::Buffer buffer =
      clCreateBuffer(both, CL_MEM_COPY_HOST_PTR, expected.size(), expected.data(), nullptr);
  for (int round = 0; round < 20; ++round) {
    const test::Queue& writer = round % 2 ? first : second;
    const test::Queue& reader = round % 2 ? second : first;
    const std::size_t begin = test::random_engine()() % 50'000, size = 1 + test::random_engine()() % 50'000;
    const auto news = test::random_values(size);
    std::copy(news.begin(), news.end(), expected.begin() + begin);
    test::Event written;
    CL_OK(
        clEnqueueWriteBuffer(writer, buffer, CL_FALSE, begin, size, news.data(), 0, nullptr, written.out()));
    std::vector<std::uint8_t> seen(expected.size());
    CL_OK(clEnqueueReadBuffer(reader, buffer, CL_TRUE, 0, seen.size(), seen.data(), 1, written.list(),
                              nullptr));
    ASSERT_TRUE(seen == expected) << round;
  }
  // Two devices may write two sub-buffers at the same time, and both results are kept.
  const cl_buffer_region left{0, 51'200}, right{51'200, 48'800};
  const test::Buffer one = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &left, nullptr);
  const test::Buffer two = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &right, nullptr);
  const cl_uchar a = 1, b = 2;
  CL_OK(clEnqueueFillBuffer(first, one, &a, 1, 0, left.size, 0, nullptr, nullptr));
  CL_OK(clEnqueueFillBuffer(second, two, &b, 1, 0, right.size, 0, nullptr, nullptr));
  CL_OK(clFinish(first));
  CL_OK(clFinish(second));
  std::vector<std::uint8_t> seen(expected.size());
  CL_OK(clEnqueueReadBuffer(first, buffer, CL_TRUE, 0, seen.size(), seen.data(), 0, nullptr, nullptr));
  std::fill_n(expected.begin(), left.size, a);
  std::fill_n(expected.begin() + left.size, right.size, b);
  EXPECT_TRUE(seen == expected);
}

}  // namespace
