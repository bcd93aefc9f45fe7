// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "builtins/image_descriptor.h"
#include "cuda/array.h"
#include "runtime/engine.h"
#include "runtime/image_format.h"

namespace clcuda {

// An image as one device's kernels see it: the descriptor in device memory, the surfaces and texture objects that it names. A texture
// object joins the image and the state of a sampler; it is made when a launch first needs that state. Used under the image's lock, in
// the order of submission, with the CUDA context current.
class DeviceImage {
 public:
  // `descriptor` has all but surfaces, data and textures.
  DeviceImage(Engine& engine, const clcuda_image& descriptor, const ImageFormat& format,
              std::shared_ptr<cuda::Array> array, unsigned levels);
  // In a buffer: `data` and the row pitch are in the descriptor. What can be sampled is of two dimensions.
  DeviceImage(Engine& engine, const clcuda_image& descriptor, const ImageFormat& format);
  ~DeviceImage();
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;

  const cuda::Array* array() const { return objects_->array.get(); }
  CUdeviceptr data() const { return descriptor_.data; }

  // The descriptor's address, for what is recorded next into `stream`, with textures for these states of samplers (a set of bits).
  CUdeviceptr use(cuda::Stream& stream, std::uint32_t states);

 private:
  // What may go only when the device is done with it.
  struct Objects {
    std::shared_ptr<cuda::Array> array;
    std::vector<cuda::Surface> surfaces;
    std::array<cuda::Texture, CLCUDA_SAMPLER_STATES> textures;
  };

  void make_texture(unsigned state);
  CUDA_RESOURCE_DESC resource(unsigned state) const;
  void upload(cuda::Stream& stream);

  Engine& engine_;
  const ImageFormat format_;
  const unsigned levels_;
  clcuda_image descriptor_;
  std::shared_ptr<Objects> objects_ = std::make_shared<Objects>();
  std::uint32_t made_ = 0;  // states
  CUdeviceptr address_ = 0;
  cuda::Event ready_;
  cuda::Stream* ready_stream_ = nullptr;
  std::vector<cuda::Stream*> users_;
};

}  // namespace clcuda
