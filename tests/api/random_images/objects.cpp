// SPDX-License-Identifier: Apache-2.0
// The objects of a World: buffers with and without host memory, images of each type, with their own memory, in buffers, and created from
// other images.
#include <cstdlib>

#include "world.h"

namespace random_images {
namespace {

constexpr size_t kBufferSize = 48 << 10, kMostTexels = 40'000;
// Occasionally an image so large that transfers are split.
constexpr unsigned kLargePercent = 1;

Layout packed_layout(const Picture& picture, cl_uint level, size_t base) {
  const Size3 size = picture.level_size(level);
  const size_t row = size[0] * picture.texel();
  return picture.layout_of(row, picture.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? row : row * size[1], base);
}

// Section 5.3.1.2, table of compatible channel orders; 0 for none.
cl_channel_order other_view(const cl_image_format& format) {
  switch (format.image_channel_order) {
    case CL_RGBA:
      return format.image_channel_data_type == CL_UNORM_INT8 ? CL_sRGBA : 0;
    case CL_BGRA:
      return format.image_channel_data_type == CL_UNORM_INT8 ? CL_sBGRA : 0;
    case CL_sRGBA:
      return CL_RGBA;
    case CL_sBGRA:
      return CL_BGRA;
    case CL_R:
      return format.image_channel_data_type == CL_FLOAT || format.image_channel_data_type == CL_UNORM_INT16
                 ? CL_DEPTH
                 : 0;
    default:
      return 0;
  }
}

}  // namespace

void World::make_buffers() {
  std::vector<cl_image_format> all;
  cl_uint count = 0;
  CL_EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context_, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  all.resize(count);
  CL_EXPECT(CL_SUCCESS,
            clGetSupportedImageFormats(context_, 0, CL_MEM_OBJECT_IMAGE2D, count, all.data(), nullptr));
  for (int i = 0; i < 3; ++i) formats_.push_back(any_of(all));
  const cl_image_format with_views[] = {{CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}};
  if (chance(50)) formats_.push_back(any_of(with_views));

  const cl_mem_flags kinds[] = {0, CL_MEM_USE_HOST_PTR, CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                CL_MEM_ALLOC_HOST_PTR};
  for (int i = 0; i < 2; ++i) {
    Buffer made{{}, std::make_shared<Memory>(), 0, kBufferSize, nullptr, any_of(kinds)};
    made.memory->bytes = test::random_values<std::uint8_t>(kBufferSize);
    // Aligned as required for images in buffers; some of it is SVM.
    const bool shared = made.flags == CL_MEM_USE_HOST_PTR && chance(40);
    const std::shared_ptr<void> host(shared ? clSVMAlloc(context_, CL_MEM_READ_WRITE, kBufferSize + 4096, 0)
                                            : std::malloc(kBufferSize + 4096),
                                     [context = context_, shared](void* memory) {
                                       shared ? clSVMFree(context, memory) : std::free(memory);
                                     });
    auto* aligned = static_cast<std::uint8_t*>(host.get());
    aligned += 4096 - reinterpret_cast<std::uintptr_t>(aligned) % 4096;
    if (shared)
      CL_EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(queues_[0], CL_TRUE, aligned, made.memory->bytes.data(),
                                               kBufferSize, 0, nullptr, nullptr));
    else
      std::ranges::copy(made.memory->bytes, aligned);
    const bool has_contents = made.flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    cl_int error = CL_SUCCESS;
    made.handle = clCreateBuffer(context_, made.flags, kBufferSize, has_contents ? aligned : nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    if (made.flags & CL_MEM_USE_HOST_PTR) made.host = aligned;
    if (!has_contents)
      CL_EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queues_[0], made.handle, CL_TRUE, 0, kBufferSize,
                                                 made.memory->bytes.data(), 0, nullptr, nullptr));
    lent_.push_back(host);
    buffers_.push_back(std::move(made));
    add_buffer(buffers_.back(), 4096 * below(4), 16384 + below(1000) * 16);
  }
}

