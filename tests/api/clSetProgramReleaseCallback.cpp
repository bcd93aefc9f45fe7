// SPDX-License-Identifier: Apache-2.0
// Program-scope objects of C++ for OpenCL: constructed before the first kernel runs, destroyed with the program, before its release
// callbacks.
#include <condition_variable>
#include <mutex>

#include "support/cpp_for_opencl.h"
#include "support/device_info.h"
#include "support/handle_in_callback.h"

namespace {

class ProgramLife : public test::CppPrograms {
 protected:
  cl_bool flag(cl_program program, cl_program_info name) const {
    cl_bool value = 77;
    CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, name, sizeof value, &value, nullptr));
    return value;
  }
  std::vector<cl_int> run(cl_program program, std::size_t count, const char* name = "k") const {
    const test::Kernel kernel = make_kernel(program, name);
    const test::Buffer out = make_buffer(std::vector<cl_int>(count));
    const std::size_t one = 1;
    set_arguments(kernel, out);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return contents<cl_int>(out, count);
  }

  // Records calls of callbacks, in order.
  struct Calls {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<int> order;
    cl_program told = nullptr;
    bool wait_for(std::size_t count) {
      std::unique_lock lock(mutex);
      return changed.wait_for(lock, std::chrono::seconds(20), [&] { return order.size() >= count; });
    }
  };
  struct Call {
    Calls* calls;
    int number;
  };
  static void CL_CALLBACK note(cl_program program, void* user) {
    const Call& call = *static_cast<Call*>(user);
    const std::scoped_lock lock(call.calls->mutex);
    call.calls->order.push_back(call.number);
    call.calls->told = program;
    call.calls->changed.notify_all();
  }
};

// Destructors write to an SVM allocation: their number in the first element, then the number of each object, in order.
class DestroyedObjects : public ProgramLife {
 protected:
  static constexpr std::size_t kPlaces = 16, kBytes = kPlaces * sizeof(cl_int);

  void SetUp() override {
    ProgramLife::SetUp();
    if (IsSkipped()) return;
    if (!test::device_info<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES))
      GTEST_SKIP() << "the device has no shared virtual memory";
    trace = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kBytes, 0));
    ASSERT_NE(nullptr, trace);
    clear_trace();
  }
  void TearDown() override {
    if (trace) clSVMFree(context, trace);
    ProgramLife::TearDown();
  }
  void clear_trace() const {
    const cl_int nothing = 0;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueSVMMemFill(queue, trace, &nothing, sizeof nothing, kBytes, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
  }
  std::vector<cl_int> read_trace() const {
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, trace, kBytes, 0, nullptr, nullptr));
    std::vector<cl_int> seen(trace, trace + kPlaces);
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMUnmap(queue, trace, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    return seen;
  }

  cl_int* trace = nullptr;
};

constexpr char kObjects[] = R"(
global int made = 0;
struct Part { int value, number; Part(int v) : value(v * 2), number(++made) {} };
Part first(10);
static Part second(first.value + 1);
template <typename T> struct Holder { static Part part; };
template <typename T> Part Holder<T>::part(7);
Part several[2] = {100, 200};
int sizes = get_global_size(0) + get_local_size(0) + get_num_groups(0) + get_work_dim() + 10 * get_global_id(0);
kernel void k(global int* out) {
  out[0] = first.value; out[1] = second.value; out[2] = Holder<int>::part.value; out[3] = several[0].value;
  out[4] = several[1].value; out[5] = made; out[6] = first.number < second.number && second.number < several[0].number;
  out[7] = sizes;
  ++first.value;
})";

TEST_F(ProgramLife, ObjectsAreConstructedOnceBeforeTheFirstKernel) {
  const test::Program program = build(kObjects, "-cl-std=CLC++");
  EXPECT_EQ(CL_TRUE, static_cast<int>(flag(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)));
  EXPECT_EQ(CL_FALSE, static_cast<int>(flag(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)));
  EXPECT_EQ("k", program_text(program, CL_PROGRAM_KERNEL_NAMES));
  EXPECT_EQ((std::vector<cl_int>{20, 42, 14, 200, 400, 5, 1, 4}), run(program, 8));
  EXPECT_EQ((std::vector<cl_int>{21, 42, 14, 200, 400, 5, 1, 4}), run(program, 8));
}

