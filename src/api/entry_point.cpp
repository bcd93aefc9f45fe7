// SPDX-License-Identifier: Apache-2.0
#include "api/entry_point.h"

#include "base/log.h"

namespace clcuda::api {
namespace {

cl_int logged(cl_int code, const char* reason) noexcept {
  try {
    log::info("refused with {}: {}", code, reason);
  } catch (...) {
    // No memory to say so: the code is what counts.
  }
  return code;
}

}  // namespace

cl_int code_of_current_exception(Shortage shortage) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    const bool unlisted =
        error.code() == CL_MEM_OBJECT_ALLOCATION_FAILURE && shortage == Shortage::of_resources;
    return logged(unlisted ? CL_OUT_OF_RESOURCES : error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return logged(CL_OUT_OF_HOST_MEMORY, "out of memory");
  } catch (const std::length_error& error) {  // a size that no container can have
    return logged(CL_OUT_OF_HOST_MEMORY, error.what());
  } catch (const std::exception& error) {
    return logged(CL_OUT_OF_RESOURCES, error.what());
  } catch (...) {
    return logged(CL_OUT_OF_RESOURCES, "unknown exception");
  }
}

}  // namespace clcuda::api