void World::add_buffer(const Buffer& of, size_t base, size_t size) {
  const cl_buffer_region region{base, size};
  cl_int error = CL_SUCCESS;
  Buffer made{clCreateSubBuffer(of.handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error),
              of.memory,
              base,
              size,
              of.host ? of.host + base : nullptr,
              of.flags};
  CL_EXPECT(CL_SUCCESS, error);
  buffers_.push_back(std::move(made));
}

cl_image_desc World::desc_of(const Picture& picture) const {
  cl_image_desc desc{};
  desc.image_type = picture.type;
  desc.image_width = picture.size[0];
  desc.image_height = picture.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : picture.size[1];
  if (picture.type == CL_MEM_OBJECT_IMAGE3D) desc.image_depth = picture.size[2];
  if (picture.is_array()) desc.image_array_size = picture.size[picture.dimensions() - 1];
  desc.num_mip_levels = picture.levels;
  return desc;
}

bool World::create(Picture& picture, const cl_image_desc& desc, void* host) {
  cl_int error = CL_SUCCESS;
  picture.handle = clCreateImage(context_, picture.flags, &picture.format, &desc, host, &error);
  CL_EXPECT(CL_SUCCESS, error) << picture.text();
  say("create " + picture.text());
  return error == CL_SUCCESS;
}

Picture World::make_picture() {
  for (;;) {
    Picture picture;
    const size_t kind = below(100);
    const bool made = kind < 50   ? make_own(picture)
                      : kind < 85 ? make_in_buffer(picture)
                                  : make_view(picture);
    if (made || testing::Test::HasFailure()) return picture;
  }
}

bool World::take_size_and_format(Picture& picture) {
  const bool large = picture.type == CL_MEM_OBJECT_IMAGE2D && chance(kLargePercent);
  for (unsigned d = 0; d < picture.dimensions(); ++d)
    picture.size[d] = large ? 300 + below(300) : random_size();
  picture.format = any_of(formats_);
  cl_uint count = 0;
  CL_EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context_, 0, picture.type, 0, nullptr, &count));
  std::vector<cl_image_format> all(count);
  CL_EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context_, 0, picture.type, count, all.data(), nullptr));
  return (large || picture.size[0] * picture.size[1] * picture.size[2] <= kMostTexels) &&
         std::ranges::any_of(all, [&](const cl_image_format& each) { return same(each, picture.format); });
}

bool World::make_own(Picture& picture) {
  const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                      CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                      CL_MEM_OBJECT_IMAGE3D};
  const cl_mem_flags kinds[] = {0,
                                0,
                                CL_MEM_USE_HOST_PTR,
                                CL_MEM_COPY_HOST_PTR,
                                CL_MEM_ALLOC_HOST_PTR,
                                CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
  picture.type = any_of(types);
  if (!take_size_and_format(picture)) return false;
  picture.flags = any_of(kinds);
  const bool has_host = picture.flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  size_t largest = 1;
  for (unsigned d = 0; d < picture.dimensions() - picture.is_array(); ++d)
    largest = std::max(largest, picture.size[d]);
  if (!has_host && largest > 1 && picture.format.image_channel_order != CL_DEPTH && chance(35))
    picture.levels = 2 + static_cast<cl_uint>(below(static_cast<size_t>(std::bit_width(largest)) - 1));
  size_t bytes = 0;
  for (cl_uint level = 0; level < std::max(picture.levels, 1u); ++level) {
    picture.layouts.push_back(packed_layout(picture, level, bytes));
    bytes += Region{.size = picture.level_size(level)}.texels() * picture.texel();
  }
  picture.memory = std::make_shared<Memory>();
  picture.memory->bytes = test::random_values<std::uint8_t>(bytes);
  cl_image_desc desc = desc_of(picture);
  if (!has_host) {
    if (!create(picture, desc, nullptr)) return false;
    take_contents(picture);
    return true;
  }
  // From host memory, with random pitches.
  size_t row = picture.size[0] * picture.texel();
  if (chance(60)) desc.image_row_pitch = row += below(5) * picture.texel();
  size_t slice = picture.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? row : row * picture.size[1];
  if (picture.has_slices() && chance(60)) desc.image_slice_pitch = slice += below(3) * row;
  picture.host_layout = picture.layout_of(row, slice);
  const Region whole{.size = picture.size};
  auto host = std::make_shared<Bytes>(
      slice * picture.size[2] * (picture.dimensions() == 2 ? picture.size[1] : 1) + 64);
  picture.for_each_row(whole, [&](size_t at, size_t count, size_t y, size_t z) {
    std::memcpy(host->data() + picture.host_layout.at(y, z), &picture.memory->bytes[at], count);
  });
  if (!create(picture, desc, host->data())) return false;
  if (picture.flags & CL_MEM_USE_HOST_PTR) {
    lent_.push_back(host);
    picture.host = host->data();
  } else {
    std::ranges::fill(*host, 0xee);
  }
  return true;
}

