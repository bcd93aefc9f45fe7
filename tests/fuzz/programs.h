// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/opencl.h"

// Programs of inputs, as an OpenCL application uses them.
namespace fuzz {

// On the CPU device: a GPU's driver would take what is made up of PTX, inside this process, by a program that
// is not ours.
inline cl_device_id device() {
  static const cl_device_id found = [] {
    setenv("CLCUDA_DEVICES", "cpu", 1);
    if (test::devices().empty()) std::abort();
    return test::devices().front();
  }();
  return found;
}

inline cl_context context() {
  static const test::Context made = [] {
    const cl_device_id one = device();
    test::Context created = clCreateContext(nullptr, 1, &one, nullptr, nullptr, nullptr);
    if (!created) std::abort();
    return created;
  }();
  return made;
}

// Asks a kernel all that it tells of its arguments, and sets them to values of all sizes.
inline void ask(cl_kernel kernel) {
  cl_uint count = 0;
  clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  std::vector<char> text(1 << 16);
  clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, text.size(), text.data(), nullptr);
  std::size_t sizes[3];
  clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, nullptr);
  clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof sizes, sizes, nullptr);
  const std::vector<std::byte> zeros(4096);
  for (cl_uint i = 0; i < std::min(count, 100u); ++i) {
    for (const cl_kernel_arg_info name : {CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_NAME})
      clGetKernelArgInfo(kernel, i, name, text.size(), text.data(), nullptr);
    for (const std::size_t size : {1, 4, 8, 16, 4096})
      if (clSetKernelArg(kernel, i, size, zeros.data()) == CL_SUCCESS) break;
  }
}

// Builds a program, asks it all, and lets it go. No kernel is launched: it may do anything.
inline void use(test::Program program, const std::string& options) {
  if (!program) return;
  const cl_device_id one = device();
  const bool is_built = clBuildProgram(program, 1, &one, options.c_str(), nullptr, nullptr) == CL_SUCCESS;
  std::vector<char> log(1 << 16);
  clGetProgramBuildInfo(program, one, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  if (!is_built) return;
  std::vector<cl_kernel> kernels(16);
  cl_uint count = 0;
  if (clCreateKernelsInProgram(program, static_cast<cl_uint>(kernels.size()), kernels.data(), &count) !=
      CL_SUCCESS)
    return;
  for (cl_uint i = 0; i < count; ++i) {
    const test::Kernel kernel = kernels[i];
    ask(kernel);
  }
}

inline test::Program program_of(const std::string& source) {
  const char* text = source.c_str();
  return clCreateProgramWithSource(context(), 1, &text, nullptr, nullptr);
}

}  // namespace fuzz
