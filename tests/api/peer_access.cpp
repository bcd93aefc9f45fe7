// SPDX-License-Identifier: Apache-2.0
// No copy between devices is submitted before the driver has granted access between their memory pools, whichever thread asked for it. This
// program's driver takes long to grant it, as on a busy machine.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "support/own_driver.h"
#include "support/two_devices.h"

namespace {

using clcuda::cuda::DriverTable;

const bool kEnvironmentIsSet =
    setenv("CLCUDA_DEVICES", "cpu,cpu", 1) == 0 && setenv("CLCUDA_CACHE", "0", 1) == 0;

constexpr int kGrants = 4;  // two pools of each device are opened to the other
std::atomic<int> granting = 0, granted = 0, copies = 0, early_copies = 0;

decltype(DriverTable::cuMemPoolSetAccess) sound_access;
CUresult slow_access(CUmemoryPool pool, const CUmemAccessDesc* access, std::size_t count) {
  ++granting;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const CUresult result = sound_access(pool, access, count);
  --granting;
  ++granted;
  return result;
}

decltype(DriverTable::cuMemcpyPeerAsync) sound_copy;
CUresult watched_copy(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      std::size_t size, CUstream stream) {
  ++copies;
  if (granted < kGrants) ++early_copies;
  return sound_copy(to, to_context, from, from_context, size, stream);
}

// A buffer that is created on one device and read by the other, in a context of its own.
void read_from_other(bool swapped, const std::vector<std::uint8_t>& bytes, std::vector<std::uint8_t>& seen) {
  const test::TwoDevices made(swapped);
  cl_int error = 1;
  const test::Buffer buffer = clCreateBuffer(made.context, CL_MEM_COPY_HOST_PTR, bytes.size(),
                                             const_cast<std::uint8_t*>(bytes.data()), &error);
  CL_EXPECT(CL_SUCCESS, error);
  seen.resize(bytes.size());
  CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(made.queues[1], buffer, CL_TRUE, 0, seen.size(), seen.data(), 0,
                                            nullptr, nullptr));
}

TEST(PeerAccess, IsThereBeforeAnyThreadCopies) {
  ASSERT_TRUE(kEnvironmentIsSet);
  constexpr std::size_t kSize = 70'000;
  std::array<std::vector<std::uint8_t>, 4> expected, seen;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expected[i] = test::random_values(kSize);
    threads.emplace_back([&, i] {
      // The others come while access is granted to the first.
      while (i > 0 && !granting && !granted) std::this_thread::yield();
      read_from_other(i % 2, expected[i], seen[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, expected);
  EXPECT_GT(copies, 0);
  EXPECT_EQ(early_copies, 0) << "of " << copies;
  EXPECT_EQ(granted, kGrants) << "each once";
}

}  // namespace

const DriverTable& test::own_table(int device_count) {
  return changed_table(device_count, [](DriverTable& made) {
    sound_access = made.cuMemPoolSetAccess;
    made.cuMemPoolSetAccess = slow_access;
    sound_copy = made.cuMemcpyPeerAsync;
    made.cuMemcpyPeerAsync = watched_copy;
  });
}
