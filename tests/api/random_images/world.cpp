// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <cstdio>
#include <cstdlib>

#include "support/device_info.h"

namespace random_images {

World::World(cl_context context, const std::vector<cl_device_id>& devices, Kernels& kernels)
    : context_(context), kernels_(kernels), ordered_(chance(40)) {
  const auto add_queue = [&](cl_device_id device, cl_command_queue_properties properties) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    queues_.push_back(clCreateCommandQueueWithProperties(context, device, list, &error));
    CL_EXPECT(CL_SUCCESS, error);
  };
  add_queue(any_of(devices), chance(20) ? CL_QUEUE_PROFILING_ENABLE : 0);
  if (!ordered_)
    for (const cl_device_id device : devices) {
      add_queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
      if (chance(50)) add_queue(device, 0);
    }
  for (const cl_device_id device : devices)
    alignment_ =
        std::max<size_t>(alignment_, test::device_info<cl_uint>(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT));
  any_type_in_buffers_ = test::offers(devices.front(), "cl_ext_image_from_buffer");
  make_buffers();
  while (pictures_.size() < kPictures) pictures_.push_back(std::make_unique<Picture>(make_picture()));
}

World::~World() {
  open_gate();
  for (const test::Queue& queue : queues_) clFinish(queue);
}

void World::say(const std::string& what) const {
  static const bool trace = std::getenv("CLCUDA_TEST_TRACE") != nullptr;
  if (trace) std::fprintf(stderr, "%s\n", what.c_str());
}

void World::step() {
  switch (below(23)) {
    case 0:
    case 1:
      return read();
    case 2:
    case 3:
    case 4:
      return write();
    case 5:
    case 6:
    case 7:
      return copy();
    case 8:
    case 9:
      return copy_with_buffer(chance(50));
    case 10:
    case 11:
      return fill();
    case 12:
    case 13:
      return map();
    case 14:
    case 15:
      return unmap();
    case 16:
      return write_buffer();
    case 17:
      return read_buffer();
    case 18:
      return other_command();
    case 19:
    case 20:
    case 21:
      return copy_by_kernels();
    default:
      return replace_picture();
  }
}

std::vector<cl_event> World::waits_for(const Uses& uses, bool may_be_held) {
  std::vector<cl_event> waits;
  if (may_be_held && !gate_ && chance(5)) {
    cl_int error = CL_SUCCESS;
    gate_ = clCreateUserEvent(context_, &error);
    CL_EXPECT(CL_SUCCESS, error);
    waits.push_back(gate_);
  }
  if (gate_) ++behind_gate_;
  if (ordered_) return waits;
  for (const Memory* memory : {uses.from, uses.to})
    if (memory && memory->writer) waits.push_back(memory->writer);
  if (uses.to)
    for (const test::Event& reader : uses.to->readers) waits.push_back(reader);
  return waits;
}

void World::note(const Uses& uses, test::Event event) {
  if (uses.from && uses.from != uses.to) {
    CL_EXPECT(CL_SUCCESS, clRetainEvent(event));
    uses.from->readers.emplace_back(event.get());
  }
  if (!uses.to) return;
  uses.to->readers.clear();
  uses.to->writer = std::move(event);
}

void World::open_gate() {
  if (gate_) CL_EXPECT(CL_SUCCESS, clSetUserEventStatus(gate_, CL_COMPLETE));
  gate_.reset();
  behind_gate_ = 0;
}

void World::settle() {
  open_gate();
  for (const test::Queue& queue : queues_) CL_EXPECT(CL_SUCCESS, clFinish(queue));
  for (const Read& read : reads_) EXPECT_TRUE(*read.host.bytes == read.expected) << read.what;
  reads_.clear();
  kept_.clear();
}

void World::check_all() {
  while (!mappings_.empty()) unmap(0);
  settle();
  for (const auto& picture : pictures_)
    for (cl_uint level = 0; level < std::max(picture->levels, 1u); ++level)
      check_region(*picture, {.size = picture->level_size(level), .level = level}, true);
}

// Section 5.5.4: commands must not write a mapped object; they may read one that is mapped for reading only.
bool World::is_mapped(const Memory& memory, bool writing) const {
  return writing ? memory.mapped > 0 : memory.written_by_maps > 0;
}

Picture& World::any_picture() { return *any_of(pictures_); }

size_t World::random_size() {
  const size_t kind = below(100);
  return kind < 20 ? 1 : kind < 60 ? 2 + below(8) : kind < 95 ? 10 + below(60) : 200 + below(1500);
}

Region World::random_region(const Picture& picture) const {
  Region region;
  if (picture.levels > 1) region.level = static_cast<cl_uint>(below(picture.levels));
  const Size3 size = picture.level_size(region.level);
  const bool whole = chance(25);
  for (unsigned d = 0; d < 3; ++d) {
    region.origin[d] = whole || chance(30) ? 0 : below(size[d]);
    region.size[d] = whole || chance(30) ? size[d] - region.origin[d] : 1 + below(size[d] - region.origin[d]);
  }
  return region;
}

World::Pitches World::random_pitches(const Picture& picture, const Region& region) const {
  Pitches pitches{};
  size_t row = region.size[0] * picture.texel();
  if (chance(50)) pitches.row = row += chance(30) ? 0 : below(50);
  const bool lines = picture.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t slice = lines ? row : row * region.size[1];
  if (picture.has_slices() && chance(50)) pitches.slice = slice += chance(30) ? 0 : below(200);
  pitches.layout = picture.layout_of(row, slice);
  pitches.bytes =
      pitches.layout.at(region.size[1] - 1, region.size[2] - 1) + region.size[0] * picture.texel();
  return pitches;
}

World::Host World::host_memory(size_t bytes, std::uint8_t filled_with) {
  const size_t offset = chance(50) ? 0 : below(16);
  return {std::make_unique<Bytes>(bytes + offset + 8, filled_with), offset};
}

}  // namespace random_images
