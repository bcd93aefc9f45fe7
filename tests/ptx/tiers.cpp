// SPDX-License-Identifier: Apache-2.0
// Quick code, and the full code that replaces it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "driver_test.h"
#include "program.h"
#include "ptx/driver/function.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::testing {
namespace {

constexpr unsigned kBlockItems = 64;

// Two kernels and a variable that both change. `sums`: each item adds up the group's values in its own order, between barriers and in
// floating point, so that another order or rounding would be detected.
const std::string& text() {
  static const std::string made = R"(.version 8.7
.target sm_90
.address_size 64
.visible .global .u32 runs;
.visible .entry sums(.param .u64 values, .param .u64 out)
{
.reg .pred %p<4>;
.reg .b32 %r<20>;
.reg .b64 %rd<20>;
.reg .f32 %f<8>;
.shared .align 4 .b8 row[256];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r3, %r2, 64, %r1;
mul.wide.u32 %rd3, %r3, 4;
ld.param.u64 %rd1, [values];
ld.param.u64 %rd2, [out];
add.u64 %rd1, %rd1, %rd3;
add.u64 %rd2, %rd2, %rd3;
ld.global.f32 %f1, [%rd1];
shl.b32 %r4, %r1, 2;
mov.u32 %r5, row;
add.u32 %r6, %r5, %r4;
st.shared.f32 [%r6], %f1;
bar.sync 0;
mov.f32 %f2, 0f3F800000;
mov.u32 %r7, 0;
LOOP:
add.u32 %r8, %r7, %r1;
and.b32 %r8, %r8, 63;
shl.b32 %r8, %r8, 2;
add.u32 %r9, %r5, %r8;
ld.shared.f32 %f3, [%r9];
fma.rn.f32 %f2, %f2, 0f3F7FF972, %f3;
mul.rn.f32 %f2, %f2, 0f3F8020C5;
add.u32 %r7, %r7, 1;
setp.lt.u32 %p1, %r7, 64;
@%p1 bra LOOP;
bar.sync 0;
st.global.f32 [%rd2], %f2;
setp.ne.u32 %p2, %r1, 0;
@%p2 bra DONE;
atom.global.add.u32 %r10, [runs], 1;
DONE:
ret;
}
.visible .entry count(.param .u64 out)
{
.reg .b32 %r<3>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
atom.global.add.u32 %r1, [runs], 1;
st.global.u32 [%rd1], %r1;
ret;
}
)";
  return made;
}

std::vector<float> random_values(std::size_t count) {
  static std::mt19937 random{std::random_device{}()};
  std::vector<float> values(count);
  for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  return values;
}

std::uint32_t runs_of(Program& program) {
  std::uint32_t runs = 0;
  std::memcpy(&runs, program.code().find_global("runs")->address, sizeof runs);
  return runs;
}

TEST(Tiers, BothComputeTheSame) {
  constexpr unsigned kBlocks = 5;
  const std::vector<float> values = random_values(kBlocks * kBlockItems);
  std::vector<float> full(values.size()), quick(values.size()), improved(values.size());
  Program first(text(), Tier::full), second(text(), Tier::quick);
  ASSERT_TRUE(first) << first.log();
  ASSERT_TRUE(second) << second.log();
  const auto run = [&](Program& program, std::vector<float>& out) {
    return program.run("sums", {kBlocks}, {kBlockItems}, arguments(values.data(), out.data()));
  };
  const Kernel& kernel = *second.code().find_kernel("sums");
  EXPECT_EQ(first.code().find_kernel("sums")->tier(), Tier::full);
  EXPECT_EQ(kernel.tier(), Tier::quick);
  EXPECT_FALSE(run(first, full));
  EXPECT_FALSE(run(second, quick));
  ASSERT_TRUE(second.code().tier_up(kernel));
  EXPECT_EQ(kernel.tier(), Tier::full);
  EXPECT_FALSE(run(second, improved));
  EXPECT_EQ(quick, full);
  EXPECT_EQ(improved, full);
}

TEST(Tiers, OneKernelIsImprovedAndVariablesStay) {
  Program program(text(), Tier::quick);
  ASSERT_TRUE(program) << program.log();
  const std::vector<float> values = random_values(kBlockItems);
  std::vector<float> out(values.size());
  std::uint32_t before = 0;
  EXPECT_FALSE(program.run("sums", {1}, {kBlockItems}, arguments(values.data(), out.data())));
  ASSERT_TRUE(program.code().tier_up(*program.code().find_kernel("count")));
  EXPECT_EQ(program.code().find_kernel("sums")->tier(), Tier::quick);
  EXPECT_FALSE(program.run("count", {1}, {1}, arguments(&before)));
  EXPECT_EQ(before, 1u);
  EXPECT_FALSE(program.run("sums", {1}, {kBlockItems}, arguments(values.data(), out.data())));
  EXPECT_EQ(runs_of(program), 3u);
}

TEST(Tiers, TimeInQuickCodeAsksForBetterOnce) {
  Program program(text(), Tier::quick);
  ASSERT_TRUE(program) << program.log();
  const Kernel& kernel = *program.code().find_kernel("sums");
  constexpr std::uint64_t kLittle = 1000, kSecond = 1'000'000'000;
  EXPECT_FALSE(kernel.spend(kLittle));
  EXPECT_TRUE(kernel.spend(kSecond));
  EXPECT_FALSE(kernel.spend(kSecond));
}

