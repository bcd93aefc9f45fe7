// SPDX-License-Identifier: Apache-2.0
// Images: creation and supported formats.
#include "runtime/image/image.h"

#include <CL/cl_clcuda.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "api/entry_point.h"
#include "api/image_pitches.h"
#include "api/known_values.h"
#include "api/memory_flags.h"
#include "api/reporting.h"
#include "runtime/image/image_limits.h"

namespace clcuda::api {
namespace {

bool is_image_type(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

// Section 5.3.1.2: the sizes that the type has, each at least 1 (CL_INVALID_IMAGE_DESCRIPTOR) and at most the device's limit
// (CL_INVALID_IMAGE_SIZE).
Size3 size_of(const cl_image_desc& desc, const ImageLimits& limits) {
  const auto within = [](size_t value, size_t most) {
    require(value > 0, CL_INVALID_IMAGE_DESCRIPTOR, "a size of the image is 0");
    require(value <= most, CL_INVALID_IMAGE_SIZE, "larger than the device's images");
    return value;
  };
  const auto& [width, height] = limits.flat;
  switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
      return {within(desc.image_width, width), 1, 1};
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      return {within(desc.image_width, limits.buffer), 1, 1};
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      return {within(desc.image_width, width), within(desc.image_array_size, limits.layers), 1};
    case CL_MEM_OBJECT_IMAGE2D:
      return {within(desc.image_width, width), within(desc.image_height, height), 1};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return {within(desc.image_width, width), within(desc.image_height, height),
              within(desc.image_array_size, limits.layers)};
    default:
      return {within(desc.image_width, limits.volume[0]), within(desc.image_height, limits.volume[1]),
              within(desc.image_depth, limits.volume[2])};
  }
}

// cl_khr_mipmap_image: levels at most down to a single texel, no host memory, and no depth format.
void take_levels(const cl_image_desc& desc, const ImageFormat& format, cl_mem_flags flags,
                 ImageShape& shape) {
  if (desc.num_mip_levels <= 1) return;
  require(!format.is_depth() && !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)),
          CL_INVALID_IMAGE_DESCRIPTOR, "a mipmap of depth, or from host memory");
  const Size3 size = shape.level_size(0);
  size_t largest = 1;
  for (unsigned d = 0; d < shape.dimensions() - (shape.is_array() ? 1 : 0); ++d)
    largest = std::max(largest, size[d]);
  require(desc.num_mip_levels <= static_cast<cl_uint>(std::bit_width(largest)), CL_INVALID_IMAGE_DESCRIPTOR,
          "more levels than the image has sizes");
  shape.levels = desc.num_mip_levels;
}

