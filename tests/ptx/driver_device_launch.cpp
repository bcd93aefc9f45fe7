// SPDX-License-Identifier: Apache-2.0
// Dynamic parallelism: kernels that launch kernels through the functions of CUDA's device runtime.
#include <cstring>

#include "driver_kernel_test.h"

namespace clcuda::test {
namespace {

// note: appends a value to a list. parent: launches note(3) to run after itself, `first` immediately, and note(4) after that. first:
// launches note(2) to run after itself and appends 1. refused: error codes of the device runtime for invalid calls. many: launches
// note(7) as often as possible.
constexpr char kPtx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12],
                                                             .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);
.extern .func (.param .b32 r) __cudaCDP2FuncGetAttributes(.param .b64 a, .param .b64 f);

.func (.reg .b64 %buffer) buffer_for(.reg .b64 %function, .reg .b32 %items)
{
  .param .b64 p0;
  .param .align 4 .b8 p1[12];
  .param .align 4 .b8 p2[12];
  .param .b32 p3;
  .param .b64 r0;
  st.param.b64 [p0], %function;
  st.param.b32 [p1], 1;
  st.param.b32 [p1+4], 1;
  st.param.b32 [p1+8], 1;
  st.param.b32 [p2], %items;
  st.param.b32 [p2+4], 1;
  st.param.b32 [p2+8], 1;
  st.param.b32 [p3], 0;
  call.uni (r0), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3);
  ld.param.b64 %buffer, [r0];
  ret;
}
.func (.reg .b32 %error) launch(.reg .b64 %buffer, .reg .b64 %stream)
{
  .param .b64 p0;
  .param .b64 p1;
  .param .b32 r0;
  st.param.b64 [p0], %buffer;
  st.param.b64 [p1], %stream;
  call.uni (r0), __cudaCDP2LaunchDeviceV2, (p0, p1);
  ld.param.b32 %error, [r0];
  ret;
}
.func (.reg .b32 %error) start(.reg .b64 %function, .reg .b64 %list, .reg .b32 %value, .reg .b64 %stream)
{
  .reg .pred %p;
  .reg .b64 %b;
  mov.b32 %error, 1000;
  call.uni (%b), buffer_for, (%function, 1);
  setp.eq.b64 %p, %b, 0;
  @%p ret;
  st.b64 [%b], %list;
  st.b32 [%b+8], %value;
  call.uni (%error), launch, (%b, %stream);
  ret;
}

.visible .entry note(.param .u64 list, .param .u32 value)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [list];
  ld.param.u32 %r1, [value];
  atom.global.add.u32 %r2, [%d1], 1;
  mul.wide.u32 %d2, %r2, 4;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1+4], %r1;
  ret;
}
.visible .entry first(.param .u64 list, .param .u32 value)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [list];
  mov.u64 %d2, note;
  call.uni (%r1), start, (%d2, %d1, 2, 3);
  atom.global.add.u32 %r2, [%d1], 1;
  st.global.u32 [%d1+4], 1;
  ret;
}
.visible .entry parent(.param .u64 list)
{
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [list];
  mov.u64 %d2, note;
  mov.u64 %d3, first;
  call.uni (%r1), start, (%d2, %d1, 3, 3);
  call.uni (%r2), start, (%d3, %d1, 0, 4);
  call.uni (%r3), start, (%d2, %d1, 4, 3);
  ret;
}
.visible .entry refused(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %d<8>;
  ld.param.u64 %d1, [out];
  mov.u64 %d2, note;
  call.uni (%d3), buffer_for, (%d1, 1);
  st.global.u64 [%d1], %d3;
  call.uni (%d4), buffer_for, (%d2, 1025);
  st.global.u64 [%d1+8], %d4;
  call.uni (%r1), launch, (%d1, 4);
  st.global.u32 [%d1+16], %r1;
  call.uni (%d5), buffer_for, (%d2, 1);
  call.uni (%r2), launch, (%d5, 77);
  st.global.u32 [%d1+20], %r2;
  ret;
}
.visible .entry many(.param .u64 list, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [list];
  ld.param.u32 %r1, [count];
  mov.u64 %d2, note;
next:
  call.uni (%r2), start, (%d2, %d1, 7, 3);
  setp.ne.u32 %p, %r2, 0;
  @%p bra done;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra next;
done:
  ret;
}
)";

class DeviceLaunch : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    ASSERT_EQ(cu.cuModuleLoadData(&module, kPtx), CUDA_SUCCESS);
    list = device_memory(1 << 16);
    ASSERT_EQ(cu.cuMemsetD8Async(list, 0, 1 << 16, nullptr), CUDA_SUCCESS);
  }
  void launch(const char* name, std::uint32_t count = 0) {
    CUfunction found = nullptr;
    ASSERT_EQ(cu.cuModuleGetFunction(&found, module, name), CUDA_SUCCESS);
    void* arguments[] = {&list, &count};
    ASSERT_EQ(launch_grid(found, {1, 1, 1}, {1, 1, 1}, nullptr, arguments), CUDA_SUCCESS);
  }
  std::vector<std::uint32_t> words(std::size_t count) {
    const auto bytes = read(list, count * 4);
    std::vector<std::uint32_t> found(count);
    std::memcpy(found.data(), bytes.data(), bytes.size());
    return found;
  }
  CUmodule module = nullptr;
  CUdeviceptr list = 0;
};

TEST_F(DeviceLaunch, TailLaunchesComeBehindAllThatTheGridStarted) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(cu.cuMemsetD8Async(list, 0, 64, nullptr), CUDA_SUCCESS);
    launch("parent");
    ASSERT_EQ(words(6), (std::vector<std::uint32_t>{4, 1, 2, 3, 4, 0}));
  }
}

TEST_F(DeviceLaunch, WrongQuestionsAreRefused) {
  launch("refused");
  EXPECT_EQ(words(6), (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1}));
}

TEST_F(DeviceLaunch, TheLimitBoundsWhatIsPending) {
  std::size_t limit = 0;
  ASSERT_EQ(cu.cuCtxGetLimit(&limit, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT), CUDA_SUCCESS);
  EXPECT_EQ(limit, 2048u);
  ASSERT_EQ(cu.cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 100), CUDA_SUCCESS);
  launch("many", 150);
  EXPECT_EQ(words(1), std::vector<std::uint32_t>{100});
  launch("many", 50);  // there is room again
  EXPECT_EQ(words(1), std::vector<std::uint32_t>{150});
}

}  // namespace
}  // namespace clcuda::test
