// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "driver_kernel_test.h"

namespace clcuda::test {
namespace {

// A graph of a kernel (c = a + b) between two events.
class Graph : public DriverKernelTest {
 protected:
  static constexpr std::uint32_t kN = 1000;

  void SetUp() override {
    DriverKernelTest::SetUp();
    before = event(0), after = event(0);
    a = device_memory(kN * 4), b = device_memory(kN * 4), c = device_memory(kN * 4);
    bytes = random_bytes(kN * 4);
    ASSERT_EQ(cu.cuMemcpyHtoDAsync(a, bytes.data(), bytes.size(), nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemsetD8Async(b, 0, kN * 4, nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuMemsetD8Async(c, 0, kN * 4, nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamSynchronize(nullptr), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuGraphCreate(&graph, 0), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuGraphAddEventRecordNode(&first, graph, nullptr, 0, before), CUDA_SUCCESS);
    const CUDA_KERNEL_NODE_PARAMS wanted = sum(kN);
    ASSERT_EQ(cu.cuGraphAddKernelNode(&kernel, graph, &first, 1, &wanted), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuGraphAddEventRecordNode(&last, graph, &kernel, 1, after), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuGraphInstantiate(&executable, graph, 0), CUDA_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cu.cuGraphExecDestroy(executable), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuGraphDestroy(graph), CUDA_SUCCESS);
    DriverKernelTest::TearDown();
  }

  // The first `count` sums.
  CUDA_KERNEL_NODE_PARAMS sum(std::uint32_t count) {
    n = count;
    CUDA_KERNEL_NODE_PARAMS wanted{};
    wanted.func = function("add");
    wanted.gridDimX = (kN + 255) / 256;
    wanted.blockDimX = 256;
    wanted.gridDimY = wanted.gridDimZ = wanted.blockDimY = wanted.blockDimZ = 1;
    wanted.kernelParams = parameters;
    return wanted;
  }
  // c has the first `count` values of a, then zeros.
  void expect_sums(std::uint32_t count) {
    std::vector<std::uint8_t> expected(bytes);
    std::fill(expected.begin() + count * 4, expected.end(), std::uint8_t{0});
    EXPECT_EQ(read(c, kN * 4), expected);
  }

  CUevent before = nullptr, after = nullptr;
  CUdeviceptr a = 0, b = 0, c = 0;
  std::uint32_t n = 0;
  void* parameters[4] = {&a, &b, &c, &n};
  std::vector<std::uint8_t> bytes;
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr, kernel = nullptr, last = nullptr;
  CUgraphExec executable = nullptr;
};

TEST_F(Graph, ExecutesItsNodesInOrder) {
  const CUstream s = stream();
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  n = 1;  // the node has a copy
  ASSERT_EQ(cu.cuGraphLaunch(executable, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(before), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.cuEventQuery(after), CUDA_ERROR_NOT_READY);
  gate.open();
  ASSERT_EQ(cu.cuEventSynchronize(after), CUDA_SUCCESS);
  expect_sums(kN);
  float milliseconds = -1;
  ASSERT_EQ(cu.cuEventElapsedTime(&milliseconds, before, after), CUDA_SUCCESS);
  EXPECT_GT(milliseconds, 0);
}

TEST_F(Graph, ChangesConcernLaterLaunchesAlone) {
  const CUstream s = stream();
  const CUevent other = event(0);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphLaunch(executable, s), CUDA_SUCCESS);
  const CUDA_KERNEL_NODE_PARAMS wanted = sum(300);
  ASSERT_EQ(cu.cuGraphExecKernelNodeSetParams(executable, kernel, &wanted), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphExecEventRecordNodeSetEvent(executable, last, other), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuEventQuery(other), CUDA_SUCCESS);  // not recorded yet
  gate.open();
  ASSERT_EQ(cu.cuEventSynchronize(after), CUDA_SUCCESS);
  expect_sums(kN);
  ASSERT_EQ(cu.cuMemsetD8Async(c, 0, kN * 4, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphLaunch(executable, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuEventSynchronize(other), CUDA_SUCCESS);
  expect_sums(300);
  // A graph itself stays as it is.
  CUgraphExec again = nullptr;
  ASSERT_EQ(cu.cuGraphInstantiate(&again, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuGraphLaunch(again, s), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphExecDestroy(again), CUDA_SUCCESS);  // it is executed all the same
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  expect_sums(kN);
}

TEST_F(Graph, RefusesWhatIsNoNodeOfIt) {
  const CUDA_KERNEL_NODE_PARAMS wanted = sum(kN);
  EXPECT_EQ(cu.cuGraphExecKernelNodeSetParams(executable, first, &wanted), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphExecEventRecordNodeSetEvent(executable, kernel, before), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphExecEventRecordNodeSetEvent(executable, nullptr, before), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphExecKernelNodeSetParams(executable, kernel, nullptr), CUDA_ERROR_INVALID_VALUE);
  CUDA_KERNEL_NODE_PARAMS too_large = wanted;
  too_large.blockDimX = 100'000;
  EXPECT_EQ(cu.cuGraphExecKernelNodeSetParams(executable, kernel, &too_large), CUDA_ERROR_INVALID_VALUE);
  CUgraph other = nullptr;
  CUgraphNode node = nullptr;
  ASSERT_EQ(cu.cuGraphCreate(&other, 0), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphAddEventRecordNode(&node, other, &first, 1, before), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuGraphDestroy(other), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuGraphAddEventRecordNode(&node, other, nullptr, 0, before), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuGraphLaunch(nullptr, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuGraphDestroy(other), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace clcuda::test
