// SPDX-License-Identifier: Apache-2.0
// A stream takes memory of the device, which the driver keeps, so none is made while another has no work. This program's driver counts the
// streams that are made, and says which of them have work.
#include <CL/cl_clcuda.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#include "support/opencl.h"
#include "support/own_driver.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kIsSetUp = setenv("CLCUDA_DEVICES", "cpu", 1) == 0;

std::mutex mutex;
std::vector<CUstream> made;
std::set<CUstream> busy;
decltype(DriverTable::cuStreamCreateWithPriority) make_stream;
decltype(DriverTable::cuStreamQuery) query_stream;

CUresult make_counted(CUstream* stream, unsigned flags, int priority) {
  const CUresult result = make_stream(stream, flags, priority);
  const std::lock_guard lock(mutex);
  if (result == CUDA_SUCCESS) made.push_back(*stream);
  return result;
}

CUresult query(CUstream stream) {
  {
    const std::lock_guard lock(mutex);
    if (busy.contains(stream)) return CUDA_ERROR_NOT_READY;
  }
  return query_stream(stream);
}

class StreamUse : public test::OpenCL {
 protected:
  // Queues that have done something.
  std::vector<test::Queue> use_queues(std::size_t count) {
    std::vector<test::Queue> queues;
    const test::Buffer buffer = make_buffer(4);
    const cl_uint value = 7;
    for (std::size_t i = 0; i < count; ++i) {
      queues.push_back(make_queue(0));
      CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queues.back(), buffer, &value, sizeof value, 0, sizeof value,
                                                0, nullptr, nullptr));
      CL_EXPECT(CL_SUCCESS, clFinish(queues.back()));
    }
    return queues;
  }
  static CUstream stream_of(cl_command_queue queue) {
    CUstream stream = nullptr;
    CL_EXPECT(CL_SUCCESS,
              clGetCommandQueueInfo(queue, CL_QUEUE_CUDA_STREAM_CLCUDA, sizeof stream, &stream, nullptr));
    return stream;
  }
  static std::size_t count() {
    const std::lock_guard lock(mutex);
    return made.size();
  }
};

TEST_F(StreamUse, NoneIsMadeWhileOneIsIdle) {
  ASSERT_TRUE(kIsSetUp);
  constexpr std::size_t kQueues = 16, kIdle = 3;
  std::vector<test::Queue> queues = use_queues(kQueues);
  std::set<CUstream> streams;
  for (const test::Queue& each : queues) streams.insert(stream_of(each));
  ASSERT_EQ(streams.size(), kQueues);
  for (std::size_t i = 0; i < kIdle; ++i) streams.erase(stream_of(queues[kQueues - 1 - i]));
  queues.clear();
  // A device's monitor lets go of queues within 250 ms.
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  {
    const std::lock_guard lock(mutex);
    busy = streams;
  }
  const std::size_t before = count();
  const std::vector<test::Queue> some = use_queues(kIdle);
  EXPECT_EQ(count(), before);
  const std::vector<test::Queue> more = use_queues(1);
  EXPECT_EQ(count(), before + 1);
  const std::lock_guard lock(mutex);
  busy.clear();
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  static const DriverTable table = [device_count] {
    DriverTable own = executors_table(device_count);
    make_stream = own.cuStreamCreateWithPriority;
    query_stream = own.cuStreamQuery;
    own.cuStreamCreateWithPriority = make_counted;
    own.cuStreamQuery = query;
    return own;
  }();
  return table;
}
