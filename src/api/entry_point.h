// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <new>
#include <utility>

#include "base/error.h"
#include "runtime/object.h"

// The border between C and C++: what an entry point throws becomes its error code here and nowhere else.
//
//   cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return guarded([&] { object_of<Kernel>(kernel).retain_api(); }); }
//   cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* name, cl_int* error) {
//     return created(error, [&] { return handle_of(*object_of<Program>(program).create_kernel(name)); });
//   }
#define CLCUDA_EXPORT __attribute__((visibility("default")))  // for what icd/exports.map names

namespace clcuda::api {

// The code for memory that a device lacks: CL_MEM_OBJECT_ALLOCATION_FAILURE of functions for which the
// specification lists that, those that make memory objects or enqueue what uses them, CL_OUT_OF_RESOURCES of
// all others.
enum class Shortage : bool { of_resources, of_memory_objects };

// Logs the refusal and returns its code; called inside a catch block.
cl_int code_of_current_exception(Shortage shortage = Shortage::of_resources) noexcept;

template <Shortage kShortage = Shortage::of_resources, class Body>
cl_int guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return CL_SUCCESS;
  } catch (...) {
    return code_of_current_exception(kShortage);
  }
}

// `body` returns a handle (or another value whose zero means failure).
template <Shortage kShortage = Shortage::of_resources, class Body>
auto created(cl_int* error, Body&& body) noexcept -> decltype(body()) {
  try {
    auto handle = std::forward<Body>(body)();
    if (error) *error = CL_SUCCESS;
    return handle;
  } catch (...) {
    const cl_int code = code_of_current_exception(kShortage);
    if (error) *error = code;
    return {};
  }
}

// require(size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");  — a rule of the specification that must hold
inline void require(bool holds, cl_int code, const char* reason) {
  if (!holds) [[unlikely]]
    throw Error(code, reason);
}

}  // namespace clcuda::api
