// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/array.h"

#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::driver {

CUresult cuArray3DCreate(CUarray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  return entry([&] {
    Context& context = current_context();
    CUarray& out = required(handle);
    out = handle_from<CUarray>(handles<Array>().add(Array::create(context, required(descriptor))));
    return CUDA_SUCCESS;
  });
}

// Waits for the work of the array's context, which may use it.
CUresult cuArrayDestroy(CUarray handle) {
  return entry([&] {
    const Ref<Array> array = object_of<Array>(handle);
    require(array->owns_memory(), CUDA_ERROR_INVALID_HANDLE);  // freed with the mipmapped array
    if (CUresult error = array->context().synchronize(StreamSet::all)) return error;
    require(static_cast<bool>(handles<Array>().remove(number(handle))), CUDA_ERROR_INVALID_HANDLE);
    return CUDA_SUCCESS;
  });
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray handle) {
  return entry([&] {
    const Ref<Array> array = object_of<Array>(handle);
    required(descriptor) = array->descriptor();
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
