// SPDX-License-Identifier: Apache-2.0
// The symbols that the library exports (exports.map), and the look-up by which a loader finds all other functions.
#include <CL/cl_clcuda.h>

#include <cstring>

#include "api/entry_point.h"
#include "base/trace/start.h"
#include "base/trace/trace.h"
#include "icd2.h"
#include "runtime/extension_definitions.h"
#include "runtime/platform/platform.h"
#include "traced_call.h"

namespace clcuda {
namespace {

struct NamedFunction {
  const char* name;
  void* address;
  void* traced;
};

const NamedFunction kFunctions[] = {
#define FUNCTION(name) \
  {#name, reinterpret_cast<void*>(&::name), reinterpret_cast<void*>(&TracedCall<#name, &::name>::call)},
#define TAGGED(name) FUNCTION(name)
#define RECENT(name) FUNCTION(name)
#define ABSENT(name)
#define EXTENSION(name) FUNCTION(name)
#include "functions.def"
#undef FUNCTION
#undef TAGGED
#undef RECENT
#undef ABSENT
#undef EXTENSION
};

void* address_of(const char* name) {
  if (!name) return nullptr;
  trace::start();
  for (const NamedFunction& function : kFunctions)
    if (std::strcmp(function.name, name) == 0) return trace::active() ? function.traced : function.address;
  return nullptr;
}

}  // namespace
}  // namespace clcuda

using namespace clcuda;

CLCUDA_EXPORT void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) { return address_of(name); }

void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* name) {
  return find_object(platform, ObjectType::platform) ? address_of(name) : nullptr;
}

CLCUDA_EXPORT void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                                      const char* name) {
  return clGetExtensionFunctionAddressForPlatform(platform, name);
}

CLCUDA_EXPORT cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* data) {
  return api::guarded([&] { object_of<Platform>(platform).set_dispatch_data(data); });
}
