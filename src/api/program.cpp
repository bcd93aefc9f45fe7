// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/program.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>

#include "api/device_list.h"
#include "api/entry_point.h"
#include "compiler/compiler.h"
#include "compiler/spirv/reader.h"

namespace clcuda::api {
namespace {

// Section 5.8.1: at least one string, and none of them null. Returns the strings as one text, without the null characters that a length may
// include (CL_PROGRAM_SOURCE).
std::string joined(cl_uint count, const char** strings, const size_t* lengths) {
  require(count > 0 && strings, CL_INVALID_VALUE, "no source strings are given");
  std::string text;
  for (cl_uint i = 0; i < count; ++i) {
    require(strings[i] != nullptr, CL_INVALID_VALUE, "a source string is null");
    const size_t length = lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]);
    text.append(strings[i], length);
  }
  std::erase(text, '\0');
  return text;
}

// Section 5.8.1: loads a binary, which must be clcuda's and run on the device. Returns CL_SUCCESS or the error.
cl_int load(const unsigned char* bytes, size_t length, const Device& device, Program::Compiled& compiled) {
  if (!bytes || length == 0) return CL_INVALID_VALUE;
  auto parsed = compiler::parse({reinterpret_cast<const char*>(bytes), length});
  if (!parsed || !compiler::runs_on(parsed->target, device.target())) return CL_INVALID_BINARY;
  compiled = std::make_shared<const compiler::CompiledProgram>(std::move(*parsed));
  return CL_SUCCESS;
}

std::vector<Device*> required_device_list(const Context& context, cl_uint count,
                                          const cl_device_id* handles) {
  require(handles && count > 0, CL_INVALID_VALUE, "no devices are given");
  return device_list(count, handles, context.devices());
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_program CL_API_CALL clCreateProgramWithSource(cl_context handle, cl_uint count, const char** strings,
                                                 const size_t* lengths, cl_int* error) {
  return created(error, handle, [&] {
    Context& context = object_of<Context>(handle);
    return handle_of(*new Program(context, joined(count, strings, lengths)));
  });
}

// Section 5.8.1: a binary for each device of a list without repetitions; the error of each binary is its status.
cl_program CL_API_CALL clCreateProgramWithBinary(cl_context handle, cl_uint count,
                                                 const cl_device_id* devices, const size_t* lengths,
                                                 const unsigned char** binaries, cl_int* status,
                                                 cl_int* error) {
  return created(error, handle, [&] {
    Context& context = object_of<Context>(handle);
    const std::vector<Device*> list = required_device_list(context, count, devices);
    require(lengths && binaries, CL_INVALID_VALUE, "no binaries are given");
    require(list.size() == count, CL_INVALID_DEVICE, "a device is given twice");
    std::vector<Program::Compiled> compiled(count);
    cl_int worst = CL_SUCCESS;
    for (cl_uint i = 0; i < count; ++i) {
      const cl_int code = load(binaries[i], lengths[i], *list[i], compiled[i]);
      if (status) status[i] = code;
      if (worst == CL_SUCCESS) worst = code;
    }
    require(worst == CL_SUCCESS, worst, "a program binary is missing, damaged or of another kind of device");
    return handle_of(*new Program(context, list, compiled));
  });
}

// Section 5.8.1: no device has built-in kernels.
cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context handle, cl_uint count,
                                                         const cl_device_id* devices, const char* names,
                                                         cl_int* error) {
  return created(error, handle, [&]() -> cl_program {
    required_device_list(object_of<Context>(handle), count, devices);
    require(names != nullptr, CL_INVALID_VALUE, "kernel_names is null");
    throw Error(CL_INVALID_VALUE, "the devices have no built-in kernels");
  });
}

// Section 5.8.1: SPIR-V, which every device accepts. Only its header and the division into instructions are checked here.
cl_program CL_API_CALL clCreateProgramWithIL(cl_context handle, const void* il, size_t length,
                                             cl_int* error) {
  return created(error, handle, [&] {
    Context& context = object_of<Context>(handle);
    require(il && length > 0, CL_INVALID_VALUE, "no intermediate language is given");
    std::string module(static_cast<const char*>(il), length), problem;
    auto summary = compiler::spirv::summarize(module, problem);
    require(summary.has_value(), CL_INVALID_VALUE, problem.c_str());
    return handle_of(*new Program(context, std::move(module), std::move(summary->constants)));
  });
}

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context handle, const void* il, size_t length,
                                                cl_int* error) {
  return clCreateProgramWithIL(handle, il, length, error);
}

cl_int CL_API_CALL clRetainProgram(cl_program handle) {
  return guarded(handle, [&] { object_of<Program>(handle).retain_api(); });
}

cl_int CL_API_CALL clReleaseProgram(cl_program handle) {
  return guarded(handle, [&] {
    require(object_of<Program>(handle).release_api(), CL_INVALID_PROGRAM,
            "released more often than retained");
  });
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program handle,
                                               void(CL_CALLBACK* function)(cl_program, void*), void* user) {
  return guarded(handle, [&] {
    Program& program = object_of<Program>(handle);
    require(function, CL_INVALID_VALUE, "no callback");
    // Section 5.8.1: an error if there is nothing to clean up, as in a program that was built and has no destructors.
    require(program.executables().empty() || program.has_finalizer(), CL_INVALID_OPERATION,
            "the program has no destructors");
    program.release_callbacks().add(function, user);
  });
}

// Section 5.8.3: the program is of an intermediate language and has the constant; the value has that constant's size.
cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program handle, cl_uint id, size_t size,
                                                      const void* value) {
  return guarded(handle, [&] {
    Program& program = object_of<Program>(handle);
    require(program.origin() == Program::Origin::il, CL_INVALID_PROGRAM,
            "the program was not created from an intermediate language");
    program.specialize(id, {static_cast<const char*>(value), value ? size : 0});
  });
}
