// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/image.h"

#include <algorithm>
#include <cstring>

#include "cuda/error.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/image/image_limits.h"
#include "runtime/memory/initial_contents.h"
#include "runtime/platform/usable_device.h"

namespace clcuda {

bool overlap(const ImageRegion& a, const ImageRegion& b) {
  if (a.level != b.level) return false;
  for (unsigned d = 0; d < 3; ++d)
    if (a.origin[d] >= b.origin[d] + b.size[d] || b.origin[d] >= a.origin[d] + a.size[d]) return false;
  return true;
}

unsigned ImageShape::dimensions() const {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
      return 2;
    default:
      return 3;
  }
}

std::size_t ImageShape::layers() const { return is_array() ? size[dimensions() - 1] : 0; }

Size3 ImageShape::level_size(unsigned level) const {
  Size3 smaller = size;
  for (unsigned d = 0; d < 3; ++d)
    if (!(is_array() && d + 1 == dimensions())) smaller[d] = std::max<std::size_t>(size[d] >> level, 1);
  return smaller;
}

std::size_t ImageShape::pitched_size() const {
  if (is_array() || type == CL_MEM_OBJECT_IMAGE3D) return slice_pitch * size[dimensions() - 1];
  return row_pitch * size[1];
}

namespace {

// The descriptor of a CUDA array of that shape, without the channels and the flags that depend on its use.
CUDA_ARRAY3D_DESCRIPTOR extent_of(const ImageShape& shape) {
  CUDA_ARRAY3D_DESCRIPTOR extent{};
  const unsigned dimensions = shape.dimensions();
  extent.Width = shape.size[0];
  extent.Height = shape.type != CL_MEM_OBJECT_IMAGE1D_ARRAY && dimensions > 1 ? shape.size[1] : 0;
  extent.Depth = shape.is_array() ? shape.layers() : dimensions > 2 ? shape.size[2] : 0;
  extent.Flags = shape.is_array() ? CUDA_ARRAY3D_LAYERED : 0u;
  return extent;
}

}  // namespace

bool has_shape(const CUDA_ARRAY3D_DESCRIPTOR& array, const ImageShape& shape) {
  constexpr unsigned kKinds = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_SPARSE;
  const CUDA_ARRAY3D_DESCRIPTOR extent = extent_of(shape);
  return array.Width == extent.Width && array.Height == extent.Height && array.Depth == extent.Depth &&
         (array.Flags & kKinds) == extent.Flags;
}

bool has_channels(const CUDA_ARRAY3D_DESCRIPTOR& array, const ImageFormat& format) {
  return array.Format == format.channel_format && array.NumChannels == format.channels;
}

Image::Image(Context& context, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
             void* host, std::vector<cl_mem_properties> properties)
    : MemoryObject(kType, context, context, flags, flags & CL_MEM_USE_HOST_PTR ? host : nullptr,
                   std::move(properties)),
      format_(format),
      shape_(shape),
      storage_(Ref<ImageStorage>::adopt(
          new ImageStorage(context.devices(), array_shape(), format.texel_size, shape.levels))) {
  places_.resize(context.devices().size());
  settle_texels();
  upload(host);
}

Image::Image(Context& context, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
             const ApplicationArray& array, std::vector<cl_mem_properties> properties)
    : MemoryObject(kType, context, context, flags, nullptr, std::move(properties)),
      format_(format),
      shape_(shape),
      in_application_array_(true),
      storage_(Ref<ImageStorage>::adopt(new ImageStorage(context.devices(), array, format.texel_size))) {
  places_.resize(context.devices().size());
  settle_texels();
}

Image::Image(Buffer& buffer, cl_mem_flags flags, const ImageFormat& format, const ImageShape& shape,
             bool sampled_in_place, std::vector<cl_mem_properties> properties)
    : MemoryObject(kType, buffer, buffer.context(), flags, buffer.host_ptr(), std::move(properties)),
      buffer_(buffer),
      format_(format),
      shape_(shape),
      sampled_in_place_(sampled_in_place) {
  places_.resize(context().devices().size());
  settle_texels();
}

Image::Image(Image& parent, cl_mem_flags flags, const ImageFormat& format,
             std::vector<cl_mem_properties> properties)
    : MemoryObject(kType, parent, parent.context(), flags, parent.host_ptr(), std::move(properties)),
      buffer_(parent.buffer_),
      parent_(parent),
      format_(format),
      shape_(parent.shape_),
      in_application_array_(parent.in_application_array_),
      storage_(parent.storage_),
      sampled_in_place_(parent.sampled_in_place_) {
  places_.resize(context().devices().size());
  settle_texels();
}

