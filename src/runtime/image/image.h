// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/image/device_image.h"
#include "runtime/image/image_storage.h"
#include "runtime/memory/buffer.h"

namespace clcuda {

using Size3 = std::array<std::size_t, 3>;

// What an image is made of, checked and complete: dimensions that its type lacks are 1, pitches are those of host memory or buffer.
struct ImageShape {
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
  Size3 size{1, 1, 1};  // texels; layers of an array where OpenCL counts them (1D array: [1], 2D array: [2])
  unsigned levels = 0;  // of a mipmap; 0 without one
  unsigned described_levels = 0;  // as it was created: 1 is no mipmap
  std::size_t row_pitch = 0, slice_pitch = 0;

  bool is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  unsigned dimensions() const;  // of coordinates, an array's layer included
  std::size_t layers() const;   // 0 where it is no array
  Size3 level_size(unsigned level) const;
  // Bytes from the first texel to the end of the last slice or row, with the pitches.
  std::size_t pitched_size() const;
};

// A region of an image: origin and size in texels, as the commands have them, and the level of a mipmap.
struct ImageRegion {
  Size3 origin{}, size{1, 1, 1};
  unsigned level = 0;
};
bool overlap(const ImageRegion& a, const ImageRegion& b);

// A region mapped into host memory, until it is unmapped.
struct ImageMapping {
  ImageRegion region;
  std::byte* host = nullptr;
  std::size_t row_pitch = 0, slice_pitch = 0;
  bool writes = false;
  std::shared_ptr<cuda::PinnedBlock> block;
  std::uint64_t number = 0;  // Mappings'
};

// cl_mem of an image type. Its texels lie in a CUDA array on each device (ImageStorage, shared with images made from it), or in a
// buffer. What kernels are given is the address of a descriptor (DeviceImage).
class Image final : public MemoryObject {
 public:
  using Handle = cl_mem;
  static constexpr ObjectType kType = ObjectType::image;
  static constexpr cl_int kInvalid = CL_INVALID_MEM_OBJECT;

  // `host` is where the first contents come from, if anywhere; its pitches are the shape's.
  Image(Context& context, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape, void* host,
        std::vector<cl_mem_properties> properties);
  // In a buffer's memory, where texture units can read it or not; or another view of an image's.
  Image(Buffer& buffer, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
        bool sampled_in_place, std::vector<cl_mem_properties> properties);
  Image(Image& parent, cl_mem_flags flags, const ImageFormat& format,
        std::vector<cl_mem_properties> properties);

  const ImageFormat& format() const { return format_; }
  const ImageShape& shape() const { return shape_; }
  Buffer* buffer() const { return buffer_.get(); }
  Image* parent() const { return parent_.get(); }
  std::size_t size_in_bytes() const;
  // As the kernel's argument is declared.
  const char* type_name() const;
  // What this was made from, if from an image: of all views of one the same, whose texels lie in the same places.
  const Image& root() const { return parent_ ? parent_->root() : *this; }

  // The bytes of a region: bytes, rows, slices (layers).
  Size3 bytes_of(const ImageRegion& region) const;
  // Where a region lies in what holds the texels: the buffer (BoxSide::device is an offset there), or the
  // array of its level.
  cuda::BoxSide box_of(const ImageRegion& region) const;
  // The same for host memory with these pitches.
  cuda::BoxSide in_host_memory(void* host, std::size_t row_pitch, std::size_t slice_pitch) const;
  // The array of a level, for what is recorded next into `stream` (ImageStorage::use). Not of an image in a
  // buffer.
  CUarray use_array(std::size_t device, cuda::Stream& stream, unsigned level, Access access);
  // The same for the application: what it puts into its streams is ordered by commands.
  CUarray tell_array(std::size_t device, unsigned level);
  bool has_known_array() const { return storage_ && storage_->has_known_array(); }
  // Everything that uses the image's bytes from now on comes behind what `stream` holds, which has just written to them.
  void order_others_behind(std::size_t device, cuda::Stream& stream);
  // The descriptor for launches with samplers of these states that are recorded next into `stream`.
  DeviceImage::Descriptor use_in_kernel(std::size_t device, cuda::Stream& stream, Access access,
                                        std::uint32_t states);
  // Ahead of each such launch where Descriptor::reads_copy: has the texels copied to where it reads them.
  void refresh_copy(std::size_t device, cuda::Stream& stream, std::uint32_t states);

  // What code that reads the image with samplers of these states, or writes it, may take for granted (compiler::KnownImage): the order, 0
  // where that differs between the states, and the texels' format.
  std::uint32_t order(std::uint32_t states) const { return states & ~states_of_order_ ? 0 : order_; }
  std::uint64_t texels() const { return texels_; }

  // Pitches of the host memory that a map of the region returns.
  ImageMapping map(DeviceResources& resources, const ImageRegion& region, cl_map_flags flags);
  // As a buffer's.
  void forget(const ImageMapping& mapping) noexcept { mappings_.forget(mapping); }
  void unmap(void* host, const std::function<void(const ImageMapping&)>& enqueue) {
    mappings_.take(host, enqueue);
  }
  cl_uint map_count() const override;

 private:
  ~Image() override;
  void upload(void* host);
  CUDA_ARRAY3D_DESCRIPTOR array_shape() const;
  bool is_volume_in_layers() const;
  DeviceImage::InBuffer in_buffer(CUdeviceptr data) const;
  clcuda_image descriptor() const;
  void settle_texels();
  cuda::BoxSide in_memory(std::size_t row_pitch, std::size_t slice_pitch) const;
  DeviceImage& on_device(std::size_t device, cuda::Stream& stream, Access access) REQUIRES(mutex_);
  std::byte* own_host_memory(DeviceResources& resources);

  const Ref<Buffer> buffer_;
  const Ref<Image> parent_;
  const ImageFormat format_;
  const ImageShape shape_;
  const Ref<ImageStorage> storage_;  // empty for an image in a buffer
  const bool sampled_in_place_ = false;
  std::uint32_t order_ = 0, states_of_order_ = 0;
  std::uint64_t texels_ = 0;

  mutable Mutex mutex_ LOCK_RANK(image);
  std::vector<std::unique_ptr<DeviceImage>> places_ GUARDED_BY(mutex_);
  std::shared_ptr<cuda::PinnedBlock> own_host_memory_ GUARDED_BY(mutex_);
  Mappings<ImageMapping> mappings_;
};

}  // namespace clcuda
