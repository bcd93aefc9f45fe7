// SPDX-License-Identifier: Apache-2.0
// Many threads that call all kinds of functions concurrently, on their own and on shared objects, and check the results.
#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include "support/opencl.h"

namespace {

constexpr unsigned kActors = 6;
constexpr std::size_t kSize = 512;

constexpr const char* kSource =
    "kernel void add(global uint* a, uint v) { a[get_global_id(0)] += v; }\n"
    "kernel void count(global uint* total) { atomic_add(total, 1u); }\n";

// Shared by all actors.
struct Stage {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_program program = nullptr;
  cl_kernel counter =
      nullptr;  // its argument stays as it is: kernels may be enqueued, but not set, by several threads
  cl_mem slices = nullptr;  // a slice of kSize words per actor
  std::array<cl_command_queue, 3> queues{};
  std::atomic<cl_uint> counted = 0, callbacks_wanted = 0, callbacks_seen = 0, callbacks_failed = 0;
  std::atomic<cl_uint> buffers_watched = 0, buffers_gone = 0;

  // Events that one actor leaves for others to wait for.
  std::mutex mutex;
  std::array<test::Event, 8> left;
};

void CL_CALLBACK on_complete(cl_event event, cl_int status, void* data) {
  Stage& stage = *static_cast<Stage*>(data);
  cl_command_type type = 0;
  const cl_int asked = clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  stage.callbacks_failed += status != CL_COMPLETE || asked != CL_SUCCESS || type == 0;
  ++stage.callbacks_seen;
}

class Actor {
 public:
  Actor(Stage& stage, unsigned number, std::uint64_t seed)
      : stage_(stage),
        number_(number),
        random_(seed),
        kernel_(clCreateKernel(stage.program, "add", nullptr)),
        buffer_(clCreateBuffer(stage.context, 0, kSize * sizeof(cl_uint), nullptr, nullptr)) {}

  void play(int rounds) {
    using Scene = void (Actor::*)();
    constexpr Scene kScenes[] = {&Actor::compute,       &Actor::count,         &Actor::use_slice,
                                 &Actor::map,           &Actor::gate,          &Actor::share_events,
                                 &Actor::ask,           &Actor::make_objects,  &Actor::make_context,
                                 &Actor::run_on_host,   &Actor::finish,        &Actor::time_commands,
                                 &Actor::clone_kernels, &Actor::use_sub_buffer};
    for (int round = 0; round < rounds; ++round) {
      (this->*kScenes[random_() % std::size(kScenes)])();
      if (round % 40 == static_cast<int>(number_)) build();
    }
  }

