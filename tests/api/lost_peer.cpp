// SPDX-License-Identifier: Apache-2.0
// A context of two devices, the first of which is lost: the other one stays usable, and what it does behind commands of the lost one fails.
// A device is lost for the whole process, so each case has its own process. NVIDIA's driver loses all GPUs at once.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/images.h"
#include "support/own_process.h"
#include "support/two_devices.h"

namespace {

constexpr cl_int kNotRun = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
constexpr std::size_t kCount = 1024, kBytes = kCount * sizeof(cl_uint), kOne = 1;

// `device` and `queue` are the second device's. The culprit runs on the first one; it faults after open().
class LostPeer : public test::OpenCL {
 protected:
  void SetUp() override {
    if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device only";
    test::TwoDevices made;
    device = made.devices[1];
    cl_device_type type = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    if (!(type & CL_DEVICE_TYPE_CPU)) GTEST_SKIP() << "a GPU's driver loses the other one as well";
    context = std::move(made.context);
    lost = std::move(made.queues[0]);
    queue = std::move(made.queues[1]);
    opened_ = static_cast<std::atomic<cl_int>*>(clSVMAlloc(
        context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(std::atomic<cl_int>), 0));
    if (!opened_) GTEST_SKIP() << "needs fine-grained shared virtual memory with atomics";
    opened_->store(0);
    const char* source =
        "kernel void hold(global atomic_int* opened, ulong where) {\n"
        "  while (!atomic_load_explicit(opened, memory_order_relaxed, memory_scope_all_svm_devices));\n"
        "  if (where) *(global uint*)where = 1;\n"
        "}\n"
        "kernel void add(global uint* a) { a[get_global_id(0)] += 1; }\n";
    cl_int error = 1;
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    CL_OK(error);
    CL_OK(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
    hold_ = make_kernel(program, "hold");
    add = make_kernel(program, "add");
    CL_OK(clSetKernelArgSVMPointer(hold_, 0, opened_));
    theirs = make_buffer(kBytes);
    ours = make_buffer(kBytes);
    CL_OK(fill(lost, theirs, 5, 0, kBytes));
    CL_OK(fill(queue, ours, 6, 0, kBytes));
    CL_OK(clFinish(lost));
    CL_OK(clFinish(queue));
  }
  // What must work after the loss.
  void TearDown() override {
    if (!opened_) return;
    cl_bool available = CL_FALSE;
    CL_EXPECT(CL_SUCCESS,
              clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, nullptr));
    EXPECT_EQ(available, cl_bool{CL_TRUE});
    const test::Queue later = make_queue(0);
    const test::Buffer fresh = make_buffer(kBytes);
    CL_EXPECT(CL_SUCCESS, fill(queue, fresh, 8, 0, kBytes));
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    EXPECT_EQ(contents<cl_uint>(fresh, kCount), std::vector<cl_uint>(kCount, 8));
    clSVMFree(context, opened_);
    OpenCL::TearDown();
  }
  static cl_int fill(cl_command_queue where, cl_mem buffer, cl_uint value, std::size_t offset,
                     std::size_t size, cl_event wait = nullptr, cl_event* event = nullptr) {
    return clEnqueueFillBuffer(where, buffer, &value, sizeof value, offset, size, wait ? 1 : 0,
                               wait ? &wait : nullptr, event);
  }
  test::Event run_on_the_first(cl_ulong where) {
    test::Event event;
    set_argument(hold_, 1, where);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(lost, hold_, 1, nullptr, &kOne, nullptr, 0, nullptr, event.out()));
    CL_EXPECT(CL_SUCCESS, clFlush(lost));
    return event;
  }
  test::Event run_culprit() { return run_on_the_first(64); }
  void open() { opened_->store(1); }
  void shut() { opened_->store(0); }
  void lose() {
    const test::Event culprit = run_culprit();
    open();
    CL_EXPECT(kNotRun, clWaitForEvents(1, culprit.list()));
    EXPECT_LT(test::status_of(culprit), 0);
  }
  test::Event run_add(cl_command_queue where, cl_mem buffer, cl_event wait) {
    test::Event event;
    set_argument(add, 0, buffer);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(where, add, 1, nullptr, &kCount, nullptr, 1, &wait, event.out()));
    return event;
  }
  static void expect_not_run(cl_event event) {
    CL_EXPECT(kNotRun, clWaitForEvents(1, &event));
    CL_EXPECT(kNotRun, test::status_of(event));
  }
  cl_int read(cl_mem buffer, std::size_t bytes, cl_uint* values) const {
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, values, 0, nullptr, nullptr);
  }

  test::Program program;
  test::Kernel add;
  test::Buffer theirs, ours;  // with contents on the first device, on the second one
  test::Queue lost;

 private:
  test::Kernel hold_;
  std::atomic<cl_int>* opened_ = nullptr;
};

