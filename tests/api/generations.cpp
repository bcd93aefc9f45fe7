// SPDX-License-Identifier: Apache-2.0
// Differences between chips, from Turing on: each CPU device of this program has the attributes of another generation
// (generations_driver.cpp). tests/compiler and scripts/check-architectures test the PTX for each chip.
#include "generations.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "support/device_info.h"
#include "support/opencl.h"
#include "support/own_process.h"

namespace {

constexpr int kOldest = 75, kFirstThatWaits = 90;

std::string name_of(cl_device_id device) {
  char name[256] = "";
  CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr));
  return name;
}

std::vector<cl_device_id> offered() {
  cl_platform_id platform = nullptr;
  CL_EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, nullptr));
  cl_uint count = 0;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> devices(count);
  if (count)
    CL_EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr));
  return devices;
}

// Each test runs once for each generation, on its device.
class Generations : public test::OpenCL, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    const auto wanted = std::ranges::find(generations(), GetParam(), &Generation::capability);
    ASSERT_NE(wanted, generations().end());
    generation = &*wanted;
    for (cl_device_id each : offered())
      if (name_of(each) == generation->name()) device = each;
    ASSERT_NE(device, nullptr);
    cl_int error = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    CL_OK(error);
    queue = make_queue(0);
  }
  // Launches one work-group of 64.
  cl_int launch(cl_kernel kernel) const {
    constexpr std::size_t kItems = 64;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &kItems, 0, nullptr, nullptr);
  }
  const Generation* generation = nullptr;
};

constexpr char kTouchesLocalMemory[] = R"(
kernel void k(global uint* out, local uchar* memory, uint size) {
  uint i = get_local_id(0);
  for (uint at = i; at < size; at += get_local_size(0)) memory[at] = (uchar)at;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = memory[size - 1 - i];
})";

// A kernel can use all local memory that the device reports, and no more.
TEST_P(Generations, LocalMemory) {
  constexpr cl_ulong kOfCollectiveFunctions = 512;
  const auto size = test::device_info<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  EXPECT_EQ(size + kOfCollectiveFunctions, static_cast<cl_ulong>(generation->local_memory));
  const test::Program program = build(kTouchesLocalMemory);
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_uint>(64));
  set_argument(kernel, 0, out);
  set_argument(kernel, 2, static_cast<cl_uint>(size));
  CL_OK(clSetKernelArg(kernel, 1, size, nullptr));
  CL_OK(launch(kernel));
  std::vector<cl_uint> expected(64);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<cl_uchar>(size - 1 - i);
  EXPECT_EQ(expected, contents<cl_uint>(out, 64));
  CL_OK(clSetKernelArg(kernel, 1, static_cast<std::size_t>(generation->local_memory) + 1, nullptr));
  CL_EXPECT(CL_OUT_OF_RESOURCES, launch(kernel));
}

// The PTX is generated for the device's own architecture.
TEST_P(Generations, Target) {
  const test::Program program = build("kernel void k(global int* p) { *p = 5; }");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(sizeof(cl_int));
  set_arguments(kernel, out);
  CL_OK(launch(kernel));
  EXPECT_EQ(std::vector<cl_int>{5}, contents<cl_int>(out, 1));
  const std::string target = ".target sm_" + std::to_string(generation->capability) + "\n";
  EXPECT_NE(last_calls.ptx.find(target), std::string::npos) << last_calls.ptx;
  EXPECT_EQ(last_calls.linked_for, generation->capability);
}

// A kernel may begin before the preceding one has ended exactly where the architecture has griddepcontrol.wait.
TEST_P(Generations, DependentLaunches) {
  const test::Program program = build("kernel void k(global int* p) { p[get_global_id(0)] += 1; }");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer out = make_buffer(std::vector<cl_int>(64));
  set_arguments(kernel, out);
  for (int turn = 0; turn < 20; ++turn) CL_OK(launch(kernel));
  EXPECT_EQ(std::vector<cl_int>(64, 20), contents<cl_int>(out, 64));
  EXPECT_EQ(last_calls.overlaps, generation->capability >= kFirstThatWaits);
  EXPECT_EQ(last_calls.ptx.find("griddepcontrol.wait") != std::string::npos, last_calls.overlaps);
}