Image::~Image() {
  mappings_.end_all([this](const ImageMapping& mapping) { end(mapping); });
  if (storage_)
    post_destructor_callbacks(*storage_);
  else
    post_destructor_callbacks(*buffer_);
}

// Uploads the contents to a device; if `host` is null, only the array is allocated.
void Image::upload(void* host) {
  Device& device = usable_device(context());
  const std::size_t index = context().memory_index(device);
  const ImageRegion whole{.size = shape_.size};
  HostTransfer transfer{.to_device = true, .region = bytes_of(whole)};
  transfer.host = in_host_memory(host, shape_.row_pitch, shape_.slice_pitch);
  const std::size_t size = host ? transfer.size() : 0;
  bring_first_contents(DeviceResources::of(device), index, *storage_, size, [&](cuda::Stream& stream) {
    transfer.device = box_of(whole);
    transfer.device.array = use_array(index, stream, whole.level, Access::overwrite);
    return transfer;
  });
}

CUDA_ARRAY3D_DESCRIPTOR Image::array_shape() const {
  CUDA_ARRAY3D_DESCRIPTOR shape = extent_of(shape_);
  shape.Format = format_.channel_format;
  shape.NumChannels = format_.channels;
  shape.Flags |= CUDA_ARRAY3D_SURFACE_LDST | (is_volume_in_layers() ? CUDA_ARRAY3D_LAYERED : 0u);
  return shape;
}

// The texture unit reads four texels to filter in a layer, but always eight in a volume, even if most of their weights are 0.
bool Image::is_volume_in_layers() const {
  const auto has_layers = [&](const Device* device) {
    return shape_.size[2] <= ImageLimits::of(*device).layers;
  };
  return shape_.type == CL_MEM_OBJECT_IMAGE3D && !in_application_array_ &&
         DeviceImage::is_weighed_between_planes(format_, shape_.levels, 3) &&
         std::ranges::all_of(context().devices(), has_layers);
}

clcuda_image Image::descriptor() const {
  clcuda_image image{};
  const auto size = [&](unsigned d) { return static_cast<std::uint32_t>(shape_.size[d]); };
  image.format = format_.texel;
  const bool plain =
      format_.texel.read_order == CLCUDA_ORDER_RGBA && format_.texel.write_order == CLCUDA_ORDER_RGBA;
  if (!storage_) image.format.surface |= CLCUDA_SURFACE_NONE;
  if (storage_ && plain) image.format.surface |= CLCUDA_SURFACE_PLAIN;
  if (is_volume_in_layers()) image.format.surface |= CLCUDA_SURFACE_LAYERS;
  image.row_pitch = shape_.row_pitch;
  image.slice_pitch = shape_.slice_pitch;
  image.width = size(0);
  if (shape_.type != CL_MEM_OBJECT_IMAGE1D_ARRAY && shape_.dimensions() > 1) image.height = size(1);
  if (shape_.type == CL_MEM_OBJECT_IMAGE3D) image.depth = size(2);
  image.array_size = static_cast<std::uint32_t>(shape_.layers());
  image.channel_order = format_.name.image_channel_order;
  image.channel_type = format_.name.image_channel_data_type;
  image.level_count = shape_.levels;
  return image;
}

void Image::settle_texels() {
  const clcuda_image image = descriptor();
  const bool sampled = shape_.type != CL_MEM_OBJECT_IMAGE1D_BUFFER || sampled_in_place_;
  const auto order = [&](unsigned state) {
    return DeviceImage::texture_order(state, image, format_, sampled);
  };
  order_ = order(CLCUDA_SAMPLER_NONE);
  for (unsigned state = 0; state < CLCUDA_SAMPLER_STATES; ++state)
    if (order(state) == order_) states_of_order_ |= 1u << state;
  static_assert(sizeof texels_ == sizeof image.format);
  std::memcpy(&texels_, &image.format, sizeof texels_);
}

std::size_t Image::size_in_bytes() const {
  if (buffer_) return shape_.pitched_size();
  std::size_t size = 0;
  for (unsigned level = 0; level < std::max(shape_.levels, 1u); ++level) {
    const Size3 bytes = bytes_of({.size = shape_.level_size(level)});
    size += bytes[0] * bytes[1] * bytes[2];
  }
  return size;
}

