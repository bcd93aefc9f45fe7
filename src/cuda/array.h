// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cuda/context.h"

namespace clcuda::cuda {

// A texture object, which combines memory with a sampler's state. Neither creation, which throws DriverError, nor destruction waits.
class Texture {
 public:
  Texture() = default;
  Texture(const DeviceContext& context, const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& state);
  Texture(Texture&& other) noexcept : context_(other.context_), handle_(std::exchange(other.handle_, 0)) {}
  Texture& operator=(Texture&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Texture();
  explicit operator bool() const { return handle_ != 0; }
  CUtexObject handle() const { return handle_; }

 private:
  const DeviceContext* context_ = nullptr;
  CUtexObject handle_ = 0;
};

// A surface object: access to an array by byte and row, without a sampler. Throws and waits as Texture does.
class Surface {
 public:
  Surface() = default;
  Surface(const DeviceContext& context, CUarray array);
  Surface(Surface&& other) noexcept : context_(other.context_), handle_(std::exchange(other.handle_, 0)) {}
  Surface& operator=(Surface&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Surface();
  explicit operator bool() const { return handle_ != 0; }
  CUsurfObject handle() const { return handle_; }

 private:
  const DeviceContext* context_ = nullptr;
  CUsurfObject handle_ = 0;
};

// A CUDA array, with or without a mipmap, and the surface and texture objects through which kernels access
// it. Its destruction waits for the device.
class Array {
 public:
  // `levels` of a mipmap; 0 for an array without one. Throws DriverError.
  Array(const DeviceContext& context, const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels);
  // For an array of the application, which the destructor does not destroy. `shape` is the result of shape_of().
  Array(const DeviceContext& context, CUarray array, const CUDA_ARRAY3D_DESCRIPTOR& shape);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const CUDA_ARRAY3D_DESCRIPTOR& shape() const { return shape_; }
  unsigned levels() const { return levels_; }
  CUarray level(unsigned index) const;  // the array itself if there is no mipmap
  // The objects are created on first use and kept. surface() returns 0 for an array that was created without CUDA_ARRAY3D_SURFACE_LDST.
  // `mipmap`: a texture of all levels instead of only the first one.
  CUsurfObject surface(unsigned level);
  CUtexObject texture(const CUDA_TEXTURE_DESC& state, bool mipmap);

 private:
  struct Sampled {
    CUDA_TEXTURE_DESC state;
    bool mipmap;
    Texture texture;
  };

  const DeviceContext& context_;
  const CUDA_ARRAY3D_DESCRIPTOR shape_;
  const unsigned levels_;
  const bool owned_ = true;
  CUarray array_ = nullptr;  // if there is no mipmap
  CUmipmappedArray mipmap_ = nullptr;
  Mutex mutex_ LOCK_RANK(array);
  std::vector<Surface> surfaces_ GUARDED_BY(mutex_);
  std::vector<Sampled> textures_ GUARDED_BY(mutex_);
};

// The shape of an array of the application; empty if the driver does not know the array. The context of the array's device is current.
std::optional<CUDA_ARRAY3D_DESCRIPTOR> shape_of(const DriverTable& driver, CUarray array) noexcept;

}  // namespace clcuda::cuda
