// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "api/device_list.h"
#include "api/entry_point.h"
#include "runtime/program/program.h"

namespace clcuda::api {
namespace {

using Notify = void(CL_CALLBACK*)(cl_program, void*);

// Sections 5.8.4 and 5.8.5: user_data is given only with a callback.
Program::Completion completion(Notify notify, void* user) {
  require(notify || !user, CL_INVALID_VALUE, "user_data is given without pfn_notify");
  return {notify, user};
}

// Section 5.8.5: as many names as programs, all of which were created from source.
std::vector<Program::EmbeddedHeader> embedded_headers(const Context& context, cl_uint count,
                                                      const cl_program* programs, const char** names) {
  require((count > 0) == (programs != nullptr) && (count > 0) == (names != nullptr), CL_INVALID_VALUE,
          "num_input_headers, input_headers and header_include_names contradict each other");
  std::vector<Program::EmbeddedHeader> headers;
  for (cl_uint i = 0; i < count; ++i) {
    Program& program = object_of<Program>(programs[i]);
    require(&program.context() == &context, CL_INVALID_CONTEXT, "a header belongs to another context");
    require(names[i] != nullptr, CL_INVALID_VALUE, "a header's name is null");
    require(program.origin() == Program::Origin::source, CL_INVALID_PROGRAM,
            "a header was not created from source");
    headers.push_back({names[i], Ref<Program>(program)});
  }
  return headers;
}

// Section 5.8.5: a failed link still returns the program, whose build log gives the reason; other errors return none.
cl_program link(Context& context, cl_uint device_count, const cl_device_id* devices, const char* options,
                cl_uint count, const cl_program* programs, Program::Completion completion, cl_int* error) {
  require(programs && count > 0, CL_INVALID_VALUE, "no input programs are given");
  const std::vector<Device*> list = device_list(device_count, devices, context.devices());
  std::vector<Ref<Program>> inputs;
  for (cl_uint i = 0; i < count; ++i) {
    Program& input = object_of<Program>(programs[i]);
    require(&input.context() == &context, CL_INVALID_CONTEXT, "an input program belongs to another context");
    inputs.emplace_back(input);
  }
  auto* program = new Program(context, list);
  try {
    program->link(list, options ? options : "", inputs, completion);
  } catch (const Error& reason) {
    if (reason.code() != CL_LINK_PROGRAM_FAILURE) {
      program->release_api();
      throw;
    }
    if (error) *error = code_of_current_exception({"clLinkProgram", "context", handle_of(context)});
  } catch (...) {
    program->release_api();
    throw;
  }
  return handle_of(*program);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clBuildProgram(cl_program handle, cl_uint count, const cl_device_id* devices,
                                  const char* options, Notify notify, void* user) {
  return guarded(handle, [&] {
    Program& program = object_of<Program>(handle);
    const Program::Completion told = completion(notify, user);
    program.build(device_list(count, devices, program.devices()), options, told);
  });
}

cl_int CL_API_CALL clCompileProgram(cl_program handle, cl_uint count, const cl_device_id* devices,
                                    const char* options, cl_uint header_count, const cl_program* headers,
                                    const char** names, Notify notify, void* user) {
  return guarded(handle, [&] {
    Program& program = object_of<Program>(handle);
    const Program::Completion told = completion(notify, user);
    const std::vector<Device*> list = device_list(count, devices, program.devices());
    // Section 5.8.5: headers are ignored for a program in an intermediate language.
    const bool takes_headers = program.origin() != Program::Origin::il;
    program.compile(list, options ? options : "",
                    takes_headers ? embedded_headers(program.context(), header_count, headers, names)
                                  : std::vector<Program::EmbeddedHeader>(),
                    told);
  });
}

cl_program CL_API_CALL clLinkProgram(cl_context handle, cl_uint device_count, const cl_device_id* devices,
                                     const char* options, cl_uint count, const cl_program* programs,
                                     Notify notify, void* user, cl_int* error) {
  cl_int failure = CL_SUCCESS;
  const cl_program program = created(error, handle, [&] {
    return link(object_of<Context>(handle), device_count, devices, options, count, programs,
                completion(notify, user), &failure);
  });
  if (error && failure != CL_SUCCESS) *error = failure;
  return program;
}
