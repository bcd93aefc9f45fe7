// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstring>

#include "driver_kernel_test.h"

namespace clcuda::test {
namespace {

class Launch : public DriverKernelTest {
 protected:
  struct Sum {
    std::vector<std::uint32_t> a, b, expected;
    CUdeviceptr da, db, dc;
  };
  Sum sum_of(std::uint32_t n) {
    Sum s{
        std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n), 0, 0, 0};
    for (std::uint32_t i = 0; i < n; ++i) s.expected[i] = (s.a[i] = random()) + (s.b[i] = random());
    s.da = device_memory(n * 4), s.db = device_memory(n * 4), s.dc = device_memory(n * 4);
    EXPECT_EQ(cu.cuMemcpyHtoDAsync(s.da, s.a.data(), n * 4, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemcpyHtoDAsync(s.db, s.b.data(), n * 4, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuStreamSynchronize(nullptr), CUDA_SUCCESS);
    return s;
  }
  std::vector<std::uint32_t> words(CUdeviceptr from, std::uint32_t n) {
    const auto bytes = read(from, n * 4);
    std::vector<std::uint32_t> result(n);
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

TEST_F(Launch, BothFormsOfParameters) {
  constexpr std::uint32_t kN = 100'001;
  const Sum s = sum_of(kN);
  ASSERT_EQ(launch(function("add"), (kN + 255) / 256, 256, nullptr, s.da, s.db, s.dc, kN), CUDA_SUCCESS);
  EXPECT_EQ(words(s.dc, kN), s.expected);

  struct {
    CUdeviceptr a, b, c;
    std::uint32_t n;
  } buffer{s.da, s.db, s.dc, kN};
  std::size_t size = 28;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  ASSERT_EQ(cu.cuMemsetD8Async(s.dc, 0, kN * 4, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(launch_grid(function("add"), {(kN + 63) / 64, 1, 1}, {64, 1, 1}, nullptr, nullptr, extra),
            CUDA_SUCCESS);
  std::memset(&buffer, 0, sizeof buffer);  // the launch has copied it
  EXPECT_EQ(words(s.dc, kN), s.expected);
  for (const std::size_t wrong : {27, 29, 32, 0}) {
    size = wrong;
    EXPECT_EQ(launch_grid(function("add"), {1, 1, 1}, {64, 1, 1}, nullptr, nullptr, extra),
              CUDA_ERROR_INVALID_VALUE);
  }
}

TEST_F(Launch, EveryBlockRunsOnce) {
  const CUdeviceptr counter = device_memory(4);
  for (const auto& grid : {std::array{1u, 1u, 1u}, std::array{1000u, 1u, 1u}, std::array{3u, 70u, 11u},
                           std::array{1u, 1u, 999u}}) {
    ASSERT_EQ(cu.cuMemsetD32Async(counter, 0, 1, nullptr), CUDA_SUCCESS);
    void* parameters[] = {const_cast<CUdeviceptr*>(&counter)};
    ASSERT_EQ(launch_grid(function("count"), grid, {2, 2, 2}, nullptr, parameters), CUDA_SUCCESS);
    EXPECT_EQ(words(counter, 1)[0], grid[0] * grid[1] * grid[2] * 8);
  }
}

TEST_F(Launch, ReturnsBeforeTheKernelRuns) {
  auto* flag = static_cast<std::uint32_t*>(pinned_memory(4));
  *flag = 0;
  const CUstream s = stream(), other = stream();
  const CUdeviceptr counter = device_memory(4);
  ASSERT_EQ(cu.cuMemsetD32Async(counter, 0, 1, other), CUDA_SUCCESS);
  ASSERT_EQ(launch(function("wait_for"), 1, 1, s, flag), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  int workers = 0;
  ASSERT_EQ(cu.cuDeviceGetAttribute(&workers, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0), CUDA_SUCCESS);
  if (workers > 1) {  // a kernel of another stream runs concurrently
    ASSERT_EQ(launch(function("count"), 100, 32, other, counter), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuStreamSynchronize(other), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuStreamQuery(s), CUDA_ERROR_NOT_READY);
  }
  std::atomic_ref(*flag).store(1);
  EXPECT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
}

TEST_F(Launch, UnloadedModulesFinishTheirKernels) {
  auto* flag = static_cast<std::uint32_t*>(pinned_memory(4));
  *flag = 0;
  const CUstream s = stream();
  ASSERT_EQ(launch(function("wait_for"), 1, 1, s, flag), CUDA_SUCCESS);
  const CUfunction gone = function("empty");
  EXPECT_EQ(cu.cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(launch(gone, 1, 1, s), CUDA_ERROR_INVALID_HANDLE);
  std::atomic_ref(*flag).store(1);
  EXPECT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
}

TEST_F(Launch, SharedMemoryUpToTheOptIn) {
  const CUfunction kernel = function("last_dynamic");
  const CUdeviceptr out = device_memory(4);
  const auto with = [&](unsigned bytes) {
    std::uint32_t offset = bytes - 4;
    void* parameters[] = {const_cast<CUdeviceptr*>(&out), &offset};
    return launch_grid(kernel, {1, 1, 1}, {1, 1, 1}, nullptr, parameters, nullptr, bytes);
  };
  EXPECT_EQ(with(48 * 1024), CUDA_SUCCESS);
  EXPECT_EQ(words(out, 1)[0], 77u);
  EXPECT_EQ(with(48 * 1024 + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024 + 1),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cu.cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024),
            CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD32Async(out, 0, 1, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(with(227 * 1024), CUDA_SUCCESS);
  EXPECT_EQ(words(out, 1)[0], 77u);
  EXPECT_EQ(with(227 * 1024 + 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Launch, BadArguments) {
  const CUfunction empty = function("empty");
  const auto shaped = [&](CUfunction f, std::array<unsigned, 3> g, std::array<unsigned, 3> b) {
    return launch_grid(f, g, b, nullptr, nullptr);
  };
  EXPECT_EQ(shaped(empty, {0, 1, 1}, {1, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 1, 1}, {1, 0, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {0x80000000u, 1, 1}, {1, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 65536, 1}, {1, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 1, 65536}, {1, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 1, 1}, {1025, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 1, 1}, {1, 1, 65}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 1, 1}, {33, 32, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(empty, {1, 65535, 1}, {1, 1, 1}), CUDA_SUCCESS);
  EXPECT_EQ(shaped(function("fixed"), {1, 1, 1}, {32, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(function("fixed"), {1, 1, 1}, {64, 1, 1}), CUDA_SUCCESS);
  EXPECT_EQ(shaped(function("limited"), {1, 1, 1}, {129, 1, 1}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(shaped(function("limited"), {1, 1, 1}, {128, 1, 1}), CUDA_SUCCESS);
  EXPECT_EQ(shaped(function("add"), {1, 1, 1}, {1, 1, 1}), CUDA_ERROR_INVALID_VALUE);  // no parameters
  EXPECT_EQ(shaped(nullptr, {1, 1, 1}, {1, 1, 1}), CUDA_ERROR_INVALID_HANDLE);
  void* none[] = {nullptr};
  void* end[] = {CU_LAUNCH_PARAM_END};
  void* strange[] = {reinterpret_cast<void*>(0x77), nullptr, CU_LAUNCH_PARAM_END};
  EXPECT_EQ(launch_grid(empty, {1, 1, 1}, {1, 1, 1}, nullptr, none, end), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_grid(empty, {1, 1, 1}, {1, 1, 1}, nullptr, nullptr, strange), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch_grid(function("count"), {1, 1, 1}, {1, 1, 1}, nullptr, none), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[1]), CUDA_SUCCESS);
  EXPECT_EQ(shaped(empty, {1, 1, 1}, {1, 1, 1}),
            CUDA_ERROR_INVALID_HANDLE);  // the NULL stream belongs to the other device
}

// A grid that may overlap with the previous one still sees its results.
TEST_F(Launch, Attributes) {
  constexpr std::uint32_t kN = 100'001;
  const Sum s = sum_of(kN);
  CUlaunchAttribute attributes[2]{};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_IGNORE;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attributes[1].value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config{(kN + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, attributes, 2};
  const auto add = [&](CUdeviceptr a, CUdeviceptr b, CUdeviceptr c) {
    std::uint32_t count = kN;
    void* parameters[] = {&a, &b, &c, &count};
    return cu.cuLaunchKernelEx(&config, function("add"), parameters, nullptr);
  };
  ASSERT_EQ(add(s.da, s.db, s.dc), CUDA_SUCCESS);
  ASSERT_EQ(add(s.dc, s.db, s.da), CUDA_SUCCESS);
  std::vector<std::uint32_t> expected = s.expected;
  for (std::uint32_t i = 0; i < kN; ++i) expected[i] += s.b[i];
  EXPECT_EQ(words(s.da, kN), expected);

  attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  EXPECT_EQ(add(s.da, s.db, s.dc), CUDA_ERROR_NOT_SUPPORTED);
  config.attrs = nullptr;
  EXPECT_EQ(add(s.da, s.db, s.dc), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuLaunchKernelEx(nullptr, function("empty"), nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Launch, ManyThreadsAndStreams) {
  const CUdeviceptr counter = device_memory(4);
  ASSERT_EQ(cu.cuMemsetD32Async(counter, 0, 1, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSynchronize(), CUDA_SUCCESS);
  const CUfunction count = function("count");
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      EXPECT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
      const CUstream s = stream(CU_STREAM_NON_BLOCKING, t % 2 ? 0 : -1);
      for (int i = 0; i < 200; ++i) EXPECT_EQ(launch(count, 7, 3, s, counter), CUDA_SUCCESS);
      EXPECT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(words(counter, 1)[0], 6u * 200 * 7 * 3);
}

}  // namespace
}  // namespace clcuda::test
