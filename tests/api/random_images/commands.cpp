// SPDX-License-Identifier: Apache-2.0
// The commands of a World.
#include "world.h"

namespace random_images {

void World::write() {
  Picture& picture = any_picture();
  if (is_mapped(*picture.memory, true)) return;
  write_region(picture, random_region(picture), chance(40));
}

// Host memory of a non-blocking write is kept until it is complete; that of a blocking one is overwritten immediately.
void World::write_region(Picture& picture, const Region& region, bool blocking) {
  const Pitches pitches = random_pitches(picture, region);
  Host host = host_memory(pitches.bytes, 0);
  const Bytes texels = test::random_values<std::uint8_t>(region.texels() * picture.texel());
  size_t taken = 0;
  picture.for_each_row(region, [&](size_t, size_t count, size_t y, size_t z) {
    std::memcpy(host.data() + pitches.layout.at(y, z), &texels[taken], count);
    taken += count;
  });
  say("write " + region.text() + " of " + picture.text());
  CL_EXPECT(CL_SUCCESS,
            submit({nullptr, picture.memory.get()}, blocking,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueWriteImage(queue, picture.handle, blocking,
                                                picture.origin_of(region).data(), region.size.data(),
                                                pitches.row, pitches.slice, host.data(), count, waits, event);
                   }))
      << region.text() << " of " << picture.text();
  picture.unpack(region, texels.data());
  if (blocking) std::ranges::fill(*host.bytes, 0xee);
  kept_.push_back(std::move(host));
}

void World::read() {
  Picture& picture = any_picture();
  if (is_mapped(*picture.memory, false)) return;
  check_region(picture, random_region(picture), chance(50));
}

// The read must not change the padding between the rows.
void World::check_region(const Picture& picture, const Region& region, bool blocking) {
  const Pitches pitches = random_pitches(picture, region);
  Host host = host_memory(pitches.bytes, 0xcd);
  Read read{std::move(host), {}, "read " + region.text() + " of " + picture.text()};
  read.expected = *read.host.bytes;
  picture.for_each_row(region, [&](size_t at, size_t count, size_t y, size_t z) {
    std::memcpy(&read.expected[read.host.offset + pitches.layout.at(y, z)], &picture.memory->bytes[at],
                count);
  });
  say(read.what);
  CL_EXPECT(CL_SUCCESS,
            submit({picture.memory.get(), nullptr}, blocking,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueReadImage(queue, picture.handle, blocking,
                                               picture.origin_of(region).data(), region.size.data(),
                                               pitches.row, pitches.slice, read.host.data(), count, waits,
                                               event);
                   }))
      << read.what;
  if (blocking)
    EXPECT_TRUE(*read.host.bytes == read.expected) << read.what;
  else
    reads_.push_back(std::move(read));
}

// Section 5.3.4: images of one format; within one image, the regions must not overlap.
void World::copy() {
  Picture& from = any_picture();
  std::vector<Picture*> others;
  for (const auto& each : pictures_)
    if (same(each->format, from.format)) others.push_back(each.get());
  Picture& to = *any_of(others);
  if (is_mapped(*from.memory, false) || is_mapped(*to.memory, true)) return;
  Region source = random_region(from), target = random_region(to);
  for (unsigned d = 0; d < 3; ++d) source.size[d] = target.size[d] = std::min(source.size[d], target.size[d]);
  const bool overlaps = &from == &to && overlap(source, target);
  // Other overlaps of memory are undefined.
  if (!overlaps && share_bytes(from, source, to, target)) return;
  const std::string what =
      "copy " + source.text() + " of " + from.text() + " to " + target.text() + " of " + to.text();
  say(what);
  CL_EXPECT(overlaps ? CL_MEM_COPY_OVERLAP : CL_SUCCESS,
            submit({from.memory.get(), to.memory.get()}, false,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueCopyImage(queue, from.handle, to.handle, from.origin_of(source).data(),
                                               to.origin_of(target).data(), source.size.data(), count, waits,
                                               event);
                   }))
      << what;
  if (!overlaps) to.unpack(target, from.packed(source).data());
}