void World::take_contents(Picture& picture) {
  for (cl_uint level = 0; level < std::max(picture.levels, 1u); ++level)
    write_region(picture, {.size = picture.level_size(level), .level = level}, chance(50));
}

bool World::make_in_buffer(Picture& picture) {
  const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE2D,
                                      CL_MEM_OBJECT_IMAGE1D,        CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                      CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
  picture.type = types[below(any_type_in_buffers_ ? std::size(types) : 2)];
  if (!take_size_and_format(picture)) return false;
  cl_image_desc desc = desc_of(picture);
  size_t row = picture.size[0] * picture.texel();
  const size_t step = picture.type == CL_MEM_OBJECT_IMAGE2D ? alignment_ * picture.texel() : picture.texel();
  if (picture.type != CL_MEM_OBJECT_IMAGE1D_BUFFER && chance(60))
    desc.image_row_pitch = row = (row + step - 1) / step * step + below(3) * step;
  const bool lines = picture.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t slice = lines ? row : row * picture.size[1];
  if (picture.has_slices() && chance(60)) desc.image_slice_pitch = slice += below(3) * row;
  const Buffer& buffer = any_of(buffers_);
  if (slice * (lines ? picture.size[1] : picture.size[2]) > buffer.size) return false;
  desc.mem_object = picture.in_buffer = buffer.handle;
  picture.memory = buffer.memory;
  picture.layouts.push_back(picture.layout_of(row, slice, buffer.base));
  picture.host = buffer.host;
  picture.host_layout = picture.layout_of(row, slice);
  return create(picture, desc, nullptr);
}

bool World::make_view(Picture& picture) {
  if (pictures_.empty()) return false;
  const Picture& of = any_picture();
  const cl_channel_order order = other_view(of.format);
  if (of.type != CL_MEM_OBJECT_IMAGE2D || !order || (order == CL_DEPTH && of.levels)) return false;
  picture.type = of.type;
  picture.size = of.size;
  picture.levels = of.levels;
  picture.format = {order, of.format.image_channel_data_type};
  picture.memory = of.memory;
  picture.layouts = of.layouts;
  picture.host = of.host;
  picture.host_layout = of.host_layout;
  picture.in_buffer = of.in_buffer;
  cl_image_desc desc = desc_of(picture);
  desc.mem_object = of.handle;
  return create(picture, desc, nullptr);
}

// Commands that use the old image may be in flight. Its parent, and images created from it, remain.
void World::replace_picture() {
  const size_t index = below(pictures_.size());
  for (const Mapping& mapping : mappings_)
    if (mapping.picture == pictures_[index].get()) return;
  if (is_mapped(*pictures_[index]->memory, true)) return;
  *pictures_[index] = make_picture();
}

}  // namespace random_images
