// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "check.h"
#include "harness/device.h"

namespace cuda_bench {

// A CUDA array for a benchmark's image, with the texture or surface object that kernels use.
class Array {
 public:
  Array(const bench::ImageShape& shape, bool written) : shape_(shape) {
    const cudaChannelFormatDesc format =
        shape.is_volume() ? cudaCreateChannelDesc<float>() : cudaCreateChannelDesc<uchar4>();
    check(cudaMalloc3DArray(&array_, &format,
                            make_cudaExtent(shape.width, shape.height, shape.is_volume() ? shape.depth : 0),
                            written ? cudaArraySurfaceLoadStore : cudaArrayDefault));
  }
  ~Array() {
    if (texture_) cudaDestroyTextureObject(texture_);
    if (surface_) cudaDestroySurfaceObject(surface_);
    cudaFreeArray(array_);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  // Copies from and to packed host memory, with the function for the image's dimensions.
  void write(const void* from) {
    if (shape_.is_volume()) return copy_volume(const_cast<void*>(from), true);
    check(cudaMemcpy2DToArray(array_, 0, 0, from, row(), row(), shape_.height, cudaMemcpyHostToDevice));
  }
  void read(void* to) {
    if (shape_.is_volume()) return copy_volume(to, false);
    check(cudaMemcpy2DFromArray(to, row(), array_, 0, 0, row(), shape_.height, cudaMemcpyDeviceToHost));
  }

  cudaTextureObject_t texture(bool smooth) {
    cudaTextureDesc state{};
    for (auto& mode : state.addressMode) mode = cudaAddressModeClamp;
    state.filterMode = smooth ? cudaFilterModeLinear : cudaFilterModePoint;
    state.readMode = shape_.is_volume() ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    state.normalizedCoords = smooth;
    const cudaResourceDesc memory = resource();
    check(cudaCreateTextureObject(&texture_, &memory, &state, nullptr));
    return texture_;
  }
  cudaSurfaceObject_t surface() {
    const cudaResourceDesc memory = resource();
    check(cudaCreateSurfaceObject(&surface_, &memory));
    return surface_;
  }

 private:
  size_t row() const { return 4 * shape_.width; }
  cudaResourceDesc resource() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }
  void copy_volume(void* host, bool to_array) {
    cudaMemcpy3DParms copy{};
    const cudaPitchedPtr plain = make_cudaPitchedPtr(host, row(), shape_.width, shape_.height);
    (to_array ? copy.srcPtr : copy.dstPtr) = plain;
    (to_array ? copy.dstArray : copy.srcArray) = array_;
    copy.extent = make_cudaExtent(shape_.width, shape_.height, shape_.depth);
    copy.kind = to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    check(cudaMemcpy3D(&copy));
  }

  const bench::ImageShape shape_;
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
  cudaSurfaceObject_t surface_ = 0;
};

}  // namespace cuda_bench
