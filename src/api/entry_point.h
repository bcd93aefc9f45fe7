// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <new>
#include <utility>

#include "base/error.h"
#include "base/no_cancellation.h"
#include "runtime/object.h"

// The boundary between C and C++: exceptions in an entry point become its error code here and nowhere else.
//
//   cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return guarded(kernel, [&] { object_of<Kernel>(kernel).retain_api(); }); }
//   cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* name, cl_int* error) {
//     return created(error, program, [&] { return handle_of(*create_kernel(object_of<Program>(program), name)); });
//   }
#define CLCUDA_EXPORT __attribute__((visibility("default")))  // for the functions listed in icd/exports.map

namespace clcuda::api {

// The error code that reports a lack of device memory: CL_MEM_OBJECT_ALLOCATION_FAILURE for functions for which the specification lists it
// (they create memory objects or enqueue commands that use them), CL_OUT_OF_RESOURCES for all others.
enum class Shortage : bool { of_resources, of_memory_objects };

// The call that fails, for the log: the entry point, and the object that it was called on, if there is one.
struct Refused {
  const char* function;
  const char* kind = nullptr;
  const void* handle = nullptr;
};

constexpr const char* kind_of(cl_platform_id) { return "platform"; }
constexpr const char* kind_of(cl_device_id) { return "device"; }
constexpr const char* kind_of(cl_context) { return "context"; }
constexpr const char* kind_of(cl_command_queue) { return "queue"; }
constexpr const char* kind_of(cl_mem) { return "memory object"; }
constexpr const char* kind_of(cl_sampler) { return "sampler"; }
constexpr const char* kind_of(cl_program) { return "program"; }
constexpr const char* kind_of(cl_kernel) { return "kernel"; }
constexpr const char* kind_of(cl_event) { return "event"; }

// Logs the refusal and returns its code; called inside a catch block.
cl_int code_of_current_exception(const Refused& refused, Shortage shortage = Shortage::of_resources) noexcept;

// guarded() for what neither waits nor uses files or the driver, so that no thread can be cancelled in it, and what programs call between
// any two launches.
template <Shortage kShortage = Shortage::of_resources, class Body>
cl_int guarded_briefly(Body&& body, const Refused& refused) noexcept {
  try {
    std::forward<Body>(body)();
    return CL_SUCCESS;
  } catch (...) {
    return code_of_current_exception(refused, kShortage);
  }
}
template <class Handle, class Body>
cl_int guarded_briefly(Handle* object, Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  return guarded_briefly(std::forward<Body>(body), {function, kind_of(object), object});
}

// Calls `body`, and returns CL_SUCCESS or the code of what it throws. The other arguments, the names of the entry point and the object, are
// for the log and cost nothing while nothing is thrown.
template <Shortage kShortage = Shortage::of_resources, class Body>
cl_int guarded(Body&& body, const char* function = __builtin_FUNCTION(), const char* kind = nullptr,
               const void* handle = nullptr) noexcept {
  const NoCancellation none;
  return guarded_briefly<kShortage>(std::forward<Body>(body), {function, kind, handle});
}
template <Shortage kShortage = Shortage::of_resources, class Handle, class Body>
cl_int guarded(Handle* object, Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  return guarded<kShortage>(std::forward<Body>(body), function, kind_of(object), object);
}

// The same for functions that return a handle, or another value that is 0 on failure: returns the result of `body`, and writes the code to
// `error` unless it is null.
template <Shortage kShortage = Shortage::of_resources, class Body>
auto created(cl_int* error, Body&& body, const char* function = __builtin_FUNCTION(),
             const char* kind = nullptr, const void* handle = nullptr) noexcept -> decltype(body()) {
  const NoCancellation none;
  try {
    auto made = std::forward<Body>(body)();
    if (error) *error = CL_SUCCESS;
    return made;
  } catch (...) {
    const cl_int code = code_of_current_exception({function, kind, handle}, kShortage);
    if (error) *error = code;
    return {};
  }
}
template <Shortage kShortage = Shortage::of_resources, class Handle, class Body>
auto created(cl_int* error, Handle* object, Body&& body, const char* function = __builtin_FUNCTION()) noexcept
    -> decltype(body()) {
  return created<kShortage>(error, std::forward<Body>(body), function, kind_of(object), object);
}

// require(size > 0, CL_INVALID_BUFFER_SIZE, "the size is 0");  — a rule of the specification that must hold
inline void require(bool holds, cl_int code, const char* reason) {
  if (!holds) [[unlikely]]
    throw Error(code, reason);
}

}  // namespace clcuda::api
