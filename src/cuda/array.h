// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "cuda/context.h"

namespace clcuda::cuda {

// A CUDA array, with or without a mipmap. Its destruction waits for the device.
class Array {
 public:
  // `levels` of a mipmap; 0 for an array without one. Throws DriverError.
  Array(const DeviceContext& context, const CUDA_ARRAY3D_DESCRIPTOR& shape, unsigned levels);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  CUarray level(unsigned index) const;
  CUmipmappedArray mipmap() const { return mipmap_; }

 private:
  const DeviceContext& context_;
  CUarray array_ = nullptr;  // where there is no mipmap
  CUmipmappedArray mipmap_ = nullptr;
};

// What a texture object fetches from.
CUDA_RESOURCE_DESC resource_of(CUarray array);
CUDA_RESOURCE_DESC resource_of(CUmipmappedArray mipmap);

// A texture object, which joins memory and the state of a sampler, and a surface object. Neither making nor destroying one waits.
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
  CUsurfObject handle() const { return handle_; }

 private:
  const DeviceContext* context_ = nullptr;
  CUsurfObject handle_ = 0;
};

}  // namespace clcuda::cuda
