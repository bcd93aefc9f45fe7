// SPDX-License-Identifier: Apache-2.0
#include "cuda/array.h"

#include "cuda/error.h"

namespace clcuda::cuda {

Array::Array(const DeviceContext& context, const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels)
    : context_(context) {
  const DriverTable& driver = context.driver();
  Current current(context);
  if (levels)
    check(driver, driver.cuMipmappedArrayCreate(&mipmap_, &shape, levels), "cuMipmappedArrayCreate");
  else
    check(driver, driver.cuArray3DCreate(&array_, &shape), "cuArray3DCreate");
}

Array::~Array() {
  try {
    Current current(context_);
    if (array_) context_.driver().cuArrayDestroy(array_);
    if (mipmap_) context_.driver().cuMipmappedArrayDestroy(mipmap_);
  } catch (const Error&) {
    // A device that is lost, or a driver that has shut down: nothing is left to give back.
  }
}

CUarray Array::level(unsigned index) const {
  if (!mipmap_) return array_;
  CUarray level = nullptr;
  check(context_.driver(), context_.driver().cuMipmappedArrayGetLevel(&level, mipmap_, index),
        "cuMipmappedArrayGetLevel");
  return level;
}

CUDA_RESOURCE_DESC resource_of(CUarray array) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

CUDA_RESOURCE_DESC resource_of(CUmipmappedArray mipmap) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = mipmap;
  return resource;
}

Texture::Texture(const DeviceContext& context, const CUDA_RESOURCE_DESC& resource,
                 const CUDA_TEXTURE_DESC& state)
    : context_(&context) {
  const DriverTable& driver = context.driver();
  check(driver, driver.cuTexObjectCreate(&handle_, &resource, &state, nullptr), "cuTexObjectCreate");
}

Texture::~Texture() {
  if (!handle_) return;
  try {
    Current current(*context_);
    context_->driver().cuTexObjectDestroy(handle_);
  } catch (const Error&) {
    // As above.
  }
}

Surface::Surface(const DeviceContext& context, CUarray array) : context_(&context) {
  const DriverTable& driver = context.driver();
  const CUDA_RESOURCE_DESC resource = resource_of(array);
  check(driver, driver.cuSurfObjectCreate(&handle_, &resource), "cuSurfObjectCreate");
}

Surface::~Surface() {
  if (!handle_) return;
  try {
    Current current(*context_);
    context_->driver().cuSurfObjectDestroy(handle_);
  } catch (const Error&) {
    // As above.
  }
}

}  // namespace clcuda::cuda
