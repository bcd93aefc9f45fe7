// SPDX-License-Identifier: Apache-2.0
// Any function with any arguments: handles of every kind, dead ones and foreign ones; sizes, flags and names from everywhere. Whatever
// comes, the answer is a code that the specification has for the function, and the process goes on. CLCUDA_TEST_SEED repeats a run (as
// far as threads allow), CLCUDA_TEST_SECONDS makes it longer, CLCUDA_TEST_TRACE says each call before it is made.
#include <CL/cl_ext.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "api/random_calls/call.h"
#include "support/programs.h"
#include "support/sanitized.h"

namespace {

using test::Arguments;
using test::Call;

constexpr const char* kSource =
    "kernel void plain(global int* a, local int* b, constant int* c, int d, float4 e) {\n"
    "  if (get_global_size(0) == 77777777) a[0] = b[0] + c[0] + d + e.x;\n"
    "}\n"
    "kernel void images(read_only image2d_t i, write_only image2d_t o, sampler_t s, read_only image3d_t v) "
    "{\n"
    "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(o, at, read_imagef(i, s, at) + read_imagef(v, s, (int4)(at, 0, 0)));\n"
    "}\n"
    "kernel void channels(read_only pipe int p, queue_t q, read_write image1d_array_t i) {\n"
    "  int packet = 0;\n"
    "  read_pipe(p, &packet);\n"
    "  write_imageui(i, (int2)(packet, 0), read_imageui(i, (int2)(0, packet)));\n"
    "}\n";

const std::map<std::string, std::vector<cl_int>>& documented_codes() {
  static const std::map<std::string, std::vector<cl_int>> codes = {
#define DOCUMENTED(function, ...) {#function, {__VA_ARGS__}},
#include "api/random_calls/documented_codes.def"
#undef DOCUMENTED
  };
  return codes;
}

bool documented(const char* function, cl_int code) {
  if (code == CL_SUCCESS || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY) return true;
  const auto codes = documented_codes().find(function);
  return codes != documented_codes().end() && std::ranges::count(codes->second, code) != 0;
}

std::vector<Call> all_calls() {
  std::vector<Call> all;
  for (const auto some : {test::creations(), test::program_calls(), test::commands(),
                          test::synchronizations(), test::queries()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

class RandomCalls : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    if (HasFatalFailure()) return;
    program = build(kSource);
    populate();
  }
  // An object of each kind, without which no call would get anywhere.
  void populate() {
    any.add(device);
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    any.add(platform);
    CL_OK(clRetainContext(context));
    any.add(context.get());
    add_queues();
    add_memory();
    any.add(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr));
    add_programs();
    const cl_event user = clCreateUserEvent(context, nullptr);
    any.opened(user);
    any.add(user);
    cl_event marker = nullptr;
    CL_OK(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker));
    any.add(marker);
  }
  void add_queues() {
    for (const cl_command_queue_properties properties :
         {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE}) {
      const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
      any.add(clCreateCommandQueueWithProperties(context, device, list, nullptr));
    }
  }
  void add_memory() {
    for (const std::size_t size : {1, 4096, 65536})
      any.add(clCreateBuffer(context, 0, size, nullptr, nullptr));
    const cl_image_format format{CL_RGBA, CL_FLOAT};
    any.add(clCreateImage2D(context, 0, &format, 32, 32, 0, nullptr, nullptr));
    any.add(clCreateImage3D(context, 0, &format, 16, 16, 4, 0, 0, nullptr, nullptr));
    any.add(clCreatePipe(context, 0, sizeof(cl_int), 64, nullptr, nullptr));
    any.add_shared(context, clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0));
  }
  // Any call may have released the test's own program.
  void add_programs() {
    if (clRetainProgram(program) != CL_SUCCESS) program = build(kSource);
    any.add(program.get());
    for (const char* name : {"plain", "images", "channels"}) any.add(clCreateKernel(program, name, nullptr));
    const char* text = "kernel void plain(global int* a) {}";
    any.add(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
    // What can be linked.
    for (const char* object :
         {"int f(int a) { return a; }", "extern int f(int); kernel void plain(global int* a) { *a = f(1); }"})
      add_program(compiled(object));
  }
  void add_program(const test::Program& made) {
    CL_OK(clRetainProgram(made));
    any.add(made.get());
  }

  test::Program program;
  Arguments any;
};

TEST_F(RandomCalls, AnswerWithADocumentedCode) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const std::chrono::seconds time(wanted ? std::atoi(wanted) : 5);
  const bool trace = std::getenv("CLCUDA_TEST_TRACE") != nullptr;
  const std::vector<Call> table = all_calls();
  const auto begin = std::chrono::steady_clock::now();
  std::set<std::string> odd;
  int calls = 0;
  for (; !HasFailure() && std::chrono::steady_clock::now() - begin < time; ++calls) {
    const Call& call = table[Arguments::below(table.size())];
    if (trace) std::fprintf(stderr, "%s", call.name);
    const cl_int code = call.make(any);
    if (trace) std::fprintf(stderr, " %d\n", code);
    if (!documented(call.name, code)) odd.insert(std::string(call.name) + " gives " + test::error_name(code));
    if (any.crowded()) {
      any.release_all();
      populate();
    }
  }
  EXPECT_EQ(std::set<std::string>(), odd);
  RecordProperty("calls", calls);
  EXPECT_GT(calls, 100);
}

}  // namespace
