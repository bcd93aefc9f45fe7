// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "builtins/image_descriptor.h"
#include "cuda/array.h"
#include "runtime/device/device_resources.h"
#include "runtime/device/stream_access_tracker.h"
#include "runtime/image/image_format.h"

namespace clcuda {

class ImageStorage;

// An image on one device, as kernels see it: the descriptor in device memory (builtins/image_descriptor.h), with surface objects and
// texture objects. A texture object combines the image and a sampler state; it is created when a launch first needs that state. Guarded by
// the image's lock; called in submission order, with the CUDA context current.
class DeviceImage {
 public:
  // How kernels sample an image in a buffer. CUDA's texture units read linear memory only as two-dimensional images with aligned rows or as
  // one row of texels (CL_MEM_OBJECT_IMAGE1D_BUFFER); any other image is copied into an array before each launch that samples it.
  struct InBuffer {
    enum Sampling : std::uint8_t { never, in_place, copied } sampling = never;
    CUDA_ARRAY3D_DESCRIPTOR array{};
    std::array<std::size_t, 3> bytes{};  // size of the copy: bytes, rows, slices
    cuda::BoxSide texels;
  };

  // The channel order that kernels apply to texels fetched with this sampler state (clcuda_image_texture::order). `sampled`: a texture unit
  // can read the image.
  static std::uint32_t texture_order(unsigned state, const clcuda_image& descriptor,
                                     const ImageFormat& format, bool sampled);
  // Whether linear filtering fetches two filtered planes of a 3D image, between which the library interpolates.
  static bool is_weighed_between_planes(const ImageFormat& format, unsigned levels, unsigned dimensions);

  // An image in a CUDA array. `descriptor` is complete except for surfaces, data and textures.
  DeviceImage(DeviceResources& resources, const clcuda_image& descriptor, const ImageFormat& format,
              cuda::Array& array);
  // An image in a buffer. `descriptor` has `data` and the pitches, too.
  DeviceImage(DeviceResources& resources, const clcuda_image& descriptor, const ImageFormat& format,
              const InBuffer& in_buffer);
  ~DeviceImage();
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;

  // The descriptor's device address and its contents. The address, and the fields that a launch uses, do not change during the image's
  // lifetime.
  struct Descriptor {
    CUdeviceptr address;
    const clcuda_image& contents;
    bool reads_copy;  // the launch samples a copy of the texels: call refresh_copy() before it
  };
  // The descriptor for the next launch in `stream`, with textures for these sampler states (a set of bits).
  Descriptor use(cuda::Stream& stream, std::uint32_t states);
  // Submits the copy of the texels that the launch samples: of an image in a buffer.
  void refresh_copy(cuda::Stream& stream);
  // The same for a mipmap, whose first level is copied only if it may have been written since (ImageStorage::version).
  void refresh_copy(cuda::Stream& stream, ImageStorage& storage, std::size_t device);

 private:
  using Textures = std::vector<cuda::Texture>;

  std::uint32_t states_used(std::uint32_t states) const;
  bool copies_texels(std::uint32_t states) const;
  bool copies_first_level(std::uint32_t states) const;
  void make_copy(cuda::Stream& stream);
  void copy_first_level(cuda::Stream& stream);
  void make_texture(unsigned state);
  CUDA_RESOURCE_DESC texels_in_place() const;
  CUtexObject texture_in_place(const CUDA_TEXTURE_DESC& state);
  void upload(cuda::Stream& stream);

  DeviceResources& resources_;
  const ImageFormat format_;
  const InBuffer in_buffer_;
  clcuda_image descriptor_;
  cuda::Array* array_ = nullptr;        // that textures read: the image's, or copy_ of a buffer
  std::unique_ptr<cuda::Array> copy_;   // of an image in a buffer, or of a mipmap's first level
  std::uint64_t copied_version_ = 0;    // of a mipmap: the version of the texels in copy_
  std::shared_ptr<Textures> in_place_;  // of texels in the buffer; destroyed when the device is idle
  std::uint32_t made_ = 0;              // sampler states that have a texture
  CUdeviceptr address_ = 0;
  bool uploaded_ = false;     // device memory has the current descriptor
  StreamAccessTracker uses_;  // of the descriptor
};

}  // namespace clcuda