// Section 5.11: commands fail if one in their wait list does, also if they are in streams already when that happens.
TEST_ALONE(LostPeer, CommandsBehindItsCommandsFail) {
  const test::Event culprit = run_culprit();
  std::vector<cl_uint> values(kCount);
  std::vector<test::Event> behind;
  behind.push_back(run_add(queue, ours, culprit));
  behind.push_back(run_add(queue, theirs, culprit));
  CL_OK(clEnqueueReadBuffer(queue, ours, CL_FALSE, 0, kBytes, values.data(), 1, culprit.list(),
                            behind.emplace_back().out()));
  CL_OK(fill(queue, ours, 7, 0, kBytes, culprit, behind.emplace_back().out()));
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, culprit.list(), behind.emplace_back().out()));
  CL_OK(clEnqueueBarrierWithWaitList(queue, 1, culprit.list(), behind.emplace_back().out()));
  open();
  for (const test::Event& event : behind) expect_not_run(event);
  EXPECT_LT(test::status_of(culprit), 0);
}

// A chain of commands of the other device, in several queues; a queue's order alone hands no failure on.
TEST_ALONE(LostPeer, CommandsBehindThoseFailToo) {
  const test::Event culprit = run_culprit();
  const test::Queue second = make_queue(0), loose = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<test::Event> chain;
  chain.push_back(run_add(queue, ours, culprit));
  for (int i = 0; i < 12; ++i)
    chain.push_back(run_add(i % 3 == 0 ? second : i % 3 == 1 ? loose : queue, ours, chain.back()));
  test::Event unrelated;
  CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, unrelated.out()));
  open();
  while (!chain.empty()) {
    expect_not_run(chain.back());
    chain.pop_back();
  }
  CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, unrelated.list()));
  CL_EXPECT(CL_COMPLETE, test::status_of(unrelated));
}

// The commands that the queue holds behind the native kernel are submitted after the fault.
TEST_ALONE(LostPeer, NativeKernelsBehindItsCommandsAreNotRun) {
  cl_device_exec_capabilities capabilities = 0;
  CL_OK(
      clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities, &capabilities, nullptr));
  if (!(capabilities & CL_EXEC_NATIVE_KERNEL)) GTEST_SKIP() << "the device runs no native kernels";
  const test::Event culprit = run_culprit();
  static std::atomic<int> calls = 0;
  std::vector<test::Event> behind(3);
  CL_OK(clEnqueueNativeKernel(
      queue, [](void*) { ++calls; }, nullptr, 0, 0, nullptr, nullptr, 1, culprit.list(), behind[0].out()));
  CL_OK(fill(queue, ours, 7, 0, kBytes, culprit, behind[1].out()));
  CL_OK(clEnqueueMarkerWithWaitList(queue, 1, culprit.list(), behind[2].out()));
  open();
  for (const test::Event& event : behind) expect_not_run(event);
  EXPECT_EQ(calls, 0);
}

// A small blocking write may return before it is complete, but not before it is known to succeed.
TEST_ALONE(LostPeer, BlockingCallsBehindItsCommandsFail) {
  const test::Event culprit = run_culprit();
  std::thread opener([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    open();
  });
  const cl_uint value = 1;
  CL_EXPECT(kNotRun,
            clEnqueueWriteBuffer(queue, ours, CL_TRUE, 0, sizeof value, &value, 1, culprit.list(), nullptr));
  opener.join();
}

// What was seen to complete stays complete; so does what is behind it, even if that is looked at only after the loss.
TEST_ALONE(LostPeer, CommandsBehindEarlierOnesSucceed) {
  const test::Event before = run_on_the_first(0), behind = run_add(queue, ours, before);
  open();
  CL_OK(clWaitForEvents(1, before.list()));
  CL_OK(clFinish(queue));
  shut();  // the culprit is not to fault before lose() has submitted it
  lose();
  CL_EXPECT(CL_COMPLETE, test::status_of(before));
  CL_EXPECT(CL_COMPLETE, test::status_of(behind));
}