// A copy by two kernels, between formats whose values are read back unchanged, except the second encoding of -1 of signed formats.
void World::copy_by_kernels() {
  Picture &from = any_picture(), &to = any_picture();
  const cl_channel_type type = from.format.image_channel_data_type;
  if (!same(from.format, to.format) || test::is_srgb(from.format) || type == CL_FLOAT ||
      type == CL_HALF_FLOAT || from.format.image_channel_order == CL_DEPTH)
    return;
  if (is_mapped(*from.memory, false) || is_mapped(*to.memory, true)) return;
  Region source = random_region(from), target = random_region(to);
  if (source.level || target.level) return;
  for (unsigned d = 0; d < 3; ++d) source.size[d] = target.size[d] = std::min(source.size[d], target.size[d]);
  const std::string what =
      "kernels copy " + source.text() + " of " + from.text() + " to " + target.text() + " of " + to.text();
  say(what);
  const std::string suffix = test::suffix_of(type);
  const char* const ways[] = {"unload", "unload_shared", "sample"};
  Memory between;
  cl_int error = CL_SUCCESS;
  const test::Buffer texels = clCreateBuffer(context_, 0, source.texels() * 16, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  const auto run = [&](const Uses& uses, const Picture& picture, const Region& region,
                       const std::string& name) {
    const cl_kernel kernel = kernels_.find(picture.type, suffix, name);
    const auto start = [&](unsigned d) { return static_cast<cl_int>(region.origin[d]); };
    const cl_int4 origin = {{start(0), start(1), start(2), 0}};
    const cl_mem memory[] = {picture.handle, texels};
    for (cl_uint i = 0; i < 2; ++i)
      CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[i])) << what;
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof origin, &origin));
    CL_EXPECT(CL_SUCCESS,
              submit(uses, false,
                     [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                       return clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, region.size.data(), nullptr,
                                                     count, waits, event);
                     }))
        << what;
  };
  run({from.memory.get(), &between}, from, source,
      ways[below(from.type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 2 : 3)]);
  run({&between, to.memory.get()}, to, target, "store");
  Bytes bytes = from.packed(source);
  for (size_t i = 0; i < source.texels(); ++i) make_canonical(from.format, &bytes[i * from.texel()]);
  to.unpack(target, bytes.data());
}

void World::copy_with_buffer(bool to_buffer) {
  Picture& picture = any_picture();
  const Buffer& buffer = any_of(buffers_);
  Memory *image_memory = picture.memory.get(), *buffer_memory = buffer.memory.get();
  if (is_mapped(*image_memory, !to_buffer) || is_mapped(*buffer_memory, to_buffer)) return;
  const Region region = random_region(picture);
  const size_t bytes = region.texels() * picture.texel();
  if (bytes > buffer.size) return;
  const size_t offset = below(buffer.size - bytes + 1);
  // Sections 5.3.5.1 and 5.3.5.2: a 1D image buffer cannot be copied to or from its own buffer.
  const bool refused =
      picture.type == CL_MEM_OBJECT_IMAGE1D_BUFFER && picture.in_buffer == buffer.handle.get();
  if (!refused && share_bytes(picture, region, buffer, offset, bytes)) return;
  const std::string what = (to_buffer ? "copy to " : "copy from ") + std::to_string(offset) +
                           " of a buffer at " + std::to_string(buffer.base) + ", " + region.text() + " of " +
                           picture.text();
  say(what);
  const auto call = [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
    const auto origin = picture.origin_of(region);
    return to_buffer ? clEnqueueCopyImageToBuffer(queue, picture.handle, buffer.handle, origin.data(),
                                                  region.size.data(), offset, count, waits, event)
                     : clEnqueueCopyBufferToImage(queue, buffer.handle, picture.handle, offset, origin.data(),
                                                  region.size.data(), count, waits, event);
  };
  CL_EXPECT(
      refused ? CL_INVALID_MEM_OBJECT : CL_SUCCESS,
      submit(to_buffer ? Uses{image_memory, buffer_memory} : Uses{buffer_memory, image_memory}, false, call))
      << what;
  if (refused) return;
  const auto in_buffer = buffer_memory->bytes.begin() + static_cast<std::ptrdiff_t>(buffer.base + offset);
  if (to_buffer)
    std::ranges::copy(picture.packed(region), in_buffer);
  else
    picture.unpack(region, Bytes(in_buffer, in_buffer + static_cast<std::ptrdiff_t>(bytes)).data());
}

