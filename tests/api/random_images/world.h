// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>

#include "model.h"

namespace random_images {

// Kernels that copy texels from an image to a buffer with four components each, and back, for each image type and channel type.
class Kernels {
 public:
  explicit Kernels(cl_context context) : context_(context) {}
  // `name`: "unload", "sample" (with a sampler in the source), "unload_shared" (from a read_write image), "store".
  cl_kernel find(cl_mem_object_type type, const std::string& suffix, const std::string& name);

 private:
  test::Program build(cl_mem_object_type type, const std::string& suffix) const;

  const cl_context context_;
  std::map<std::string, test::Kernel> kernels_;
};

// A few buffers and images, and random commands on them. Some worlds have one in-order queue, which keeps the order of the calls; others
// have several queues of all kinds and devices, with events for the order.
class World {
 public:
  World(cl_context context, const std::vector<cl_device_id>& devices, Kernels& kernels);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step();
  // Waits for all commands, and checks all reads and each byte of each object.
  void check_all();

 private:
  static constexpr int kPictures = 7;
  // Host memory of a command, which must outlive it.
  struct Host {
    std::unique_ptr<Bytes> bytes;
    size_t offset = 0;
    std::uint8_t* data() const { return bytes->data() + offset; }
  };
  struct Read {
    Host host;
    Bytes expected;
    std::string what;
  };
  struct Mapping {
    Picture* picture;
    Region region;
    std::uint8_t* host;
    Layout layout;
    cl_map_flags flags;

    bool writes() const { return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION); }
  };
  // The memory that a command accesses; `to` is null if it only reads.
  struct Uses {
    Memory *from, *to;
  };

  static size_t below(size_t bound) { return test::random_engine()() % bound; }
  static bool chance(unsigned percent) { return below(100) < percent; }
  template <class Range>
  static const auto& any_of(const Range& range) {
    return range[below(std::size(range))];
  }

  // Objects (objects.cpp).
  void make_buffers();
  void add_buffer(const Buffer& of, size_t base, size_t size);
  Picture make_picture();
  bool make_own(Picture& picture);
  bool make_in_buffer(Picture& picture);
  bool make_view(Picture& picture);
  bool take_size_and_format(Picture& picture);
  void take_contents(Picture& picture);
  bool create(Picture& picture, const cl_image_desc& desc, void* host);
  cl_image_desc desc_of(const Picture& picture) const;
  void replace_picture();

  // Commands (commands.cpp).
  void write();
  void read();
  void copy();
  void copy_with_buffer(bool to_buffer);
  void fill();
  void map();
  void unmap();
  void read_buffer();
  void write_buffer();
  void other_command();
  void copy_by_kernels();
  void write_region(Picture& picture, const Region& region, bool blocking);
  void check_region(const Picture& picture, const Region& region, bool blocking);
  void check_mapping(const Mapping& mapping);
  void unmap(size_t index);

  // Shared functions (world.cpp).
  template <class Call>
  cl_int submit(const Uses& uses, bool blocking, Call call);
  std::vector<cl_event> waits_for(const Uses& uses, bool may_be_held);
  void note(const Uses& uses, test::Event event);
  void settle();
  void open_gate();
  bool is_mapped(const Memory& memory, bool writing) const;
  Picture& any_picture();
  Region random_region(const Picture& picture) const;
  static size_t random_size();
  // Random pitches for a call, and the resulting layout.
  struct Pitches {
    size_t row, slice;
    Layout layout;
    size_t bytes;
  };
  Pitches random_pitches(const Picture& picture, const Region& region) const;
  static Host host_memory(size_t bytes, std::uint8_t filled_with);
  void say(const std::string& what) const;

  const cl_context context_;
  Kernels& kernels_;
  std::vector<test::Queue> queues_;
  bool ordered_ = false;  // by one in-order queue
  size_t alignment_ = 1;  // of rows in buffers, in texels
  bool any_type_in_buffers_ = false;
  std::vector<cl_image_format> formats_;
  std::deque<Buffer> buffers_;
  std::vector<std::unique_ptr<Picture>> pictures_;
  std::vector<Mapping> mappings_;
  std::vector<Host> kept_;                   // until the queues have finished
  std::vector<std::shared_ptr<void>> lent_;  // used by objects, kept as long as the world
  std::vector<Read> reads_;
  test::Event gate_;  // a user event that holds commands
  int behind_gate_ = 0;
};

template <class Call>
cl_int World::submit(const Uses& uses, bool blocking, Call call) {
  if (blocking || behind_gate_ > 10) open_gate();
  const std::vector<cl_event> waits = waits_for(uses, !blocking);
  const bool wants_event = !ordered_ || chance(50);
  test::Event event;
  const test::Queue& queue = any_of(queues_);
  const cl_int code = call(queue.get(), static_cast<cl_uint>(waits.size()),
                           waits.empty() ? nullptr : waits.data(), wants_event ? event.out() : nullptr);
  if (code != CL_SUCCESS) return code;
  if (!ordered_ || chance(20)) CL_EXPECT(CL_SUCCESS, clFlush(queue));
  if (!ordered_) note(uses, std::move(event));
  return code;
}

}  // namespace random_images
