// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/mipmapped_array.h"

#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::driver {

CUresult cuMipmappedArrayCreate(CUmipmappedArray* handle, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                unsigned levels) {
  return entry([&] {
    Context& context = current_context();
    CUmipmappedArray& out = required(handle);
    out = handle_from<CUmipmappedArray>(handles<MipmappedArray>().add(
        Ref<MipmappedArray>::adopt(new MipmappedArray(context, required(descriptor), levels))));
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray handle, unsigned index) {
  return entry([&] {
    const Ref<MipmappedArray> array = object_of<MipmappedArray>(handle);
    CUarray& out = required(level);
    require(index < array->levels().size());
    out = handle_from<CUarray>(array->levels()[index]);
    return CUDA_SUCCESS;
  });
}

// Waits for the work of the array's context, which may use it.
CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  return entry([&] {
    const Ref<MipmappedArray> array = object_of<MipmappedArray>(handle);
    if (CUresult error = array->context().synchronize(StreamSet::all)) return error;
    require(static_cast<bool>(handles<MipmappedArray>().remove(number(handle))), CUDA_ERROR_INVALID_HANDLE);
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