 private:
  cl_command_queue any_queue() { return stage_.queues[random_() % stage_.queues.size()]; }
  cl_uint any_word() { return static_cast<cl_uint>(random_()); }
  void expect_all(const std::vector<cl_uint>& seen, cl_uint value) {
    EXPECT_EQ(std::ranges::count(seen, value), static_cast<std::ptrdiff_t>(seen.size()));
  }
  test::Event filled(cl_command_queue queue, cl_mem buffer, cl_uint value, cl_uint waits = 0,
                     const cl_event* wait = nullptr) {
    test::Event event;
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, kSize * sizeof value,
                                              waits, wait, event.out()));
    return event;
  }
  test::Event added(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, cl_uint value, cl_event after) {
    test::Event event;
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof value, &value));
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kSize, nullptr, 1, &after, event.out()));
    return event;
  }
  void expect_contents(cl_mem buffer, cl_uint value, cl_event after) {
    std::vector<cl_uint> seen(kSize);
    test::Event read;
    const cl_bool blocking = random_() % 2 ? CL_TRUE : CL_FALSE;
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(any_queue(), buffer, blocking, 0, kSize * sizeof(cl_uint),
                                              seen.data(), 1, &after, read.out()));
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, read.list()));
    expect_all(seen, value);
  }
  void call_back(cl_event event) {
    ++stage_.callbacks_wanted;
    CL_EXPECT(CL_SUCCESS, clSetEventCallback(event, CL_COMPLETE, on_complete, &stage_));
  }

  // The scenes. When one returns, no command of its own uses its stack any more.
  void compute() {
    const cl_uint base = any_word(), addend = any_word();
    const test::Event first = filled(any_queue(), buffer_, base);
    const test::Event second = added(any_queue(), kernel_, buffer_, addend, first);
    if (random_() % 2) call_back(second);
    expect_contents(buffer_, base + addend, second);
  }
  void count() {
    const std::size_t size = 1 + random_() % 64;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(any_queue(), stage_.counter, 1, nullptr, &size, nullptr, 0,
                                                 nullptr, nullptr));
    stage_.counted += static_cast<cl_uint>(size);
  }
  void use_slice() {
    std::vector<cl_uint> words(kSize), seen(kSize);
    std::iota(words.begin(), words.end(), any_word());
    const std::size_t bytes = kSize * sizeof(cl_uint);
    test::Event written, read;
    CL_EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(any_queue(), stage_.slices, CL_FALSE, number_ * bytes, bytes,
                                               words.data(), 0, nullptr, written.out()));
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(any_queue(), stage_.slices, CL_FALSE, number_ * bytes, bytes,
                                              seen.data(), 1, written.list(), read.out()));
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, read.list()));
    EXPECT_EQ(seen, words);
  }
  void map() {
    const cl_uint value = any_word(), addend = any_word();
    test::Event unmapped;
    cl_int error = CL_SUCCESS;
    const cl_command_queue queue = any_queue();
    auto* words =
        static_cast<cl_uint*>(clEnqueueMapBuffer(queue, buffer_, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                                 kSize * sizeof(cl_uint), 0, nullptr, nullptr, &error));
    CL_EXPECT(CL_SUCCESS, error);
    if (!words) return;
    std::fill_n(words, kSize, value);
    CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer_, words, 0, nullptr, unmapped.out()));
    const test::Event done = added(any_queue(), kernel_, buffer_, addend, unmapped);
    const auto* seen = static_cast<const cl_uint*>(clEnqueueMapBuffer(
        queue, buffer_, CL_TRUE, CL_MAP_READ, 0, kSize * sizeof(cl_uint), 1, done.list(), nullptr, &error));
    CL_EXPECT(CL_SUCCESS, error);
    if (!seen) return;
    EXPECT_EQ(std::count(seen, seen + kSize, value + addend), static_cast<std::ptrdiff_t>(kSize));
    CL_EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer_, const_cast<cl_uint*>(seen), 0, nullptr,
                                                  unmapped.out()));
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, unmapped.list()));
  }
  void gate() {
    cl_int error = CL_SUCCESS;
    const test::Event user = clCreateUserEvent(stage_.context, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const cl_uint value = any_word();
    const test::Event event = filled(any_queue(), buffer_, value, 1, user.list());
    EXPECT_GT(test::status_of(event), CL_COMPLETE);
    call_back(event);
    call_back(user);
    CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
    expect_contents(buffer_, value, event);
  }
  void share_events() {
    const std::size_t place = random_() % stage_.left.size();
    cl_event taken = nullptr;
    {
      const std::lock_guard lock(stage_.mutex);
      taken = stage_.left[place];
      if (taken) clRetainEvent(taken);
    }
    const test::Event before(taken);
    test::Event mine;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueMarkerWithWaitList(any_queue(), taken ? 1 : 0, taken ? &taken : nullptr, mine.out()));
    if (taken) call_back(taken);
    CL_EXPECT(CL_SUCCESS, clRetainEvent(mine));
    const test::Event ours(mine.get());
    {
      const std::lock_guard lock(stage_.mutex);
      std::swap(stage_.left[place], mine);
    }
    if (random_() % 4 == 0) {
      CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, ours.list()));
      if (taken) EXPECT_EQ(test::status_of(taken), CL_COMPLETE);
    }
  }
  void ask() {
    cl_uint references = 0, devices = 0, arguments = 0;
    CL_EXPECT(CL_SUCCESS, clRetainContext(stage_.context));
    CL_EXPECT(CL_SUCCESS, clGetContextInfo(stage_.context, CL_CONTEXT_REFERENCE_COUNT, sizeof references,
                                           &references, nullptr));
    EXPECT_GE(references, 2u);
    CL_EXPECT(CL_SUCCESS, clReleaseContext(stage_.context));
    CL_EXPECT(CL_SUCCESS,
              clGetContextInfo(stage_.context, CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, nullptr));
    EXPECT_EQ(devices, 1u);
    const cl_command_queue queue = any_queue();
    CL_EXPECT(CL_SUCCESS, clRetainCommandQueue(queue));
    CL_EXPECT(CL_SUCCESS, clFlush(queue));
    CL_EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
    std::array<char, 256> text{};
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(stage_.device, CL_DEVICE_NAME, text.size(), text.data(), nullptr));
    CL_EXPECT(CL_SUCCESS,
              clGetKernelInfo(stage_.counter, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr));
    EXPECT_EQ(arguments, 1u);
    std::size_t limit = 0, bytes = 0;
    CL_EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(stage_.counter, stage_.device, CL_KERNEL_WORK_GROUP_SIZE,
                                                   sizeof limit, &limit, nullptr));
    EXPECT_GT(limit, 0u);
    CL_EXPECT(CL_SUCCESS,
              clGetProgramInfo(stage_.program, CL_PROGRAM_KERNEL_NAMES, text.size(), text.data(), nullptr));
    CL_EXPECT(CL_SUCCESS,
              clGetProgramInfo(stage_.program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr));
    EXPECT_GT(bytes, 0u);
    CL_EXPECT(CL_INVALID_VALUE, clGetProgramInfo(stage_.program, 0, sizeof bytes, &bytes, nullptr));
  }
  void make_objects() {
    std::vector<cl_uint> words(kSize, any_word());
    for (int i = 0; i < 10; ++i) {
      cl_int error = CL_SUCCESS;
      const test::Buffer buffer =
          clCreateBuffer(stage_.context, CL_MEM_COPY_HOST_PTR, kSize * sizeof(cl_uint), words.data(), &error);
      CL_EXPECT(CL_SUCCESS, error);
      ++stage_.buffers_watched;
      CL_EXPECT(CL_SUCCESS,
                clSetMemObjectDestructorCallback(
                    buffer, [](cl_mem, void* data) { ++static_cast<Stage*>(data)->buffers_gone; }, &stage_));
      const test::Event user = clCreateUserEvent(stage_.context, &error);
      CL_EXPECT(CL_SUCCESS, error);
      CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
      // Releases the buffer while it is in use.
      filled(any_queue(), buffer, words.front(), 1, user.list());
    }
  }
  void make_context() {
    cl_int error = CL_SUCCESS;
    const test::Context context = clCreateContext(nullptr, 1, &stage_.device, nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const test::Queue queue = clCreateCommandQueueWithProperties(context, stage_.device, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const test::Buffer buffer = clCreateBuffer(context, 0, kSize * sizeof(cl_uint), nullptr, &error);
    const cl_uint value = any_word();
    filled(queue, buffer, value);
    std::vector<cl_uint> seen(kSize);
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kSize * sizeof(cl_uint), seen.data(),
                                              0, nullptr, nullptr));
    expect_all(seen, value);
    const test::Event foreign = clCreateUserEvent(context, &error);
    CL_EXPECT(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(any_queue(), 1, foreign.list(), nullptr));
  }
  void run_on_host() {
    std::atomic<int> ran = 0;
    std::atomic<int>* argument = &ran;
    const auto function = [](void* data) { ++**static_cast<std::atomic<int>**>(data); };
    test::Event event;
    const cl_int result =
        clEnqueueNativeKernel(any_queue(), function, static_cast<void*>(&argument), sizeof argument, 0,
                              nullptr, nullptr, 0, nullptr, event.out());
    if (result == CL_INVALID_OPERATION) return;  // a device without native kernels
    CL_EXPECT(CL_SUCCESS, result);
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, event.list()));
    EXPECT_EQ(ran, 1);
  }
  void finish() { CL_EXPECT(CL_SUCCESS, clFinish(any_queue())); }
  void time_commands() {
    const test::Event event = filled(stage_.queues[2], buffer_, any_word());
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, event.list()));
    std::array<cl_ulong, 4> times{};
    constexpr cl_profiling_info kNames[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                            CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    for (std::size_t i = 0; i < times.size(); ++i)
      CL_EXPECT(CL_SUCCESS, clGetEventProfilingInfo(event, kNames[i], sizeof times[i], &times[i], nullptr));
    EXPECT_TRUE(std::ranges::is_sorted(times));
  }
  void clone_kernels() {
    cl_int error = CL_SUCCESS;
    const cl_uint base = any_word(), addend = any_word();
    const test::Event first = filled(any_queue(), buffer_, base);
    const test::Event second = added(any_queue(), kernel_, buffer_, addend, first);
    const test::Kernel clone = clCloneKernel(kernel_, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const test::Event third = added(any_queue(), clone, buffer_, addend, second);
    expect_contents(buffer_, base + 2 * addend, third);
  }
  void use_sub_buffer() {
    cl_int error = CL_SUCCESS;
    constexpr std::size_t kHalf = kSize / 2 * sizeof(cl_uint);
    const cl_buffer_region region{kHalf, kHalf};
    const test::Buffer upper = clCreateSubBuffer(buffer_, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_EXPECT(CL_SUCCESS, error);
    const cl_uint low = any_word(), high = ~low;
    test::Event whole = filled(any_queue(), buffer_, low), part;
    CL_EXPECT(CL_SUCCESS, clEnqueueFillBuffer(any_queue(), upper, &high, sizeof high, 0, kHalf, 1,
                                              whole.list(), part.out()));
    std::vector<cl_uint> seen(kSize);
    CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(any_queue(), buffer_, CL_TRUE, 0, kSize * sizeof(cl_uint),
                                              seen.data(), 1, part.list(), nullptr));
    EXPECT_EQ(std::count(seen.begin(), seen.begin() + kSize / 2, low),
              static_cast<std::ptrdiff_t>(kSize / 2));
    EXPECT_EQ(std::count(seen.begin() + kSize / 2, seen.end(), high), static_cast<std::ptrdiff_t>(kSize / 2));
  }
  void build() {
    const cl_uint value = any_word();
    const std::string source =
        "kernel void put(global uint* a) { a[get_global_id(0)] = " + std::to_string(value) + "u; }";
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    const test::Program program = clCreateProgramWithSource(stage_.context, 1, &text, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    std::atomic<bool> told = false;
    if (random_() % 2) {
      CL_EXPECT(CL_SUCCESS, clBuildProgram(
                                program, 0, nullptr, "",
                                [](cl_program, void* data) {
                                  auto* flag = static_cast<std::atomic<bool>*>(data);
                                  *flag = true;
                                  flag->notify_all();
                                },
                                &told));
      told.wait(false);
    } else {
      CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &stage_.device, "-cl-std=CL3.0", nullptr, nullptr));
    }
    const test::Kernel kernel = clCreateKernel(program, "put", &error);
    CL_EXPECT(CL_SUCCESS, error);
    const cl_mem memory = buffer_;
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof memory, &memory));
    test::Event done;
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(any_queue(), kernel, 1, nullptr, &kSize, nullptr, 0, nullptr,
                                                 done.out()));
    expect_contents(buffer_, value, done);
  }

  Stage& stage_;
  const unsigned number_;
  std::mt19937_64 random_;
  const test::Kernel kernel_;
  const test::Buffer buffer_;
};

