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

// An image as one device's kernels see it: the descriptor in device memory, which names its surfaces and
// texture objects. A texture object joins the image and the state of a sampler; it is there when a launch
// first needs that state. Used under the image's lock, in the order of submission, with the CUDA context
// current.
class DeviceImage {
 public:
  // How an image in a buffer is sampled. CUDA's texture units read plain memory only as two dimensions with
  // aligned rows or as a row of texels (CL_MEM_OBJECT_IMAGE1D_BUFFER); an image of any other kind is copied
  // into an array of that shape ahead of each launch that samples it.
  struct InBuffer {
    enum Sampling : std::uint8_t { never, in_place, copied } sampling = never;
    CUDA_ARRAY3D_DESCRIPTOR array{};
    std::array<std::size_t, 3> bytes{};  // of the copy
    cuda::BoxSide texels;
  };

  // How kernels arrange what a texture for this state of a sampler gives (clcuda_image_texture::order);
  // `sampled`: a texture unit reads it.
  static std::uint32_t texture_order(unsigned state, const clcuda_image& descriptor,
                                     const ImageFormat& format, bool sampled);
  // Whether a linear filter has the texture unit filter two planes of a volume, between which the library
  // weighs.
  static bool is_weighed_between_planes(const ImageFormat& format, unsigned levels, unsigned dimensions);

  // `descriptor` has all but surfaces, data and textures.
  DeviceImage(DeviceResources& resources, const clcuda_image& descriptor, const ImageFormat& format,
              cuda::Array& array);
  // In a buffer: `data` and the pitches are in the descriptor.
  DeviceImage(DeviceResources& resources, const clcuda_image& descriptor, const ImageFormat& format,
              const InBuffer& in_buffer);
  ~DeviceImage();
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;

  // Where it lies on the device, and what it says: of what a launch was promised, nothing changes while the
  // image lives.
  struct Descriptor {
    CUdeviceptr address;
    const clcuda_image& contents;
    bool reads_copy;  // the launch samples a copy of the texels, which is to be refreshed ahead of it
  };
  // For what is recorded next into `stream`, with textures for these states of samplers (a set of bits).
  Descriptor use(cuda::Stream& stream, std::uint32_t states);
  // Records the copy, where the texels may have changed; `version` of the texels.
  void refresh_copy(cuda::Stream& stream, std::uint32_t states, std::uint64_t version);

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
  cuda::Array* array_ = nullptr;        // where the texels are, or are copied to
  std::unique_ptr<cuda::Array> copy_;   // of an image in a buffer, or of a mipmap's first level
  std::uint64_t copied_version_ = 0;    // of the latter
  std::shared_ptr<Textures> in_place_;  // as well; they may go only when the device is done with them
  std::uint32_t made_ = 0;              // states
  CUdeviceptr address_ = 0;
  bool uploaded_ = false;     // the descriptor as it is now
  StreamAccessTracker uses_;  // of the descriptor
};

}  // namespace clcuda
