// SPDX-License-Identifier: Apache-2.0
#include "cuda/array.h"

#include <algorithm>
#include <cstring>

#include "cuda/error.h"

namespace clcuda::cuda {
namespace {

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

bool equal(const CUDA_TEXTURE_DESC& a, const CUDA_TEXTURE_DESC& b) {
  // The structure has no padding; floats are compared by their bits.
  return std::memcmp(&a, &b, sizeof a) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

}  // namespace

Array::Array(const DeviceContext& context, const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels)
    : context_(context), shape_(shape), levels_(levels), surfaces_(std::max(levels, 1u)) {
  const DriverTable& driver = context.driver();
  Current current(context);
  if (levels)
    check(driver, driver.cuMipmappedArrayCreate(&mipmap_, &shape, levels), "cuMipmappedArrayCreate");
  else
    check(driver, driver.cuArray3DCreate(&array_, &shape), "cuArray3DCreate");
}

Array::Array(const DeviceContext& context, CUarray array, const CUDA_ARRAY3D_DESCRIPTOR& shape)
    : context_(context), shape_(shape), levels_(0), owned_(false), array_(array), surfaces_(1) {}

Array::~Array() {
  try {
    Current current(context_);
    surfaces_.clear();
    textures_.clear();
    if (!owned_) return;
    if (array_) context_.driver().cuArrayDestroy(array_);
    if (mipmap_) context_.driver().cuMipmappedArrayDestroy(mipmap_);
  } catch (const Error&) {
    // The device is lost, or the driver has shut down: there is nothing to release.
  }
}

CUarray Array::level(unsigned index) const {
  if (!mipmap_) return array_;
  CUarray level = nullptr;
  check(context_.driver(), context_.driver().cuMipmappedArrayGetLevel(&level, mipmap_, index),
        "cuMipmappedArrayGetLevel");
  return level;
}

CUsurfObject Array::surface(unsigned index) {
  if (!(shape_.Flags & CUDA_ARRAY3D_SURFACE_LDST)) return 0;
  MutexLock lock(mutex_);
  Surface& surface = surfaces_[index];
  if (!surface) surface = Surface(context_, level(index));
  return surface.handle();
}

CUtexObject Array::texture(const CUDA_TEXTURE_DESC& state, bool mipmap) {
  MutexLock lock(mutex_);
  const auto known = std::ranges::find_if(
      textures_, [&](const Sampled& made) { return made.mipmap == mipmap && equal(made.state, state); });
  if (known != textures_.end()) return known->texture.handle();
  Texture texture(context_, mipmap ? resource_of(mipmap_) : resource_of(level(0)), state);
  return textures_.emplace_back(state, mipmap, std::move(texture)).texture.handle();
}

std::optional<CUDA_ARRAY3D_DESCRIPTOR> shape_of(const DriverTable& driver, CUarray array) noexcept {
  CUDA_ARRAY3D_DESCRIPTOR shape{};
  if (!array || driver.cuArray3DGetDescriptor(&shape, array) != CUDA_SUCCESS) return {};
  return shape;
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