TEST_F(ProgramLife, ABinaryAndAnotherBuildConstructAnew) {
  const test::Program program = build(kObjects, "-cl-std=CLC++");
  EXPECT_EQ(20, run(program, 8)[0]);
  EXPECT_EQ(21, run(program, 8)[0]);
  const auto bytes = binary(program);
  const unsigned char* place = bytes.data();
  const std::size_t size = bytes.size();
  cl_int status = 1, error = 1;
  const test::Program again = clCreateProgramWithBinary(context, 1, &device, &size, &place, &status, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(again, 1, &device, "-cl-std=CLC++", nullptr, nullptr));
  EXPECT_EQ(CL_TRUE, static_cast<int>(flag(again, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)));
  EXPECT_EQ(20, run(again, 8)[0]);
  CL_OK(clBuildProgram(program, 1, &device, "-cl-std=CLC++", nullptr, nullptr));
  EXPECT_EQ(20, run(program, 8)[0]);
}

TEST_F(ProgramLife, UnitsThatAreLinkedConstructAllOfTheirs) {
  const test::Program
      one =
          compiled("struct A { int x; A(int v) : x(v) {} }; A a(3); extern \"C\" int of_a() { return a.x; }",
                   "-cl-std=CLC++"),
      two = compiled(
          "struct B { int x; B(int v) : x(v) {} }; static B b(4); extern \"C\" int of_a();\n"
          "kernel void k(global int* out) { out[0] = of_a(); out[1] = b.x; }",
          "-cl-std=CLC++");
  const cl_program both[] = {one, two};
  cl_int error = 0;
  const test::Program program = clLinkProgram(context, 1, &device, "", 2, both, nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ((std::vector<cl_int>{3, 4}), run(program, 2));
}

TEST_F(ProgramLife, ProgramsWithoutObjectsSaySo) {
  const test::Program program = build("kernel void k() {}", "-cl-std=CL3.0");
  EXPECT_EQ(CL_FALSE, static_cast<int>(flag(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)));
  EXPECT_EQ(CL_FALSE, static_cast<int>(flag(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)));
  const test::Program unbuilt = create("kernel void k() {}");
  cl_bool value = CL_FALSE;
  for (const cl_program_info name :
       {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT})
    CL_EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(unbuilt, name, sizeof value, &value, nullptr));
}

// The destructors have written to the SVM allocation when the callbacks are called.
TEST_F(DestroyedObjects, ObjectsAreDestroyedInReverseBeforeTheCallbacks) {
  test::Program program = build(R"(
global int* trace;
struct Part { int number; ~Part() { if (trace) { int at = ++trace[0]; trace[at] = number; } } };
Part first{1};
static Part several[2] = {{2}, {3}};
kernel void k(global int* out) { trace = out; })",
                                "-cl-std=CLC++");
  EXPECT_EQ(CL_TRUE, static_cast<int>(flag(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)));
  Calls calls;
  Call one{&calls, 1}, two{&calls, 2};
  CL_OK(clSetProgramReleaseCallback(program, note, &one));
  CL_OK(clSetProgramReleaseCallback(program, note, &two));
  {
    const test::Kernel kernel = make_kernel(program, "k");
    const std::size_t items = 1;
    CL_OK(clSetKernelArgSVMPointer(kernel, 0, trace));
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
  }
  EXPECT_TRUE(calls.order.empty());
  const cl_program handle = program;
  program.reset();
  ASSERT_TRUE(calls.wait_for(2));
  EXPECT_EQ((std::vector<int>{2, 1}), calls.order);
  EXPECT_EQ(handle, calls.told);
  std::vector<cl_int> seen = read_trace();
  seen.resize(4);
  EXPECT_EQ((std::vector<cl_int>{3, 3, 2, 1}), seen);
}