// Sections 5.3.1 and 5.3.1.1: a format that exists, and that the device supports for this type of image and these flags.
ImageFormat checked_format(const cl_image_format* name, cl_mem_flags flags, cl_mem_object_type type) {
  require(name, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is null");
  require(is_valid_format(*name), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no such image format");
  const std::optional<ImageFormat> format = find_format(*name);
  if (!format || !supports(*format, flags, type))
    throw Error(CL_IMAGE_FORMAT_NOT_SUPPORTED, "the image format is not supported");
  return *format;
}

// Whether the buffer begins at an aligned address: on each device, wherever that has its memory, and on the host.
bool begins_aligned(const Buffer& buffer, size_t alignment) {
  return buffer.origin() % alignment == 0 && buffer.is_aligned(alignment) &&
         reinterpret_cast<std::uintptr_t>(buffer.host_ptr()) % alignment == 0;
}

// Section 5.3.1.2: the alignment of an image in a buffer (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR).
void check_alignment(const Buffer& buffer, const cl_image_desc& desc, const ImageAlignment& alignment) {
  const auto aligned = [](size_t value, size_t to) { return value % to == 0; };
  require(aligned(desc.image_row_pitch, alignment.row_pitch) &&
              aligned(desc.image_slice_pitch, alignment.slice_pitch),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "a pitch is no multiple of the image's alignment (CL_IMAGE_REQUIREMENTS_…_PITCH_ALIGNMENT_EXT)");
  require(begins_aligned(buffer, alignment.base), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "the buffer's place, address or host pointer is no multiple of the image's alignment "
          "(CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT)");
}

// Section 5.3.1.2: an image is made from a buffer (a pipe is none) or from another image.
Buffer& buffer_of(const cl_image_desc& desc) {
  auto* buffer = static_cast<Buffer*>(find_object(desc.mem_object, Buffer::kType));
  if (!buffer || buffer->pipe())
    throw Error(CL_INVALID_IMAGE_DESCRIPTOR,
                "the memory that the image is to be made from is neither a buffer nor an image");
  return *buffer;
}

// Whether texture units read the buffer in place: aligned rows of a 2D image, or a single row that begins at an aligned address and has a
// format that they support.
bool is_sampled_in_place(const Buffer& buffer, const ImageFormat& format, const ImageShape& shape,
                         const ImageLimits& limits) {
  if (buffer.imported() && !buffer.imported()->is_in_one_piece())
    return false;  // a texture cannot span registrations
  if (shape.type == CL_MEM_OBJECT_IMAGE2D)
    return shape.row_pitch % limits.row_alignment == 0 && shape.row_pitch <= limits.sampled_pitch;
  return shape.type == CL_MEM_OBJECT_IMAGE1D_BUFFER && !format.is_packed() && !format.srgb &&
         shape.size[0] <= limits.sampled_width && begins_aligned(buffer, limits.base_alignment);
}

// An image made from immutable memory must have CL_MEM_IMMUTABLE_EXT, too.
cl_mem_flags flags_in(const MemoryObject& other, cl_mem_flags flags) {
  require(!other.is_immutable() || flags & CL_MEM_IMMUTABLE_EXT, CL_INVALID_VALUE,
          "an image without CL_MEM_IMMUTABLE_EXT of memory that is immutable");
  return inherited_flags(other.flags(), flags);
}

// An image in a buffer (cl_khr_image2d_from_buffer, cl_ext_image_from_buffer).
cl_mem create_in_buffer(Context& context, const std::vector<cl_mem_properties>& properties,
                        cl_mem_flags flags, const cl_image_format* name, const cl_image_desc& desc) {
  Buffer& buffer = buffer_of(desc);
  require(desc.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR, "a mipmap in a buffer");
  require(&buffer.context() == &context, CL_INVALID_CONTEXT, "the buffer belongs to another context");
  flags = flags_in(buffer, flags);
  const ImageFormat format = checked_format(name, flags, desc.image_type);
  const ImageLimits limits = ImageLimits::of(context.devices());
  ImageShape shape{
      .type = desc.image_type, .size = size_of(desc, limits), .described_levels = desc.num_mip_levels};
  check_alignment(buffer, desc, limits.in_buffer(desc.image_type, format.texel_size));
  take_pitches(desc, format, true, shape);
  require(shape.row_pitch <= buffer.size() && shape.slice_pitch <= buffer.size() &&
              shape.pitched_size() <= buffer.size(),
          CL_INVALID_IMAGE_SIZE, "larger than the buffer");
  const bool in_place = is_sampled_in_place(buffer, format, shape, limits);
  return handle_of(*new Image(buffer, flags, format, shape, in_place, properties));
}

// Table of compatible image channel orders: the same bytes, seen as linear or sRGB values, or a single channel as depth.
bool is_view(const cl_image_format& of, const cl_image_format& as) {
  if (of.image_channel_data_type != as.image_channel_data_type) return false;
  const cl_channel_order a = of.image_channel_order, b = as.image_channel_order;
  const auto are = [&](cl_channel_order first, cl_channel_order second) {
    return (a == first && b == second) || (a == second && b == first);
  };
  return are(CL_BGRA, CL_sBGRA) || are(CL_RGBA, CL_sRGBA) || (a == CL_R && b == CL_DEPTH);
}

// Section 5.3.1.2: a 2D image with the sizes of another 2D image, and another channel order. 0 mipmap levels and 1 are the same. Mipmaps of
// depth do not exist (section 5.3.1).
cl_mem create_view(Context& context, const std::vector<cl_mem_properties>& properties, cl_mem_flags flags,
                   const cl_image_format* name, const cl_image_desc& desc) {
  Image& parent = object_of<Image>(desc.mem_object);
  require(&parent.context() == &context, CL_INVALID_CONTEXT, "the image belongs to another context");
  const ImageShape& shape = parent.shape();
  require(desc.image_type == CL_MEM_OBJECT_IMAGE2D && shape.type == CL_MEM_OBJECT_IMAGE2D,
          CL_INVALID_IMAGE_DESCRIPTOR, "only a 2D image is made from another, and only from a 2D image");
  flags = flags_in(parent, flags);
  const ImageFormat format = checked_format(name, flags, desc.image_type);
  require(is_view(parent.format().name, *name), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "the channel order is not compatible with the other image's");
  require(!format.is_depth() || !shape.levels, CL_INVALID_IMAGE_DESCRIPTOR, "a mipmap seen as depth");
  require(desc.image_width == shape.size[0] && desc.image_height == shape.size[1] &&
              std::max(desc.num_mip_levels, 1u) == std::max(shape.levels, 1u) &&
              (!desc.image_row_pitch || desc.image_row_pitch == shape.row_pitch) &&
              (!desc.image_slice_pitch || desc.image_slice_pitch == shape.slice_pitch),
          CL_INVALID_IMAGE_DESCRIPTOR, "not the other image's sizes");
  return handle_of(*new Image(parent, flags, format, properties));
}

// Section 5.3.1: an image with texels of its own.
cl_mem create_array(Context& context, const std::vector<cl_mem_properties>& properties, cl_mem_flags flags,
                    const cl_image_format* name, const cl_image_desc& desc, void* host) {
  require(desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR,
          "a 1D image buffer is made from a buffer");
  const cl_mem_flags use = flags & CL_MEM_KERNEL_READ_AND_WRITE;  // only restricts formats
  flags &= ~use;
  check_object_flags(flags);
  const ImageFormat format = checked_format(name, flags | use, desc.image_type);
  ImageShape shape{.type = desc.image_type,
                   .size = size_of(desc, ImageLimits::of(context.devices())),
                   .described_levels = desc.num_mip_levels};
  require((host != nullptr) == ((flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0),
          CL_INVALID_HOST_PTR, "a host pointer without a flag that uses it, or the flag without a pointer");
  shared_memory_at(context, host);
  take_pitches(desc, format, host != nullptr, shape);
  take_levels(desc, format, flags, shape);
  if (!(flags & (kDeviceFlags | CL_MEM_IMMUTABLE_EXT))) flags |= CL_MEM_READ_WRITE;
  return handle_of(*new Image(context, flags, format, shape, host, properties));
}

// A parsed list of properties.
struct Properties {
  std::vector<cl_mem_properties> list;  // as it was given, with its terminator
  std::optional<CUarray> cuda_array;
  std::optional<cl_device_id> device;  // whose array it is
};

// Section 5.3.1: known properties, each once. OpenCL 3.1 defines none; cl_clcuda_cuda_interop does.
Properties parse(const cl_mem_properties* list) {
  Properties properties;
  for (const cl_mem_properties* entry = list; entry && *entry; entry += 2) {
    if (entry[0] == CL_MEM_CUDA_ARRAY_CLCUDA && !properties.cuda_array)
      properties.cuda_array = reinterpret_cast<CUarray>(entry[1]);
    else if (entry[0] == CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA && !properties.device)
      properties.device = reinterpret_cast<cl_device_id>(entry[1]);
    else
      throw unknown_property(CL_INVALID_PROPERTY, "an unknown or repeated image property", entry[0]);
    properties.list.insert(properties.list.end(), entry, entry + 2);
  }
  if (list) properties.list.push_back(0);
  require(!properties.device || properties.cuda_array, CL_INVALID_PROPERTY,
          "CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA without an array");
  return properties;
}

// cl_clcuda_cuda_interop: the array belongs to the device that is named, or to the context's only device.
ApplicationArray array_of(const Context& context, const Properties& properties) {
  if (!properties.device)
    require(context.devices().size() == 1, CL_INVALID_PROPERTY,
            "no CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA in a context of several devices");
  const Device& device =
      properties.device ? object_of<Device>(*properties.device) : *context.devices().front();
  require(context.has(device), CL_INVALID_DEVICE, "the array's device is not one of the context's");
  return application_array(context, context.memory_index(device), *properties.cuda_array);
}

// cl_clcuda_cuda_interop: an image in an array that the application has created with CUDA, with the image's shape and format.
cl_mem create_in_application_array(Context& context, const Properties& properties, cl_mem_flags flags,
                                   const cl_image_format* name, const cl_image_desc& desc, void* host) {
  require(!host, CL_INVALID_HOST_PTR, "a host pointer of an image in an array of CUDA's");
  require(!desc.mem_object && desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER && desc.num_mip_levels <= 1,
          CL_INVALID_IMAGE_DESCRIPTOR, "an array of CUDA's is no buffer, no other image and no mipmap");
  const cl_mem_flags use = flags & CL_MEM_KERNEL_READ_AND_WRITE;  // only restricts formats
  flags &= ~use;
  check_flags(flags, kDeviceFlags | kHostFlags);
  const ImageFormat format = checked_format(name, flags | use, desc.image_type);
  ImageShape shape{.type = desc.image_type,
                   .size = size_of(desc, ImageLimits::of(context.devices())),
                   .described_levels = desc.num_mip_levels};
  take_pitches(desc, format, false, shape);
  if (!(flags & kDeviceFlags)) flags |= CL_MEM_READ_WRITE;
  const ApplicationArray array = array_of(context, properties);
  require(has_channels(array.shape, format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
          "the array has channels of another format");
  require(has_shape(array.shape, shape), CL_INVALID_IMAGE_DESCRIPTOR, "the array has another shape");
  require(flags & CL_MEM_READ_ONLY || array.shape.Flags & CUDA_ARRAY3D_SURFACE_LDST, CL_INVALID_VALUE,
          "kernels do not write an array that was made without CUDA_ARRAY3D_SURFACE_LDST");
  return handle_of(*new Image(context, flags, format, shape, array, properties.list));
}

// Section 5.3.1: the descriptor has an image type and no multisampling; the other rules depend on what the image is made from.
cl_mem create_image(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags,
                    const cl_image_format* format, const cl_image_desc* desc, void* host) {
  Context& context = object_of<Context>(handle);
  const Properties wanted = parse(properties);
  require(desc && is_image_type(desc->image_type), CL_INVALID_IMAGE_DESCRIPTOR,
          "no image descriptor, or not of an image");
  require(desc->num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR, "images of several samples are not supported");
  return reporting(context, [&] {
    if (wanted.cuda_array) return create_in_application_array(context, wanted, flags, format, *desc, host);
    if (!desc->mem_object) return create_array(context, wanted.list, flags, format, *desc, host);
    require(!host && !(flags & kPointerFlags),
            desc->mem_object && host ? CL_INVALID_HOST_PTR : CL_INVALID_VALUE,
            "an image in other memory has its host pointer and the flags of it from there");
    if (find_object(desc->mem_object, ObjectType::image))
      return create_view(context, wanted.list, flags, format, *desc);
    return create_in_buffer(context, wanted.list, flags, format, *desc);
  });
}

// Section 5.3.1 of OpenCL 1.1, which had no descriptors: a size that is 0, or a wrong pitch, is CL_INVALID_IMAGE_SIZE.
cl_mem create_image_of_old(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                           const cl_image_desc& desc, void* host) try {
  return create_image(context, nullptr, flags, format, &desc, host);
} catch (const Error& error) {
  if (error.code() != CL_INVALID_IMAGE_DESCRIPTOR) throw;
  throw Error(CL_INVALID_IMAGE_SIZE, error.what());
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                 const cl_image_desc* desc, void* host, cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, context, [&] { return create_image(context, nullptr, flags, format, desc, host); });
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context, const cl_mem_properties* properties,
                                               cl_mem_flags flags, const cl_image_format* format,
                                               const cl_image_desc* desc, void* host, cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, context, [&] { return create_image(context, properties, flags, format, desc, host); });
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                   size_t width, size_t height, size_t row_pitch, void* host, cl_int* error) {
  return created<Shortage::of_memory_objects>(error, context, [&] {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_row_pitch = row_pitch;
    return create_image_of_old(context, flags, format, desc, host);
  });
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                   size_t width, size_t height, size_t depth, size_t row_pitch,
                                   size_t slice_pitch, void* host, cl_int* error) {
  return created<Shortage::of_memory_objects>(error, context, [&] {
    object_of<Context>(context);
    require(depth != 1, CL_INVALID_IMAGE_SIZE, "a depth of 1");
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_depth = depth;
    desc.image_row_pitch = row_pitch;
    desc.image_slice_pitch = slice_pitch;
    return create_image_of_old(context, flags, format, desc, host);
  });
}

// Section 5.3.2.
cl_int CL_API_CALL clGetSupportedImageFormats(cl_context handle, cl_mem_flags flags, cl_mem_object_type type,
                                              cl_uint count, cl_image_format* formats, cl_uint* available) {
  return guarded(handle, [&] {
    object_of<Context>(handle);
    check_flags(flags, kObjectFlags | CL_MEM_KERNEL_READ_AND_WRITE);
    require(is_image_type(type), CL_INVALID_VALUE, "image_type names no kind of image");
    require(!formats || count > 0, CL_INVALID_VALUE, "num_entries is 0 and image_formats is given");
    const std::vector<cl_image_format> supported = supported_formats(flags, type);
    if (formats) std::copy_n(supported.begin(), std::min<size_t>(count, supported.size()), formats);
    if (available) *available = static_cast<cl_uint>(supported.size());
  });
}
