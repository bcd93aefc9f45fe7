// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/platform.h"

#include <algorithm>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/version.h"
#include "runtime/platform/device_features.h"

namespace clcuda::api {
namespace {

void list_platforms(cl_uint count, cl_platform_id* platforms, cl_uint* available) {
  // Section 4.1: a list needs room for at least one, and at least one of the two results must be requested.
  require(platforms || available, CL_INVALID_VALUE, "neither platforms nor num_platforms is given");
  require(!platforms || count > 0, CL_INVALID_VALUE, "num_entries is 0 and platforms is given");
  const std::span<Platform* const> all = Platform::all();
  if (platforms)
    for (std::size_t i = 0; i < std::min<std::size_t>(count, all.size()); ++i)
      platforms[i] = handle_of(*all[i]);
  if (available) *available = static_cast<cl_uint>(all.size());
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clGetPlatformIDs(cl_uint count, cl_platform_id* platforms, cl_uint* available) {
  return guarded([&] { list_platforms(count, platforms, available); });
}

CLCUDA_EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id* platforms,
                                                        cl_uint* available) {
  // cl_khr_icd: unlike in clGetPlatformIDs, it is an error if there is no platform.
  return guarded([&] {
    list_platforms(count, platforms, available);
    require(!Platform::all().empty(), CL_PLATFORM_NOT_FOUND_KHR, "no device of ours on this machine");
  });
}

CLCUDA_EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id handle, cl_platform_info name, size_t size,
                                                   void* value, size_t* size_ret) {
  return guarded(handle, [&] {
    const Platform& platform = object_of<Platform>(handle);
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_PLATFORM_PROFILE:
        return out.string("FULL_PROFILE");
      case CL_PLATFORM_VERSION:
        return out.string(version_text());
      case CL_PLATFORM_NUMERIC_VERSION:
        return out.write<cl_version>(opencl_version());
      case CL_PLATFORM_NAME:
        return out.string(platform.name());
      case CL_PLATFORM_VENDOR:
        return out.string("clcuda");
      case CL_PLATFORM_EXTENSIONS:
        return out.string(names_of(platform_extensions(platform)));
      case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return out.array(platform_extensions(platform));
      case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return out.write<cl_ulong>(1);
      case CL_PLATFORM_ICD_SUFFIX_KHR:
        return out.string("CLCUDA");
      default:
        return out.unknown();
    }
  });
}

// Section 5.8.8.
cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id handle) {
  // Between builds, the compiler holds nothing that could be released.
  return guarded(handle, [&] { object_of<Platform>(handle); });
}

cl_int CL_API_CALL clUnloadCompiler() { return CL_SUCCESS; }