// Section 5.8.2: the handle that the callback gets is not valid any more, and is not reused for another object yet.
TEST_F(ProgramLife, TheHandleInACallbackIsNobodys) {
  using Seen = test::HandleInCallback<cl_program, test::Program>;
  Seen seen{[&](cl_program gone) {
              return std::vector{clGetProgramInfo(gone, CL_PROGRAM_CONTEXT, 0, nullptr, nullptr),
                                 clRetainProgram(gone), clReleaseProgram(gone),
                                 clSetProgramReleaseCallback(gone, Seen::look, &seen)};
            },
            [&] {
              const char* text = "";
              return test::Program(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
            }};
  test::Program program = create("");
  CL_OK(clSetProgramReleaseCallback(program, Seen::look, &seen));
  program.reset();
  seen.expect_nobodys(CL_INVALID_PROGRAM);
}

// Function-scope static objects that were constructed are destroyed too: in reverse order of construction, and before the program-scope
// objects, which were constructed earlier.
TEST_F(DestroyedObjects, StaticObjectsOfFunctionsAreDestroyed) {
  const std::string source = R"(
global int* trace;
struct Part {
  int number;
  Part(int n) : number(n) {}
  ~Part() { if (trace) { int at = ++trace[0]; trace[at] = number; } }
};
template <int n> int part() { static Part part(n); return part.number; }
struct Whole {
  int number;
  Whole(int n) : number(n + part<6>()) {}
  ~Whole() { if (trace) { int at = ++trace[0]; trace[at] = number + part<7>(); } }
};
int whole() { static Whole whole(10); static Part others[2] = {20, 30}; return whole.number + others[0].number; }
Part of_program(1);
int at_first = part<2>();
kernel void set(global int* out, int) { trace = out; }
kernel void construct(global int* out, int which) {
  int n = which == 3 ? part<3>() : which == 4 ? part<4>() : which == 5 ? part<5>() : whole();
  atomic_fetch_add((global atomic_int*)out + 15, n); })";
  const auto destroyed_after = [&](const std::vector<cl_int>& order) {
    clear_trace();
    test::Program program = build(source, "-cl-std=CLC++2021");
    EXPECT_EQ(CL_TRUE, static_cast<int>(flag(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)));
    Calls calls;
    Call call{&calls, 1};
    CL_EXPECT(CL_SUCCESS, clSetProgramReleaseCallback(program, note, &call));
    const auto run_on_trace = [&](const char* name, cl_int which) {
      const test::Kernel kernel = make_kernel(program, name);
      const std::size_t items = 100;
      CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, trace));
      set_argument(kernel, 1, which);
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    };
    run_on_trace("set", 0);
    for (const cl_int which : order) run_on_trace("construct", which);
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    program.reset();
    EXPECT_TRUE(calls.wait_for(1));
    const std::vector<cl_int> seen = read_trace();
    return std::vector<cl_int>(seen.begin() + 1, seen.begin() + 1 + std::min<cl_int>(seen[0], kPlaces - 1));
  };
  EXPECT_EQ((std::vector<cl_int>{2, 1}), destroyed_after({}));
  EXPECT_EQ((std::vector<cl_int>{5, 3, 4, 2, 1}), destroyed_after({4, 3, 4, 5}));
  EXPECT_EQ((std::vector<cl_int>{4, 5, 2, 1}), destroyed_after({5, 4}));
  // An object that a constructor used is destroyed after the object constructed; an object that a destructor constructs is destroyed next.
  EXPECT_EQ((std::vector<cl_int>{30, 20, 23, 7, 6, 3, 2, 1}), destroyed_after({3, 9}));
}

// Section 5.8.2: a released program is not destroyed before its running kernels have ended.
TEST_F(DestroyedObjects, ObjectsOutliveWhatRuns) {
  test::Program program = build(R"(
global int* trace;
struct Part { int number; ~Part() { if (trace) { int at = ++trace[0]; trace[at] = number; } } };
Part part{1};
kernel void k(global int* out, uint rounds) {
  trace = out;
  uint x = rounds;
  for (uint i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  int at = ++out[0];
  out[at] = 100 + (x == 1) + part.number;
})",
                                "-cl-std=CLC++");
  Calls calls;
  Call call{&calls, 1};
  CL_OK(clSetProgramReleaseCallback(program, note, &call));
  {
    const test::Kernel kernel = make_kernel(program, "k");
    const std::size_t one = 1;
    CL_OK(clSetKernelArgSVMPointer(kernel, 0, trace));
    set_argument(kernel, 1, cl_uint{20'000'000});
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    CL_OK(clFlush(queue));
  }
  program.reset();
  CL_OK(clFinish(queue));
  EXPECT_TRUE(calls.wait_for(1));
  std::vector<cl_int> seen = read_trace();
  seen.resize(3);
  EXPECT_EQ((std::vector<cl_int>{2, 101, 1}), seen);
}

TEST_F(ProgramLife, CallbacksNeedAProgramAndAFunction) {
  const test::Program program = create("");
  CL_EXPECT(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(nullptr, note, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetProgramReleaseCallback(program, nullptr, nullptr));
  const test::Program plain = build("kernel void k() {}");
  CL_EXPECT(CL_INVALID_OPERATION, clSetProgramReleaseCallback(plain, note, nullptr));
}

}  // namespace
