// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/array.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/texel_resource.h"
#include "ptx/executor/texel_objects.h"

namespace clcuda::ptx::driver {

CUresult cuSurfObjectCreate(CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
  return entry([&] {
    Context& context = current_context();
    CUsurfObject& out = required(handle);
    require(required(resource).resType == CU_RESOURCE_TYPE_ARRAY);
    // Surface objects need an array that was created for them.
    const Ref<Array> array = object_of<Array>(resource->res.array.hArray);
    require(array->descriptor().Flags & CUDA_ARRAY3D_SURFACE_LDST);
    out = add_surface(checked_resource(*resource), &context);
    return CUDA_SUCCESS;
  });
}

// Does not wait: kernels in flight can still use the surface.
CUresult cuSurfObjectDestroy(CUsurfObject handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    require(remove_surface(handle));
    return current.status();
  });
}

}  // namespace clcuda::ptx::driver