// The context's first device is where objects get their contents, unless it is lost.
TEST_ALONE(LostPeer, ObjectsGetTheirContents) {
  lose();
  const auto values = test::random_values<cl_uint>(kCount);
  EXPECT_EQ(contents<cl_uint>(make_buffer(values), kCount), values);
  std::vector<cl_uint> large = test::random_values<cl_uint>(4 << 20);
  EXPECT_EQ(contents<cl_uint>(make_buffer(large), large.size()), large);
}

// Contents that only the lost device has are lost, until they are overwritten.
TEST_ALONE(LostPeer, BuffersAreUsableAgainOnceOverwritten) {
  lose();
  std::vector<cl_uint> values(kCount);
  CL_EXPECT(CL_OUT_OF_RESOURCES, read(theirs, kBytes, values.data()));
  set_argument(add, 0, theirs);
  CL_EXPECT(CL_OUT_OF_RESOURCES,
            clEnqueueNDRangeKernel(queue, add, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
  CL_EXPECT(CL_OUT_OF_RESOURCES, clEnqueueCopyBuffer(queue, theirs, ours, 0, 0, kBytes, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(ours, kCount), std::vector<cl_uint>(kCount, 6));
  CL_EXPECT(CL_SUCCESS, fill(queue, theirs, 7, 0, kBytes / 2));
  CL_EXPECT(CL_OUT_OF_RESOURCES, read(theirs, kBytes, values.data()));
  CL_EXPECT(CL_SUCCESS, read(theirs, kBytes / 2, values.data()));
  EXPECT_EQ(values[kCount / 2 - 1], 7u);
  CL_EXPECT(CL_SUCCESS, fill(queue, theirs, 7, kBytes / 2, kBytes / 2));
  CL_EXPECT(CL_SUCCESS,
            clEnqueueNDRangeKernel(queue, add, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(theirs, kCount), std::vector<cl_uint>(kCount, 8));
}

TEST_ALONE(LostPeer, ImagesAreUsableAgainOnceOverwritten) {
  cl_bool images = CL_FALSE;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, nullptr));
  if (!images) GTEST_SKIP() << "no images";
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT32};
  const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const test::Size3 origin{}, region{8, 8, 1};
  const cl_uint4 before{{1, 1, 1, 1}}, after{{2, 2, 2, 2}};
  cl_int error = 1;
  const test::Image image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &error);
  CL_OK(error);
  CL_OK(clEnqueueFillImage(lost, image, &before, origin.data(), region.data(), 0, nullptr, nullptr));
  CL_OK(clFinish(lost));
  lose();
  std::vector<cl_uint> texels(8 * 8 * 4);
  const auto read_image = [&] {
    return clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, texels.data(), 0,
                              nullptr, nullptr);
  };
  CL_EXPECT(CL_OUT_OF_RESOURCES, read_image());
  CL_EXPECT(CL_SUCCESS,
            clEnqueueFillImage(queue, image, &after, origin.data(), region.data(), 0, nullptr, nullptr));
  CL_EXPECT(CL_SUCCESS, read_image());
  EXPECT_EQ(texels, std::vector<cl_uint>(8 * 8 * 4, 2));
}

// The lost device had copied from the memory, and was to copy more.
// Section 5.8.9: a build has a status and a log for each device.
TEST_ALONE(LostPeer, ProgramsAreBuiltForTheOther) {
  lose();
  const char* source = "kernel void half_of(global uint* a) { a[get_global_id(0)] /= 2; }";
  cl_int error = 1;
  const test::Program made = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  CL_OK(error);
  EXPECT_NE(clBuildProgram(made, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  for (const cl_device_id of : test::devices()) {
    cl_build_status status = CL_BUILD_NONE;
    CL_OK(clGetProgramBuildInfo(made, of, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr));
    EXPECT_EQ(status, of == device ? CL_BUILD_SUCCESS : CL_BUILD_ERROR);
  }
  const test::Kernel kernel = make_kernel(made, "half_of");
  set_arguments(kernel, ours);
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(ours, kCount), std::vector<cl_uint>(kCount, 3));
}

TEST_ALONE(LostPeer, MemoryThatItUsedCanBeReleased) {
  CL_OK(clEnqueueCopyBuffer(lost, ours, theirs, 0, 0, kBytes, 0, nullptr, nullptr));
  const test::Event culprit = run_culprit();
  CL_OK(clEnqueueCopyBuffer(lost, ours, theirs, 0, 0, kBytes, 0, nullptr, nullptr));
  open();
  CL_EXPECT(kNotRun, clWaitForEvents(1, culprit.list()));
  ours.reset();
  theirs.reset();
}

}  // namespace