// Atomics work whether the architecture has an instruction for them or they are a compare-and-swap loop.
TEST_P(Generations, Atomics) {
  const test::Program program = build(R"(
kernel void k(global atomic_float* sum, global atomic_uint* greatest, global atomic_long* least, global uint* in_local) {
  local atomic_uint count;
  uint i = get_local_id(0);
  if (i == 0) atomic_init(&count, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(sum, 0.5f, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(greatest, i, memory_order_acq_rel, memory_scope_device);
  atomic_fetch_min_explicit(least, -(long)i << 32, memory_order_seq_cst, memory_scope_all_svm_devices);
  atomic_fetch_add_explicit(&count, i, memory_order_acq_rel, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) *in_local = atomic_load_explicit(&count, memory_order_relaxed, memory_scope_work_group);
})");
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer sum = make_buffer(std::vector<cl_float>(1)),
                     greatest = make_buffer(std::vector<cl_uint>(1)),
                     least = make_buffer(std::vector<cl_long>(1)),
                     in_local = make_buffer(std::vector<cl_uint>(1));
  set_arguments(kernel, sum, greatest, least, in_local);
  CL_OK(launch(kernel));
  EXPECT_EQ(std::vector<cl_float>{32}, contents<cl_float>(sum, 1));
  EXPECT_EQ(std::vector<cl_uint>{63}, contents<cl_uint>(greatest, 1));
  EXPECT_EQ(std::vector<cl_long>{-(cl_long{63} << 32)}, contents<cl_long>(least, 1));
  EXPECT_EQ(std::vector<cl_uint>{63 * 32}, contents<cl_uint>(in_local, 1));
}

// SVM capabilities depend on the driver's attributes, not on the architecture.
TEST_P(Generations, SharedMemory) {
  const auto svm = test::device_info<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES);
  EXPECT_TRUE(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  EXPECT_EQ((svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0, generation->concurrent_managed_access);
  EXPECT_EQ((svm & CL_DEVICE_SVM_ATOMICS) != 0, generation->concurrent_managed_access);
  EXPECT_EQ((svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0, generation->pageable_memory_access);
  EXPECT_EQ(test::device_info<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY),
            cl_bool{generation->integrated});
}

INSTANTIATE_TEST_SUITE_P(Each, Generations, testing::Values(75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121),
                         [](const auto& info) { return "sm_" + std::to_string(info.param); });

// The standard error output of a device query.
std::string told(std::vector<cl_device_id>& devices) {
  testing::internal::CaptureStderr();
  devices = offered();
  return testing::internal::GetCapturedStderr();
}

class TooOld : public testing::Test {
 protected:
  std::vector<cl_device_id> devices;
};

// If other devices are usable, a message only with a log level that includes warnings.
TEST_F(TooOld, DISABLED_ChipBesideOthers) {
  EXPECT_EQ(told(devices),
            "clcuda warning: GPU of 6.1 has compute capability 6.1; clcuda needs 7.5 (Turing) or newer\n");
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(name_of(devices.front()), "GPU of 7.5");
}
// If no device is usable, an error message, once per process.
TEST_F(TooOld, DISABLED_ChipAlone) {
  EXPECT_EQ(told(devices),
            "clcuda error: GPU of 6.1 has compute capability 6.1; clcuda needs 7.5 (Turing) or newer\n");
  EXPECT_TRUE(devices.empty());
  EXPECT_EQ(told(devices), "");
  EXPECT_TRUE(devices.empty());
}
TEST_F(TooOld, DISABLED_Driver) {
  EXPECT_EQ(told(devices),
            "clcuda error: the driver is for CUDA 11.8; clcuda needs one for CUDA 12.0 or newer\n");
  EXPECT_TRUE(devices.empty());
}
TEST_F(TooOld, DISABLED_OldestDriver) {
  EXPECT_EQ(told(devices), "");
  EXPECT_EQ(devices.size(), 1U);
}

TEST(TooOldAlone, IsLeftOutWithAMessage) {
  setenv("CAPABILITIES", "61,75", 1);
  setenv("CLCUDA_LOG", "warning", 1);
  test::run_alone("TooOld.DISABLED_ChipBesideOthers");
  unsetenv("CLCUDA_LOG");
  setenv("CAPABILITIES", "61", 1);
  test::run_alone("TooOld.DISABLED_ChipAlone");
  setenv("CAPABILITIES", std::to_string(kOldest).c_str(), 1);
  setenv("DRIVER_VERSION", "11080", 1);
  test::run_alone("TooOld.DISABLED_Driver");
  setenv("DRIVER_VERSION", "12000", 1);
  test::run_alone("TooOld.DISABLED_OldestDriver");
  unsetenv("DRIVER_VERSION");
  unsetenv("CAPABILITIES");
}

}  // namespace