class Threads : public test::OpenCL {};

TEST_F(Threads, AllKindsOfCallsAtOnce) {
  const test::Program program = build(kSource);
  const test::Kernel counter = make_kernel(program, "count");
  const test::Buffer total = make_buffer(std::vector<cl_uint>{0}),
                     slices = make_buffer(kActors * kSize * sizeof(cl_uint));
  set_arguments(counter, total);
  const test::Queue queues[] = {
      make_queue(0), make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
      make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)};
  Stage stage;
  stage.device = device;
  stage.context = context;
  stage.program = program;
  stage.counter = counter;
  stage.slices = slices;
  std::ranges::copy(queues, stage.queues.begin());

  std::vector<std::thread> threads;
  for (unsigned number = 0; number < kActors; ++number)
    threads.emplace_back(
        [&stage, number, seed = test::random_engine()()] { Actor(stage, number, seed).play(200); });
  for (std::thread& thread : threads) thread.join();

  for (const test::Queue& each : queues) CL_OK(clFinish(each));
  EXPECT_EQ(contents<cl_uint>(total, 1).front(), stage.counted);
  for (test::Event& event : stage.left) event.reset();
  // Callbacks are called some time after their events.
  const auto settled = [&] {
    return stage.callbacks_seen == stage.callbacks_wanted && stage.buffers_gone == stage.buffers_watched;
  };
  for (int wait = 0; wait < 2000 && !settled(); ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(stage.callbacks_seen, stage.callbacks_wanted);
  EXPECT_EQ(stage.callbacks_failed, 0u);
  EXPECT_EQ(stage.buffers_gone, stage.buffers_watched);
}

}  // namespace
