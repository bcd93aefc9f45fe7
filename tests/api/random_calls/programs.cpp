// SPDX-License-Identifier: Apache-2.0
// Functions on programs and kernels.
#include <string>

#include "api/random_calls/call.h"
#include "api/random_calls/callbacks.h"

namespace test {
namespace {

// Build options, valid or not.
std::string options() {
  std::string all;
  while (!Arguments::once_in(2)) {
    all += Arguments::one_of<const char*>({"-cl-std=CL3.0",
                                           "-cl-std=CL",
                                           "-D",
                                           "A=1",
                                           "-DB",
                                           "\"",
                                           "'",
                                           "-I",
                                           "/nowhere",
                                           "-w",
                                           "-Werror",
                                           "-create-library",
                                           "-cl-opt-disable",
                                           "-x",
                                           "spir",
                                           "-cl-",
                                           "-cl-kernel-arg-info",
                                           "-cl-nv-maxrregcount=0",
                                           "\\",
                                           "-g",
                                           "\t",
                                           "\xff"});
    all += ' ';
  }
  return all;
}

// With a callback, the build is asynchronous, concurrent with the following calls.
using Notice = void(CL_CALLBACK*)(cl_program, void*);
Notice notice() { return Arguments::once_in(3) ? after_build : nullptr; }

cl_int set_argument(Arguments& any) {
  alignas(16) std::array<std::byte, 128> value{};
  void* handle = nullptr;
  switch (Arguments::below(5)) {
    case 0:
      handle = any.handle<cl_mem>();
      break;
    case 1:
      handle = any.handle<cl_sampler>();
      break;
    case 2:
      handle = any.handle<cl_command_queue>();
      break;
    default:
      handle = any.handle<cl_mem>();
  }
  std::memcpy(value.data(), &handle, sizeof handle);
  const std::size_t size =
      Arguments::once_in(8) ? Arguments::size() : Arguments::one_of<std::size_t>({4, 8, 8, 8, 16});
  return clSetKernelArg(any.handle<cl_kernel>(), Arguments::number() % 6, size,
                        Arguments::once_in(5) ? nullptr : value.data());
}

// Sets each argument of a kernel, mostly to valid values, so that launches succeed.
cl_int set_all_arguments(Arguments& any) {
  for (int i = 0; i < 60; ++i) set_argument(any);
  return CL_SUCCESS;
}

const Call kCalls[] = {
    {"clBuildProgram",
     [](Arguments& any) {
       if (!Arguments::once_in(20)) return CL_SUCCESS;
       const auto devices = any.handles<cl_device_id>();
       return clBuildProgram(any.handle<cl_program>(), static_cast<cl_uint>(devices.size()),
                             devices.empty() ? nullptr : devices.data(), options().c_str(), notice(),
                             nullptr);
     }},
    {"clCompileProgram",
     [](Arguments& any) {
       if (!Arguments::once_in(20)) return CL_SUCCESS;
       const auto headers = any.handles<cl_program>();
       std::vector<const char*> names(headers.size(), "nothing");
       const bool some = !headers.empty();
       return clCompileProgram(any.handle<cl_program>(), 0, nullptr, options().c_str(),
                               static_cast<cl_uint>(headers.size()), some ? headers.data() : nullptr,
                               some ? names.data() : nullptr, notice(), nullptr);
     }},
    {"clLinkProgram",
     [](Arguments& any) {
       if (!Arguments::once_in(20)) return CL_SUCCESS;
       const auto inputs = any.handles<cl_program>();
       cl_int error = 1;
       any.add(clLinkProgram(any.handle<cl_context>(), 0, nullptr,
                             Arguments::once_in(2) ? nullptr : options().c_str(),
                             static_cast<cl_uint>(inputs.size()), inputs.data(), notice(), nullptr, &error));
       return error;
     }},
    {"clSetProgramSpecializationConstant",
     [](Arguments& any) {
       return clSetProgramSpecializationConstant(
           any.handle<cl_program>(), Arguments::once_in(2) ? 1 : Arguments::number(),
           Arguments::once_in(2) ? sizeof(cl_uint) : Arguments::small_size(), Arguments::value());
     }},
    {"clSetProgramReleaseCallback",
     [](Arguments& any) {
       return clSetProgramReleaseCallback(any.handle<cl_program>(), after_release, nullptr);
     }},
    {"clSetKernelArg", set_argument},
    {"clSetKernelArg", set_all_arguments},
    {"clSetKernelArgSVMPointer",
     [](Arguments& any) {
       return clSetKernelArgSVMPointer(any.handle<cl_kernel>(), Arguments::number() % 6,
                                       any.shared_for_kernel());
     }},
    {"clSetKernelExecInfo",
     [](Arguments& any) {
       void* const pointers[] = {any.shared(), any.shared()};
       return clSetKernelExecInfo(
           any.handle<cl_kernel>(), CL_KERNEL_EXEC_INFO_SVM_PTRS + Arguments::number() % 3,
           Arguments::one_of<std::size_t>({0, 4, 8, 16}), Arguments::once_in(9) ? nullptr : pointers);
     }},
};

}  // namespace

std::span<const Call> program_calls() { return kCalls; }

}  // namespace test