TEST(Tiers, SwitchBesideBlocks) {
  constexpr unsigned kBlocks = 400, kThreads = 3;
  const std::vector<float> values = random_values(kBlocks * kBlockItems);
  std::vector<float> wanted(values.size());
  Program full(text(), Tier::full), program(text(), Tier::quick);
  ASSERT_TRUE(full && program);
  EXPECT_FALSE(full.run("sums", {kBlocks}, {kBlockItems}, arguments(values.data(), wanted.data())));
  std::vector<std::vector<float>> results(kThreads, std::vector<float>(values.size()));
  std::atomic<unsigned> started = 0;
  std::vector<std::thread> running;
  for (auto& result : results)
    running.emplace_back([&] {
      const auto run = [&] {
        EXPECT_FALSE(program.run("sums", {kBlocks}, {kBlockItems}, arguments(values.data(), result.data())));
      };
      const Kernel& kernel = *program.code().find_kernel("sums");
      run();
      started.fetch_add(1);
      while (kernel.tier() == Tier::quick) run();
      run();
    });
  while (started.load() < kThreads) std::this_thread::yield();
  EXPECT_TRUE(program.code().tier_up(*program.code().find_kernel("sums")));
  for (auto& thread : running) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, wanted);
}

}  // namespace
}  // namespace clcuda::ptx::testing

namespace clcuda::test {
namespace {

class DriverTiers : public DriverTest {
 protected:
  CUmodule load(const std::string& ptx, int level) {
    CUjit_option names[] = {CU_JIT_OPTIMIZATION_LEVEL};
    void* values[] = {reinterpret_cast<void*>(static_cast<std::uintptr_t>(level))};
    CUlinkState link = nullptr;
    EXPECT_EQ(cu.cuLinkCreate(1, names, values, &link), CUDA_SUCCESS);
    std::string copy = ptx;
    EXPECT_EQ(
        cu.cuLinkAddData(link, CU_JIT_INPUT_PTX, copy.data(), copy.size() + 1, "test", 0, nullptr, nullptr),
        CUDA_SUCCESS);
    void* image = nullptr;
    EXPECT_EQ(cu.cuLinkComplete(link, &image, nullptr), CUDA_SUCCESS);
    CUmodule module = nullptr;
    EXPECT_EQ(cu.cuModuleLoadData(&module, image), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuLinkDestroy(link), CUDA_SUCCESS);
    return module;
  }
  CUfunction sums(CUmodule module) {
    CUfunction function = nullptr;
    EXPECT_EQ(cu.cuModuleGetFunction(&function, module, "sums"), CUDA_SUCCESS);
    return function;
  }
  CUresult launch(CUfunction function, CUstream stream, CUdeviceptr values, CUdeviceptr out) {
    void* arguments[] = {&values, &out};
    return launch_grid(function, {kBlocks, 1, 1}, {ptx::testing::kBlockItems, 1, 1}, stream, arguments);
  }
  static ptx::Tier tier(CUfunction function) {
    return ptx::driver::object_of<ptx::driver::Function>(function)->kernel().tier();
  }

  static constexpr unsigned kBlocks = 200;
  static constexpr std::size_t kBytes = kBlocks * ptx::testing::kBlockItems * sizeof(float);
};

TEST_F(DriverTiers, LevelSaysWhichIsFirst) {
  EXPECT_EQ(tier(sums(load(ptx::testing::text(), 4))), ptx::Tier::full);
  EXPECT_EQ(tier(sums(load(ptx::testing::text(), 0))), ptx::Tier::quick);
}

TEST_F(DriverTiers, AKernelThatIsLaunchedOftenIsImproved) {
  const CUfunction full = sums(load(ptx::testing::text(), 4)), quick = sums(load(ptx::testing::text(), 0));
  const CUdeviceptr values = device_memory(kBytes), wanted = device_memory(kBytes);
  const std::vector<float> contents = ptx::testing::random_values(kBytes / sizeof(float));
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(values, contents.data(), kBytes, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(launch(full, nullptr, values, wanted), CUDA_SUCCESS);
  const auto expected = read(wanted, kBytes);
  const CUstream streams[] = {stream(), stream()};
  const CUdeviceptr outs[] = {device_memory(kBytes), device_memory(kBytes)};
  const auto round = [&] {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(launch(quick, streams[i], values, outs[i]), CUDA_SUCCESS);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(cu.cuStreamSynchronize(streams[i]), CUDA_SUCCESS);
    for (const CUdeviceptr out : outs) EXPECT_EQ(read(out, kBytes), expected);
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (tier(quick) == ptx::Tier::quick && std::chrono::steady_clock::now() < deadline) round();
  EXPECT_EQ(tier(quick), ptx::Tier::full);
  round();
}

// The module is unloaded while its kernel waits for optimization or is being optimized: nothing leaks, and the next module works.
TEST_F(DriverTiers, ModulesThatGoMeanwhile) {
  const CUdeviceptr values = device_memory(kBytes), out = device_memory(kBytes);
  ASSERT_EQ(cu.cuMemsetD32Async(values, 0, kBytes / 4, nullptr), CUDA_SUCCESS);
  for (int i = 0; i < 4; ++i) {
    const CUmodule module = load(ptx::testing::text(), 0);
    for (int launches = 0; launches < 30; ++launches)
      ASSERT_EQ(launch(sums(module), nullptr, values, out), CUDA_SUCCESS);
    ASSERT_EQ(cu.cuStreamSynchronize(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuModuleUnload(module), CUDA_SUCCESS);
  }
}

}  // namespace
}  // namespace clcuda::test