// Fills with the colour of a random texel, as far as the format has channels, and random values in the other components.
void World::fill() {
  Picture& picture = any_picture();
  if (is_mapped(*picture.memory, true)) return;
  const Region region = random_region(picture);
  Bytes texel = random_texel(picture.format);
  make_canonical(picture.format, texel.data());
  const test::Components components = test::color_of(picture.format, texel.data());
  const std::string suffix = test::suffix_of(picture.format.image_channel_data_type);
  std::array<cl_uint, 4> color{};
  for (unsigned i = 0; i < 4; ++i) {
    const auto number = static_cast<float>(components[i]);
    color[i] = suffix == "f" ? std::bit_cast<cl_uint>(number)
                             : static_cast<cl_uint>(static_cast<std::int64_t>(components[i]));
  }
  say("fill " + region.text() + " of " + picture.text());
  CL_EXPECT(CL_SUCCESS,
            submit({nullptr, picture.memory.get()}, false,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueFillImage(queue, picture.handle, color.data(),
                                               picture.origin_of(region).data(), region.size.data(), count,
                                               waits, event);
                   }))
      << picture.text();
  Bytes texels;
  for (size_t i = 0; i < region.texels(); ++i) texels.insert(texels.end(), texel.begin(), texel.end());
  picture.unpack(region, texels.data());
}

// Section 5.3.7: regions that are mapped for writing must not overlap other mapped regions. Commands in flight may still read the region,
// so a map for writing is ordered after them.
void World::map() {
  Picture& picture = any_picture();
  const cl_map_flags ways[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                               CL_MAP_WRITE_INVALIDATE_REGION};
  Mapping mapping{&picture, random_region(picture), nullptr, {}, any_of(ways)};
  for (const Mapping& other : mappings_) {
    if (other.picture->memory != picture.memory || (!other.writes() && !mapping.writes())) continue;
    if (share_bytes(*other.picture, other.region, picture, mapping.region)) return;
  }
  const bool blocking = chance(50);
  const std::string what = "map " + mapping.region.text() + " of " + picture.text();
  say(what);
  size_t row = 0, slice = 0;
  test::Event mapped;
  CL_EXPECT(
      CL_SUCCESS,
      submit(mapping.writes() ? Uses{nullptr, picture.memory.get()} : Uses{picture.memory.get(), nullptr},
             blocking,
             [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
               cl_int error = CL_SUCCESS;
               mapping.host = static_cast<std::uint8_t*>(clEnqueueMapImage(
                   queue, picture.handle, blocking, mapping.flags, picture.origin_of(mapping.region).data(),
                   mapping.region.size.data(), &row, picture.has_slices() || chance(50) ? &slice : nullptr,
                   count, waits, mapped.out(), &error));
               if (mapped && event) {
                 clRetainEvent(mapped);
                 *event = mapped;
               }
               return error;
             }))
      << what;
  if (!mapping.host) return;
  open_gate();
  CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, mapped.list()));
  mapping.layout = picture.layout_of(row, slice);
  if (!picture.has_slices()) EXPECT_EQ(slice, 0u) << what;
  if (picture.host) {
    const Layout& host = picture.host_layout;
    const Size3& origin = mapping.region.origin;
    EXPECT_EQ(static_cast<void*>(mapping.host),
              picture.host + host.at(origin[1], origin[2]) + origin[0] * picture.texel())
        << what;
  }
  check_mapping(mapping);
  ++picture.memory->mapped;
  picture.memory->written_by_maps += mapping.writes();
  mappings_.push_back(mapping);
}

