// SPDX-License-Identifier: Apache-2.0
#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "checks.h"
#include "child.h"

namespace clcuda::doctor {
namespace {

// The loader's functions, called as by a program that links it.
struct OpenCl {
#define FUNCTION(name) decltype(&::name) name = nullptr;
#include "opencl_functions.def"
#undef FUNCTION

  bool load() {
    void* handle = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    bool all = true;
#define FUNCTION(function)                                                        \
  function = reinterpret_cast<decltype(&::function)>(::dlsym(handle, #function)); \
  all = all && function;
#include "opencl_functions.def"
#undef FUNCTION
    return all;
  }
};

struct Failure {
  std::string text;
};

void must(cl_int code, const char* function) {
  if (code != CL_SUCCESS) throw Failure{fmt::format("{} returned {}", function, code)};
}

constexpr char kSource[] =
    "kernel void add(global const int* a, global int* b) { size_t i = get_global_id(0); b[i] += 3 * a[i]; }";
constexpr std::size_t kCount = 1 << 12;

std::string build_log(const OpenCl& cl, cl_program program, cl_device_id device) {
  std::string log(400, '\0');
  cl.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
  return log.c_str();
}

// Builds and runs a kernel. Returns whether its results are right. Its objects are released when the process ends.
bool run_kernel(const OpenCl& cl, cl_device_id device) {
  cl_int code = CL_SUCCESS;
  cl_context context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  must(code, "clCreateContext");
  cl_command_queue queue = cl.clCreateCommandQueue(context, device, 0, &code);
  must(code, "clCreateCommandQueue");
  const char* source = kSource;
  cl_program program = cl.clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  must(code, "clCreateProgramWithSource");
  if ((code = cl.clBuildProgram(program, 1, &device, "", nullptr, nullptr)) != CL_SUCCESS)
    throw Failure{fmt::format("clBuildProgram returned {}: {}", code, build_log(cl, program, device))};
  cl_kernel kernel = cl.clCreateKernel(program, "add", &code);
  must(code, "clCreateKernel");
  std::vector<cl_int> a(kCount), b(kCount, 5);
  std::iota(a.begin(), a.end(), 0);
  cl_mem buffers[2] = {};
  for (int i = 0; i < 2; ++i) {
    buffers[i] =
        cl.clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kCount * sizeof(cl_int), (i ? b : a).data(), &code);
    must(code, "clCreateBuffer");
    must(cl.clSetKernelArg(kernel, static_cast<cl_uint>(i), sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
  }
  must(cl.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr),
       "clEnqueueNDRangeKernel");
  must(cl.clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, kCount * sizeof(cl_int), b.data(), 0, nullptr,
                              nullptr),
       "clEnqueueReadBuffer");
  for (std::size_t i = 0; i < kCount; ++i)
    if (b[i] != 5 + 3 * a[i]) return false;
  return true;
}

void try_device(const OpenCl& cl, cl_device_id device, const ReportWriter& writer) {
  char name[256] = "";
  cl.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
  writer.write("trying", name);
  const auto begin = std::chrono::steady_clock::now();
  try {
    if (!run_kernel(cl, device)) return writer.write("wrong", name);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    writer.write("right", name, fmt::format("{:.0f}", time.count()));
  } catch (const Failure& failure) {
    writer.write("fails", name, failure.text);
  }
}

void try_platform(const OpenCl& cl, cl_platform_id platform, const std::string& name,
                  const ReportWriter& writer) {
  cl_uint count = 0;
  if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0)
    return writer.write("empty", name);
  std::vector<cl_device_id> devices(count);
  cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
  for (cl_device_id device : devices) try_device(cl, device, writer);
}

void run_program(const ReportWriter& writer) {
  OpenCl cl;
  if (!cl.load()) return writer.write("no loader", "");
  cl_uint count = 0;
  cl.clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) cl.clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    char name[256] = "";
    cl.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
    writer.write("platform", name);
    if (std::string_view(name).starts_with("clcuda")) try_platform(cl, platform, name, writer);
  }
}

void report_platforms(const ChildReport& child, Report& report) {
  std::vector<std::string> all, ours;
  for (const auto& line : child.lines) {
    if (line[0] != "platform") continue;
    all.push_back(line.back());
    if (!line.back().starts_with("clcuda")) continue;
    if (std::ranges::find(ours, line.back()) != ours.end()) report.add(Finding::run_twice, line.back());
    ours.push_back(line.back());
  }
  if (ours.empty())
    report.add(Finding::run_no_platform,
               all.empty() ? "nor any other" : fmt::format("{}", fmt::join(all, ", ")));
  else if (all.front() != ours.front())
    report.add(Finding::run_not_first, all.front());
}

void report_devices(const ChildReport& child, Report& report) {
  for (const auto& line : child.lines) {
    if (line[0] == "right")
      report.ok("run", "{}: a kernel was built and ran, {} ms in all", line[1], line[2]);
    else if (line[0] == "wrong")
      report.add(Finding::run_wrong, line[1]);
    else if (line[0] == "fails")
      report.add(Finding::run_fails, line[1], line[2]);
    else if (line[0] == "empty")
      report.add(Finding::run_no_device, line[1]);
  }
}

}  // namespace

void check_run(const Machine&, Report& report) {
  // A CPU device on a slow machine needs a few seconds for its first program.
  constexpr std::chrono::seconds kLimit{120};
  const ChildReport child = ask_child(kLimit, run_program);
  report_devices(child, report);
  if (child.end != ChildReport::End::well) {
    report.add(Finding::run_crashes, child.how + (child.errors.empty() ? "" : ": " + child.errors));
  } else if (!child.find("no loader")) {
    report_platforms(child, report);
  }
}

}  // namespace clcuda::doctor