const char* Image::type_name() const {
  switch (shape_.type) {
    case CL_MEM_OBJECT_IMAGE1D:
      return "image1d_t";
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return "image1d_buffer_t";
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return "image1d_array_t";
    case CL_MEM_OBJECT_IMAGE2D:
      return format_.is_depth() ? "image2d_depth_t" : "image2d_t";
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return format_.is_depth() ? "image2d_array_depth_t" : "image2d_array_t";
    default:
      return "image3d_t";
  }
}

Size3 Image::bytes_of(const ImageRegion& region) const {
  const Size3& size = region.size;
  if (shape_.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return {size[0] * format_.texel_size, 1, size[1]};
  return {size[0] * format_.texel_size, size[1], size[2]};
}

cuda::BoxSide Image::in_memory(std::size_t row_pitch, std::size_t slice_pitch) const {
  // A layer of a 1D array is a slice of one row.
  if (shape_.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) row_pitch = slice_pitch;
  return {.row_pitch = row_pitch, .slice_pitch = slice_pitch};
}

cuda::BoxSide Image::in_host_memory(void* host, std::size_t row_pitch, std::size_t slice_pitch) const {
  cuda::BoxSide side = in_memory(row_pitch, slice_pitch);
  side.host = host;
  return side;
}

DeviceImage::InBuffer Image::in_buffer(CUdeviceptr data) const {
  DeviceImage::InBuffer in_buffer;
  if (sampled_in_place_) in_buffer.sampling = DeviceImage::InBuffer::in_place;
  if (shape_.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) return in_buffer;
  if (!sampled_in_place_) in_buffer.sampling = DeviceImage::InBuffer::copied;
  in_buffer.array = array_shape();
  in_buffer.bytes = bytes_of({.size = shape_.size});
  in_buffer.texels = in_memory(shape_.row_pitch, shape_.slice_pitch);
  in_buffer.texels.device = data;
  return in_buffer;
}

cuda::BoxSide Image::box_of(const ImageRegion& region) const {
  const bool rows_are_layers = shape_.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const std::array<std::size_t, 3> place{region.origin[0] * format_.texel_size,
                                         rows_are_layers ? 0 : region.origin[1],
                                         rows_are_layers ? region.origin[1] : region.origin[2]};
  if (!buffer_) return {.place = place};
  return in_memory(shape_.row_pitch, shape_.slice_pitch).moved(place[0], place[1], place[2]);
}

CUarray Image::use_array(std::size_t device, cuda::Stream& stream, unsigned level, Access access,
                         Takeovers* taken) {
  return storage_->use(device, stream, access, taken).level(level);
}

CUarray Image::expose_array(std::size_t device, unsigned level) {
  storage_->make_known();
  DeviceResources& resources = DeviceResources::of(*context().devices()[device]);
  const cuda::Current current(resources.context());
  const ScopedStream stream(resources);
  return use_array(device, *stream, level, Access::read);
}

void Image::order_others_behind(std::size_t device, cuda::Stream& stream) {
  if (buffer_)
    buffer_->order_others_behind(device, stream);
  else
    storage_->order_others_behind(device, stream);
}

DeviceImage& Image::on_device(std::size_t device, cuda::Stream& stream, Access access, Takeovers& taken) {
  std::unique_ptr<DeviceImage>& place = places_[device];
  DeviceResources& resources = DeviceResources::of(*context().devices()[device]);
  if (storage_) {
    cuda::Array& array = storage_->use(device, stream, access, &taken);
    if (!place) place = std::make_unique<DeviceImage>(resources, descriptor(), format_, array);
    return *place;
  }
  const CUdeviceptr data = buffer_->use(device, stream, {0, buffer_->size()}, access, taken).address;
  if (!place) {
    clcuda_image described = descriptor();
    described.data = data;
    place = std::make_unique<DeviceImage>(resources, described, format_, in_buffer(data));
  }
  return *place;
}

DeviceImage::Descriptor Image::use_in_kernel(std::size_t device, cuda::Stream& stream, Access access,
                                             std::uint32_t states, Takeovers& taken) {
  MutexLock lock(mutex_);
  return on_device(device, stream, access, taken).use(stream, states);
}

void Image::refresh_copy(std::size_t device, cuda::Stream& stream) {
  MutexLock lock(mutex_);
  if (storage_)
    places_[device]->refresh_copy(stream, *storage_, device);
  else
    places_[device]->refresh_copy(stream);
}

}  // namespace clcuda