void World::check_mapping(const Mapping& mapping) {
  if (mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION) return;
  mapping.picture->for_each_row(mapping.region, [&](size_t at, size_t count, size_t y, size_t z) {
    EXPECT_EQ(0,
              std::memcmp(mapping.host + mapping.layout.at(y, z), &mapping.picture->memory->bytes[at], count))
        << "row " << y << ", slice " << z << " of a map, " << mapping.region.text() << " of "
        << mapping.picture->text();
  });
}

void World::unmap() {
  if (!mappings_.empty()) unmap(below(mappings_.size()));
}

// An invalidated region is written completely, another one in part.
void World::unmap(size_t index) {
  const Mapping mapping = mappings_[index];
  Picture& picture = *mapping.picture;
  mappings_.erase(mappings_.begin() + static_cast<std::ptrdiff_t>(index));
  --picture.memory->mapped;
  picture.memory->written_by_maps -= mapping.writes();
  check_mapping(mapping);
  const bool whole = mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION;
  if (mapping.writes())
    picture.for_each_row(mapping.region, [&](size_t at, size_t count, size_t y, size_t z) {
      if (!whole && chance(40)) return;
      const Bytes news = test::random_values<std::uint8_t>(count);
      std::memcpy(mapping.host + mapping.layout.at(y, z), news.data(), count);
      std::memcpy(&picture.memory->bytes[at], news.data(), count);
    });
  say("unmap " + mapping.region.text() + " of " + picture.text());
  CL_EXPECT(CL_SUCCESS,
            submit({nullptr, picture.memory.get()}, false,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueUnmapMemObject(queue, picture.handle, mapping.host, count, waits, event);
                   }))
      << picture.text();
}

void World::write_buffer() {
  const Buffer& buffer = any_of(buffers_);
  if (is_mapped(*buffer.memory, true)) return;
  const size_t offset = below(buffer.size), size = 1 + below(buffer.size - offset);
  Host host = host_memory(size, 0);
  const Bytes news = test::random_values<std::uint8_t>(size);
  std::ranges::copy(news, host.data());
  const bool blocking = chance(40);
  CL_EXPECT(CL_SUCCESS,
            submit({nullptr, buffer.memory.get()}, blocking,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueWriteBuffer(queue, buffer.handle, blocking, offset, size, host.data(),
                                                 count, waits, event);
                   }));
  std::ranges::copy(news, buffer.memory->bytes.begin() + static_cast<std::ptrdiff_t>(buffer.base + offset));
  if (blocking) std::ranges::fill(*host.bytes, 0xee);
  kept_.push_back(std::move(host));
}

void World::read_buffer() {
  const Buffer& buffer = any_of(buffers_);
  if (is_mapped(*buffer.memory, false)) return;
  Read read{host_memory(buffer.size, 0xcd), {}, "read of a buffer"};
  read.expected = *read.host.bytes;
  std::memcpy(&read.expected[read.host.offset], &buffer.memory->bytes[buffer.base], buffer.size);
  CL_EXPECT(CL_SUCCESS,
            submit({buffer.memory.get(), nullptr}, false,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return clEnqueueReadBuffer(queue, buffer.handle, CL_FALSE, 0, buffer.size,
                                                read.host.data(), count, waits, event);
                   }));
  reads_.push_back(std::move(read));
}

void World::other_command() {
  Picture& picture = any_picture();
  if (is_mapped(*picture.memory, true)) return;
  const cl_mem object = picture.handle;
  const bool barrier = chance(30);
  CL_EXPECT(CL_SUCCESS,
            submit({nullptr, picture.memory.get()}, false,
                   [&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
                     return barrier ? clEnqueueBarrierWithWaitList(queue, count, waits, event)
                                    : clEnqueueMigrateMemObjects(queue, 1, &object,
                                                                 chance(50) ? CL_MIGRATE_MEM_OBJECT_HOST : 0,
                                                                 count, waits, event);
                   }));
  if (chance(30)) settle();
}

}  // namespace random_images
