// SPDX-License-Identifier: Apache-2.0
#include "api/random_calls/caller.h"

#include <CL/cl_ext.h>

#include <cstdio>
#include <cstdlib>
#include <map>

namespace test {
namespace {

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
  for (const auto some :
       {creations(), program_calls(), commands(), synchronizations(), queries(), pointer_calls()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

cl_command_queue make_queue(cl_context context, cl_device_id device, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  return clCreateCommandQueueWithProperties(context, device, list, nullptr);
}

}  // namespace

Caller::Caller(cl_context context, cl_device_id device)
    : context_(context),
      device_(device),
      trace_(std::getenv("CLCUDA_TEST_TRACE") != nullptr),
      table_(all_calls()),
      queue_(make_queue(context, device, 0)) {
  populate();
}

std::string Caller::call() {
  const Call& call = table_[Arguments::below(table_.size())];
  if (trace_) std::fprintf(stderr, "%s", call.name);
  const cl_int code = call.make(any_);
  if (trace_) std::fprintf(stderr, " %d\n", code);
  if (any_.crowded()) {
    any_.release_all();
    populate();
  }
  return documented(call.name, code) ? "" : std::string(call.name) + " gives " + error_name(code);
}

void Caller::populate() {
  any_.add(device_);
  cl_platform_id platform = nullptr;
  CL_OK(clGetDeviceInfo(device_, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  any_.add(platform);
  CL_OK(clRetainContext(context_));
  any_.add(context_);
  add_queues();
  add_memory();
  any_.add(clCreateSampler(context_, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr));
  add_programs();
  const cl_event user = clCreateUserEvent(context_, nullptr);
  any_.opened(user);
  any_.add(user);
  cl_event marker = nullptr;
  CL_OK(clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &marker));
  any_.add(marker);
}

void Caller::add_queues() {
  for (const cl_command_queue_properties properties :
       {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE})
    any_.add(make_queue(context_, device_, properties));
}

void Caller::add_memory() {
  for (const std::size_t size : {1, 4096, 65536})
    any_.add(clCreateBuffer(context_, 0, size, nullptr, nullptr));
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  any_.add(clCreateImage2D(context_, 0, &format, 32, 32, 0, nullptr, nullptr));
  any_.add(clCreateImage3D(context_, 0, &format, 16, 16, 4, 0, 0, nullptr, nullptr));
  any_.add(clCreatePipe(context_, 0, sizeof(cl_int), 64, nullptr, nullptr));
  any_.add_shared(context_, clSVMAlloc(context_, CL_MEM_READ_WRITE, 4096, 0));
}

// A random call may have released the caller's own program.
void Caller::add_programs() {
  if (clRetainProgram(program_) != CL_SUCCESS) {
    program_ = created(kSource);
    CL_OK(clBuildProgram(program_, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr));
    CL_OK(clRetainProgram(program_));
  }
  any_.add(program_.get());
  for (const char* name : {"plain", "images", "channels"}) any_.add(clCreateKernel(program_, name, nullptr));
  const auto add = [this](const Program& made) {
    CL_OK(clRetainProgram(made));
    any_.add(made.get());
  };
  add(created("kernel void plain(global int* a) {}"));
  // Programs that can be linked.
  for (const char* text : {"int f(int a) { return a; }",
                           "extern int f(int); kernel void plain(global int* a) { if (get_global_size(0) == "
                           "77777777) *a = f(1); }"}) {
    const Program object = created(text);
    CL_OK(clCompileProgram(object, 1, &device_, "", 0, nullptr, nullptr, nullptr, nullptr));
    add(object);
  }
}

Program Caller::created(const char* text) const {
  cl_int error = CL_SUCCESS;
  Program program = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return program;
}

}  // namespace test
