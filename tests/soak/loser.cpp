// SPDX-License-Identifier: Apache-2.0
// A process that loses its device through its own kernel: commands in flight end with an error, nothing hangs, and all objects can be
// released. Another device of the process still works, except a second GPU: NVIDIA's driver then fails all of a process's contexts.
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "soak/episodes.h"
#include "soak/link.h"
#include "soak/pending.h"
#include "soak/random.h"
#include "soak/role.h"
#include "soak/tally.h"

namespace soak {
namespace {

constexpr std::chrono::seconds kPatience(100);

constexpr const char* kSource = R"(
kernel void innocent(global uint* a) { a[get_global_id(0)] += 1; }
kernel void culprit(global uint* a, ulong far, int way) {
  if (way == 0) a[0] = a[far];
  else if (way == 1) a[far] = 1;
  else if (way == 2) a[0] = *(global uint*)(far & 255);
  else *(global uint*)(far & 255) = 1;
}
)";

bool is_gpu(cl_device_id device) {
  cl_device_type type = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  return (type & CL_DEVICE_TYPE_GPU) != 0;
}

class Loser {
 public:
  explicit Loser(cl_device_id device) : device_(device) {
    cl_int error = CL_SUCCESS;
    const auto tell = [](const char*, const void*, std::size_t, void* told) {
      *static_cast<std::atomic<bool>*>(told) = true;
    };
    context_ = clCreateContext(nullptr, 1, &device, tell, &told(), &error);
    CL_EXPECT(CL_SUCCESS, error);
    for (const cl_command_queue_properties properties :
         {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE}) {
      const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
      queues_.emplace_back(clCreateCommandQueueWithProperties(context_, device, list, &error));
      CL_EXPECT(CL_SUCCESS, error);
    }
    const char* text = kSource;
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr));
    innocent_ = clCreateKernel(program_, "innocent", &error);
    culprit_ = clCreateKernel(program_, "culprit", &error);
    buffer_ = clCreateBuffer(context_, 0, kItems * sizeof(cl_uint), nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    set_arguments();
  }

  void run() {
    run_well();
    const test::Event gate = clCreateUserEvent(context_, nullptr);
    for (int i = 0; i < 10; ++i) enqueue_innocent(chance(50) ? gate.get() : nullptr);
    enqueue_culprit();
    std::thread waiting([&] { EXPECT_LT(clFinish(queues_[0]), 0); });
    for (int i = 0; i < 10; ++i) enqueue_innocent(chance(50) ? gate.get() : nullptr);
    CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    waiting.join();
    for (const test::Queue& queue : queues_) EXPECT_LT(clFinish(queue), 0);
    expect_end();
    expect_no_context();
    count(Count::faults);
  }
  // Its context was in use when another device was lost, and fails with it.
  void run_lost() {
    const std::size_t items = kItems;
    const cl_int enqueued =
        clEnqueueNDRangeKernel(queues_[0], innocent_, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    const cl_int finished = clFinish(queues_[0]);
    EXPECT_TRUE(enqueued < 0 || finished < 0);
    expect_no_context();
  }
  void run_well() {
    std::vector<cl_uint> seen(kItems);
    const cl_uint zero = 0;
    const std::size_t items = kItems;
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queues_[0], buffer_, &zero, sizeof zero, 0,
                                              kItems * sizeof(cl_uint), 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queues_[0], innocent_, 1, nullptr, &items, nullptr, 0,
                                                 nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues_[0], buffer_, CL_TRUE, 0, kItems * sizeof(cl_uint),
                                              seen.data(), 0, nullptr, nullptr));
    EXPECT_TRUE(seen == std::vector<cl_uint>(kItems, 1));
  }

 private:
  static constexpr std::size_t kItems = 4096;

  void expect_no_context() {
    cl_int error = CL_SUCCESS;
    const test::Context next = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
    CL_EXPECT(CL_DEVICE_NOT_AVAILABLE, error);
  }
  // The context's callback may be called while its last reference is released.
  static std::atomic<bool>& told() {
    static std::atomic<bool> told = false;
    return told;
  }

  void set_arguments() {
    const cl_mem buffer = buffer_;
    // By terabytes, never by a multiple of what a chip's addresses can say (2 to the 49th bytes on some).
    const auto far = static_cast<cl_ulong>(1 + below(127)) << 38;
    const auto way = static_cast<cl_int>(below(4));
    for (const cl_kernel kernel : {innocent_.get(), culprit_.get()})
      CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(culprit_, 1, sizeof far, &far));
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(culprit_, 2, sizeof way, &way));
  }
  // The loss may already have been detected.
  void enqueue_innocent(cl_event wait) {
    test::Event event;
    const std::size_t items = kItems;
    const test::Queue& queue = any_of(queues_);
    const cl_int code = clEnqueueNDRangeKernel(queue, innocent_, 1, nullptr, &items, nullptr, wait ? 1 : 0,
                                               wait ? &wait : nullptr, event.out());
    if (code != CL_SUCCESS) {
      CL_EXPECT(CL_OUT_OF_RESOURCES, code);
      return;
    }
    notify(event);
    events_.push_back(std::move(event));
    clFlush(queue);
  }
  void enqueue_culprit() {
    test::Event event;
    const std::size_t items = 1;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queues_[0], culprit_, 1, nullptr, &items, nullptr, 0,
                                                 nullptr, event.out()));
    culprit_event_ = event.get();
    events_.push_back(std::move(event));
    clFlush(queues_[0]);
  }
  template <class Condition>
  static bool soon(Condition holds) {
    for (const auto end = std::chrono::steady_clock::now() + kPatience;
         !holds() && std::chrono::steady_clock::now() < end;)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return holds();
  }
  // All commands have ended, the faulty one with an error, and all callbacks have been called.
  void expect_end() {
    for (const test::Event& event : events_)
      EXPECT_TRUE(soon([&] { return test::status_of(event) <= CL_COMPLETE; }));
    EXPECT_LT(test::status_of(culprit_event_), 0);
    EXPECT_TRUE(soon([] { return callbacks_due() == 0; })) << callbacks_due() << " callbacks have not come";
    EXPECT_TRUE(soon([] { return told().load(); })) << "the context has not told";
  }

  const cl_device_id device_;
  test::Context context_;
  std::vector<test::Queue> queues_;
  test::Program program_;
  test::Kernel innocent_, culprit_;
  test::Buffer buffer_;
  std::vector<test::Event> events_;
  cl_event culprit_event_ = nullptr;
};

}  // namespace

int lose() {
  const test::RandomEngineOfThread own(role().seed);
  const std::vector<cl_device_id> all = test::devices();
  // NVIDIA's driver makes no context for any GPU once one has been lost, and fails those that there are.
  std::optional<Loser> other;
  if (all.size() > 1) other.emplace(all.back()).run_well();
  Loser(all.front()).run();
  if (other && is_gpu(all.front()) && is_gpu(all.back()))
    other->run_lost();
  else if (other)
    other->run_well();
  tell_counts();
  return has_failed() ? 1 : 0;
}

}  // namespace soak
