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

// An image's validated dimensions; those that its type lacks are 1. Pitches are of the host memory or buffer, in bytes.
struct ImageShape {
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
  Size3 size{1, 1, 1};            // texels; layers of a 1D array in [1], of a 2D array in [2]
  unsigned levels = 0;            // of a mipmap; 0 if the image is none
  unsigned described_levels = 0;  // cl_image_desc::num_mip_levels; 1 is no mipmap
  std::size_t row_pitch = 0, slice_pitch = 0;

  bool is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  unsigned dimensions() const;             // number of coordinates, including the layer of an array
  std::size_t layers() const;              // 0 if it is no array
  Size3 level_size(unsigned level) const;  // in texels
  // Bytes from the first texel to the end of the last slice or row, with the pitches.
  std::size_t pitched_size() const;
};

// Whether a CUDA array has this shape, and channels of this format.
bool has_shape(const CUDA_ARRAY3D_DESCRIPTOR& array, const ImageShape& shape);
bool has_channels(const CUDA_ARRAY3D_DESCRIPTOR& array, const ImageFormat& format);

// A region of an image: origin and size in texels, as in commands' arguments, and the mipmap level.
struct ImageRegion {
  Size3 origin{}, size{1, 1, 1};
  unsigned level = 0;
};
// Whether two regions of one image have a texel in common.
bool overlap(const ImageRegion& a, const ImageRegion& b);

// A region mapped into host memory, until it is unmapped.
struct ImageMapping {
  ImageRegion region;
  std::byte* host = nullptr;
  std::size_t row_pitch = 0, slice_pitch = 0;
  bool writes = false;
  std::shared_ptr<cuda::PinnedBlock> block;
  std::uint64_t number = 0;  // set by Mappings::add()
};

// cl_mem of an image type. Its texels lie in a CUDA array on each device (ImageStorage, shared with images created from it), or in a
// buffer. Kernels are given the address of a descriptor (DeviceImage).
class Image final : public MemoryObject {
 public:
  using Handle = cl_mem;
  static constexpr ObjectType kType = ObjectType::image;
  static constexpr cl_int kInvalid = CL_INVALID_MEM_OBJECT;

  // `host`: initial contents with the shape's pitches, or null.
  Image(Context& context, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape, void* host,
        std::vector<cl_mem_properties> properties);
  // An image in an array of the application, which must have this shape and format.
  Image(Context& context, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
        const ApplicationArray& array, std::vector<cl_mem_properties> properties);
  // An image in a buffer's memory. `sampled_in_place`: texture units can read it directly.
  Image(Buffer& buffer, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
        bool sampled_in_place, std::vector<cl_mem_properties> properties);
  // An image that shares the texels of `parent` (section 5.3.1).
  Image(Image& parent, cl_mem_flags flags, const ImageFormat& format,
        std::vector<cl_mem_properties> properties);

  const ImageFormat& format() const { return format_; }
  const ImageShape& shape() const { return shape_; }
  Buffer* buffer() const { return buffer_.get(); }
  Image* parent() const { return parent_.get(); }
  std::size_t size_in_bytes() const;  // CL_MEM_SIZE
  // The type of a kernel argument for this image: "image2d_t" …
  const char* type_name() const;
  // The image at the end of the chain of parents: the same for all views of the same texels.
  const Image& root() const { return parent_ ? parent_->root() : *this; }

  // The size of a region: bytes in a row, rows, slices (or layers).
  Size3 bytes_of(const ImageRegion& region) const;
  // The position of a region in the buffer (BoxSide::device is an offset) or in the array of its level.
  cuda::BoxSide box_of(const ImageRegion& region) const;
  // The host side of a transfer of a region.
  cuda::BoxSide in_host_memory(void* host, std::size_t row_pitch, std::size_t slice_pitch) const;
  // The array of a level, for the next work in `stream` (ImageStorage::use). Not for an image in a buffer.
  CUarray use_array(std::size_t device, cuda::Stream& stream, unsigned level, Access access,
                    Takeovers* taken = nullptr);
  // cl_clcuda_cuda_interop: the array of a level, for the application, which orders its work by acquire and release commands.
  CUarray expose_array(std::size_t device, unsigned level);
  // Whether the application has been given an array.
  bool has_known_array() const { return storage_ && storage_->has_known_array(); }
  // Orders all later uses of the texels after the work in `stream`, which has just written to them.
  void order_others_behind(std::size_t device, cuda::Stream& stream);
  void record_access(std::size_t device, cuda::Stream& stream) override {
    buffer_ ? buffer_->record_access(device, stream) : storage_->record_access(device, stream);
  }
  // The descriptor for the next launch in `stream` that uses these sampler states (DeviceImage::use).
  DeviceImage::Descriptor use_in_kernel(std::size_t device, cuda::Stream& stream, Access access,
                                        std::uint32_t states, Takeovers& taken);
  // To be called before each such launch if Descriptor::reads_copy is set.
  void refresh_copy(std::size_t device, cuda::Stream& stream);

  // Properties for which code may be specialised (compiler::KnownImage): the channel order for reads with these sampler states (0 if it
  // differs between them), and the bytes of clcuda_texel_format.
  std::uint32_t order(std::uint32_t states) const { return states & ~states_of_order_ ? 0 : order_; }
  std::uint64_t texels() const { return texels_; }

  // Begins a mapping. Chooses its host memory and the pitches that clEnqueueMapImage returns.
  ImageMapping map(DeviceResources& resources, const ImageRegion& region, cl_map_flags flags);
  // As in Buffer: forget() undoes map() if its command could not be enqueued; unmap() calls `enqueue` with the mapping at `host` and
  // removes it.
  void forget(const ImageMapping& mapping) noexcept {
    mappings_.forget(mapping);
    end(mapping);
  }
  void unmap(void* host, const std::function<void(const ImageMapping&)>& enqueue) {
    end(mappings_.take(host, enqueue));
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
  DeviceImage& on_device(std::size_t device, cuda::Stream& stream, Access access, Takeovers& taken)
      REQUIRES(mutex_);
  std::byte* own_host_memory(DeviceResources& resources);
  bool begin(ImageMapping& mapping);
  void end(const ImageMapping& mapping) noexcept;
  void place(ImageMapping& mapping, DeviceResources& resources);
  bool maps_bytes(const ImageMapping& mapping) const {
    return buffer_ && mapping.writes && shape_.size[1] <= 1 && shape_.size[2] <= 1;
  }
  ByteRange bytes_of_row(const ImageRegion& region) const {
    return {region.origin[0] * format_.texel_size, (region.origin[0] + region.size[0]) * format_.texel_size};
  }

  const Ref<Buffer> buffer_;
  const Ref<Image> parent_;
  const ImageFormat format_;
  const ImageShape shape_;
  const bool in_application_array_ = false;
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
