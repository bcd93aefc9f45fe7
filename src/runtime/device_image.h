// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include "builtins/image_descriptor.h"
#include "cuda/array.h"
#include "runtime/engine.h"
#include "runtime/image_format.h"
#include "runtime/stream_uses.h"

namespace clcuda {

// An image as one device's kernels see it: the descriptor in device memory, the surfaces and texture objects that it names. A texture
// object joins the image and the state of a sampler; it is made when a launch first needs that state. Used under the image's lock, in
// the order of submission, with the CUDA context current.
class DeviceImage {
 public:
  // How an image in a buffer is sampled. CUDA's texture units read plain memory only as two dimensions with aligned rows; an image of
  // any other kind is copied into an array of that shape ahead of each launch that samples it.
  struct InBuffer {
    enum Sampling : std::uint8_t { never, in_place, copied } sampling = never;
    CUDA_ARRAY3D_DESCRIPTOR array{};
    std::array<std::size_t, 3> bytes{};  // of the copy
    cuda::BoxSide texels;
  };

  // `descriptor` has all but surfaces, data and textures.
  DeviceImage(Engine& engine, const clcuda_image& descriptor, const ImageFormat& format,
              std::shared_ptr<cuda::Array> array, unsigned levels);
  // In a buffer: `data` and the pitches are in the descriptor.
  DeviceImage(Engine& engine, const clcuda_image& descriptor, const ImageFormat& format,
              const InBuffer& in_buffer);
  ~DeviceImage();
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;

  // The descriptor's address, for what is recorded next into `stream`, with textures for these states of samplers (a set of bits).
  CUdeviceptr use(cuda::Stream& stream, std::uint32_t states);

 private:
  // What may go only when the device is done with it.
  struct Objects {
    std::shared_ptr<cuda::Array> array;
    std::vector<cuda::Surface> surfaces;
    std::array<cuda::Texture, CLCUDA_SAMPLER_STATES> textures;
  };

  void copy_texels(cuda::Stream& stream);
  void make_texture(unsigned state);
  CUDA_RESOURCE_DESC resource(unsigned state) const;
  void upload(cuda::Stream& stream);

  Engine& engine_;
  const ImageFormat format_;
  const unsigned levels_ = 0;
  const InBuffer in_buffer_;
  clcuda_image descriptor_;
  std::shared_ptr<Objects> objects_ = std::make_shared<Objects>();
  std::uint32_t made_ = 0;  // states
  CUdeviceptr address_ = 0;
  StreamUses uses_;  // of the descriptor
};

}  // namespace clcuda
