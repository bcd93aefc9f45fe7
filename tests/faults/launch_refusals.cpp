// SPDX-License-Identifier: Apache-2.0
// Kernels whose code is loaded at their first launch, with a driver that runs out of memory then. The library frees its unused memory and
// tries again. If that does not help, the launch fails (section 5.10), not the build.
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "refusing_driver.h"

namespace faults {
namespace {

// Code is loaded by any of these functions; with some drivers only the last one allocates the memory.
constexpr const char* kFunctions[] = {"cuModuleLoadData", "cuModuleGetFunction", "cuFuncGetAttribute",
                                      "cuLaunchKernelEx"};

class LaunchRefusals : public RefusingDriver<test::OpenCL> {
 protected:
  // Builds while the device is busy, so that the code is not loaded yet.
  test::Kernel kernel() const {
    const test::Event gate = make_user_event();
    CL_EXPECT(CL_SUCCESS, clEnqueueMarkerWithWaitList(queue, 1, gate.list(), nullptr));
    const test::Program program = build("kernel void k(global int* a) { a[get_global_id(0)] += 3; }");
    test::Kernel made = make_kernel(program, "k");
    CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    return made;
  }
  cl_int launch(cl_kernel made) const {
    const std::size_t size = 100;
    return clEnqueueNDRangeKernel(queue, made, 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
  }
};

TEST_F(LaunchRefusals, NoMemoryOnceIsNoFailure) {
  for (const char* function : kFunctions) {
    SCOPED_TRACE(function);
    const test::Kernel made = kernel();
    const test::Buffer buffer = make_buffer(std::vector<int>(100, 4));
    set_arguments(made, buffer);
    driver::arm({.call = 1, .error = CUDA_ERROR_OUT_OF_MEMORY, .function = function});
    CL_EXPECT(CL_SUCCESS, launch(made));
    EXPECT_NE(driver::disarm().failed, nullptr);
    EXPECT_EQ(contents<int>(buffer, 100), std::vector<int>(100, 7));
  }
}

TEST_F(LaunchRefusals, NoMemoryAtAllRefusesTheLaunch) {
  for (const char* function : kFunctions) {
    SCOPED_TRACE(function);
    const test::Kernel made = kernel();
    const test::Buffer buffer = make_buffer(std::vector<int>(100, 4));
    set_arguments(made, buffer);
    driver::arm({.call = 1, .error = CUDA_ERROR_OUT_OF_MEMORY, .lasting = true, .function = function});
    const cl_int code = launch(made);
    EXPECT_TRUE(code == CL_OUT_OF_RESOURCES || code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
        << test::error_name(code);
    EXPECT_NE(driver::disarm().failed, nullptr);
    CL_EXPECT(CL_SUCCESS, launch(made));
    EXPECT_EQ(contents<int>(buffer, 100), std::vector<int>(100, 7));
  }
}

// A held launch fails as a command: its event gets the error.
TEST_F(LaunchRefusals, NoMemoryForAHeldLaunchFailsIt) {
  const test::Kernel made = kernel();
  const test::Buffer buffer = make_buffer(std::vector<int>(100, 4));
  set_arguments(made, buffer);
  const test::Event gate = make_user_event();
  const std::size_t size = 100;
  test::Event event;
  CL_OK(clEnqueueNDRangeKernel(queue, made, 1, nullptr, &size, nullptr, 1, gate.list(), event.out()));
  driver::arm(
      {.call = 1, .error = CUDA_ERROR_OUT_OF_MEMORY, .lasting = true, .function = "cuLaunchKernelEx"});
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, event.list()));
  EXPECT_NE(driver::disarm().failed, nullptr);
  const cl_int status = test::status_of(event);
  EXPECT_TRUE(status == CL_OUT_OF_RESOURCES || status == CL_MEM_OBJECT_ALLOCATION_FAILURE)
      << test::error_name(status);
  CL_EXPECT(CL_SUCCESS, launch(made));
  EXPECT_EQ(contents<int>(buffer, 100), std::vector<int>(100, 7));
}

// A kernel whose times are taken is submitted as a graph (cuda/timed_launch.h), unless the stream still has work, which may be so for a
// moment after a command has ended. If the driver refuses any step of that, it is launched all the same.
class TimedLaunchRefusals : public LaunchRefusals {
 protected:
  // Launches the kernel, which adds 3 to each element of the buffer, and expects its results and its times.
  void launch_timed(cl_kernel made, cl_mem buffer) {
    const auto before = test::random_values<int>(100);
    CL_OK(clEnqueueWriteBuffer(timed, buffer, CL_TRUE, 0, 400, before.data(), 0, nullptr, nullptr));
    const std::size_t size = 100;
    test::Event event;
    CL_OK(clEnqueueNDRangeKernel(timed, made, 1, nullptr, &size, nullptr, 0, nullptr, event.out()));
    CL_OK(clWaitForEvents(1, event.list()));
    cl_ulong times[3] = {};
    const cl_profiling_info names[] = {CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                       CL_PROFILING_COMMAND_END};
    for (int i = 0; i < 3; ++i)
      CL_OK(clGetEventProfilingInfo(event, names[i], sizeof times[i], &times[i], nullptr));
    EXPECT_TRUE(times[0] <= times[1] && times[1] <= times[2]);
    std::vector<int> expected(before);
    for (int& value : expected) value = static_cast<int>(static_cast<unsigned>(value) + 3);
    EXPECT_EQ(contents<int>(buffer, 100), expected);
  }
  test::Queue timed;
  std::vector<test::Queue> others;
};

TEST_F(TimedLaunchRefusals, LaunchWithoutAGraph) {
  for (const char* function :
       {"cuGraphCreate", "cuGraphAddEventRecordNode", "cuGraphAddKernelNode", "cuGraphInstantiate",
        "cuGraphExecKernelNodeSetParams", "cuGraphExecEventRecordNodeSetEvent", "cuGraphLaunch"}) {
    SCOPED_TRACE(function);
    const test::Kernel made = kernel();
    const test::Buffer buffer = make_buffer(400);
    set_arguments(made, buffer);
    // Beside the others, so that its stream is another and has no graph yet.
    others.push_back(std::exchange(timed, make_queue(CL_QUEUE_PROFILING_ENABLE)));
    driver::arm({.call = 1, .error = CUDA_ERROR_OUT_OF_MEMORY, .function = function});
    const long calls = driver::calls_of(function);
    for (int tries = 0; driver::calls_of(function) == calls && tries < 200; ++tries)
      launch_timed(made, buffer);
    EXPECT_NE(driver::disarm().failed, nullptr);
    launch_timed(made, buffer);
  }
}

TEST_F(TimedLaunchRefusals, OneCallSubmitsKernelAndEvents) {
  const test::Kernel made = kernel();
  const test::Buffer buffer = make_buffer(400);
  set_arguments(made, buffer);
  timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  long graphs = 0, launches = 0;
  for (int tries = 0; graphs < 5 && tries < 200; ++tries) {
    const long graphs_before = driver::calls_of("cuGraphLaunch");
    const long launches_before = driver::calls_of("cuLaunchKernelEx");
    launch_timed(made, buffer);
    graphs += driver::calls_of("cuGraphLaunch") - graphs_before;
    launches += driver::calls_of("cuLaunchKernelEx") - launches_before;
    EXPECT_EQ(graphs + launches, tries + 1);
  }
  EXPECT_EQ(graphs, 5);
}

// The driver must not be left with a graph of a kernel whose module has been unloaded, as that of a released program is, at once if it has
// variables.
TEST_F(TimedLaunchRefusals, GraphsEndBeforeTheModuleOfTheirKernel) {
  timed = make_queue(CL_QUEUE_PROFILING_ENABLE);
  const test::Buffer buffer = make_buffer(400);
  for (int round = 0; round < 2; ++round) {
    test::Kernel made = make_kernel(build("global int three = 3;\n"
                                          "kernel void k(global int* a) { a[get_global_id(0)] += three; }\n"
                                          "kernel void change(int to) { three = to; }\n"),
                                    "k");
    set_arguments(made, buffer);
    const long graphs = driver::calls_of("cuGraphLaunch");
    for (int tries = 0; driver::calls_of("cuGraphLaunch") == graphs && tries < 200; ++tries)
      launch_timed(made, buffer);
    EXPECT_GT(driver::calls_of("cuGraphLaunch"), graphs);
    CL_OK(clEnqueueMarkerWithWaitList(timed, 0, nullptr, nullptr));  // a queue remembers its last command
    CL_OK(clFinish(timed));
    const long unloaded = driver::calls_of("cuModuleUnload"), ended = driver::calls_of("cuGraphExecDestroy");
    made.reset();
    for (int tries = 0; driver::calls_of("cuModuleUnload") == unloaded && tries < 1000; ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    // Or more: modules of earlier tests whose device was not idle when they were released are unloaded with this one.
    EXPECT_GT(driver::calls_of("cuModuleUnload"), unloaded);
    EXPECT_GT(driver::calls_of("cuGraphExecDestroy"), ended);
  }
}

}  // namespace
}  // namespace faults
