// SPDX-License-Identifier: Apache-2.0
#include "api/entry_point.h"

#include <string>

#include "api/header_names.h"
#include "base/log.h"

namespace clcuda::api {
namespace {

// "clGetKernelInfo of kernel 0x7f3a8c000040 refused with -30 (CL_INVALID_VALUE): unknown query CL_KERNEL_… (0x1196)"
cl_int logged(const Refused& refused, cl_int code, const char* reason) noexcept {
  if (!log::enabled(log::Level::info)) return code;
  try {
    const std::string object = refused.kind ? fmt::format(" of {} {}", refused.kind, refused.handle) : "";
    log::info("{}{} refused with {}: {}", refused.function, object, code_text(code), reason);
  } catch (...) {
    // No memory for the message; the code is returned anyway.
  }
  return code;
}

}  // namespace

cl_int code_of_current_exception(const Refused& refused, Shortage shortage) noexcept {
  const NoCancellation none;  // the log is written to files
  try {
    throw;
  } catch (const Error& error) {
    const bool unlisted =
        error.code() == CL_MEM_OBJECT_ALLOCATION_FAILURE && shortage == Shortage::of_resources;
    return logged(refused, unlisted ? CL_OUT_OF_RESOURCES : error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return logged(refused, CL_OUT_OF_HOST_MEMORY, "out of memory");
  } catch (const std::length_error& error) {  // a size that no container can have
    return logged(refused, CL_OUT_OF_HOST_MEMORY, error.what());
  } catch (const std::exception& error) {
    return logged(refused, CL_OUT_OF_RESOURCES, error.what());
  } catch (...) {
    return logged(refused, CL_OUT_OF_RESOURCES, "unknown exception");
  }
}

}  // namespace clcuda::api
