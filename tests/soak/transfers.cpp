// SPDX-License-Identifier: Apache-2.0
// Writes to, copies between and reads from buffers, with a model of their bytes on the host.
#include <array>

#include "soak/session.h"
#include "soak/tally.h"

namespace soak {
namespace {

// A box in a buffer: the offset of its first byte, and its row and slice pitch.
struct Box {
  std::array<std::size_t, 3> origin{};
  std::size_t row = 0, slice = 0;

  std::size_t at(std::size_t y, std::size_t z) const {
    return origin[0] + (origin[1] + y) * row + (origin[2] + z) * slice;
  }
};
using Region = std::array<std::size_t, 3>;

void copy_box(const std::uint8_t* from, const Box& of_from, std::uint8_t* to, const Box& of_to,
              const Region& region) {
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      std::copy_n(from + of_from.at(y, z), region[0], to + of_to.at(y, z));
}

class Transfers {
 public:
  explicit Transfers(Session& session)
      : session_(session), chain_(session), size_(any_size(200'000)), add_(session.kernel("add")) {
    for (Side& side : sides_) make(side);
  }

  std::unique_ptr<Pending> run() {
    using Step = void (Transfers::*)();
    static constexpr Step kSteps[] = {&Transfers::write,    &Transfers::read,     &Transfers::fill,
                                      &Transfers::copy,     &Transfers::copy_box, &Transfers::write_box,
                                      &Transfers::read_box, &Transfers::map,      &Transfers::add,
                                      &Transfers::migrate,  &Transfers::of_part,  &Transfers::run_native};
    for (auto left = 1 + below(8); left > 0; --left) (this->*any_of(kSteps))();
    read();
    pending_->ends_with(chain_.take_last(), chain_.fails());
    // Buffers that are released here are released while commands use them.
    for (Side& side : sides_)
      if (chance(30)) pending_->keep(std::move(side.buffer));
    return std::move(pending_);
  }

 private:
  struct Side {
    Bytes bytes;
    test::Buffer buffer;
  };
  struct Range {
    std::size_t begin, size;
  };

  void make(Side& side) {
    side.bytes = test::random_values(size_);
    const cl_mem_flags more = chance(20) ? CL_MEM_ALLOC_HOST_PTR : 0;
    switch (below(4)) {
      case 0:
        side.buffer = session_.buffer(size_, more);
        return write_bytes(side, {0, size_});
      case 1:
        return use_host_memory(side);
      default:
        side.buffer = session_.buffer(size_, CL_MEM_COPY_HOST_PTR | more, side.bytes.data());
    }
  }
  // The application may free the memory only after the buffer has been destroyed (section 5.2.1).
  void use_host_memory(Side& side) {
    auto* const memory = new Bytes(side.bytes);
    side.buffer = session_.buffer(size_, CL_MEM_USE_HOST_PTR, memory->data());
    ++callbacks_due();
    const auto free = [](cl_mem, void* bytes) {
      delete static_cast<Bytes*>(bytes);
      count(Count::callbacks);
      --callbacks_due();
    };
    CL_EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(side.buffer, free, memory));
  }

  Side& any_side() { return any_of(sides_); }
  Range any_range() const {
    if (chance(30)) return {0, size_};
    const std::size_t begin = below(size_);
    return {begin, 1 + below(size_ - begin)};
  }
  // Boxes with the same region, each of which ends within its buffer.
  std::pair<Box, Region> any_box(const Region* of_another = nullptr) const {
    const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(std::cbrt(size_) / 2));
    const Region region =
        of_another ? *of_another : Region{1 + below(most), 1 + below(most), 1 + below(most)};
    Box box;
    box.row = region[0] + below(most);
    // The slice pitch is a multiple of the row pitch (section 5.2.2).
    box.slice = box.row * (region[1] + below(3));
    const std::size_t end = box.at(region[1] - 1, region[2] - 1) + region[0];
    if (end > size_) return {Box{{}, region[0], region[0] * region[1]}, region};
    box.origin[0] = below(std::min(size_ - end + 1, box.row - region[0] + 1));
    return {box, region};
  }

  void write_bytes(Side& side, Range range) {
    const Bytes& source = pending_->keep(test::random_values(range.size));
    std::ranges::copy(source, side.bytes.begin() + static_cast<std::ptrdiff_t>(range.begin));
    const cl_bool blocking = !chain_.fails() && chance(20);
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueWriteBuffer(queue, side.buffer, blocking, range.begin, range.size, source.data(),
                                  events...);
    });
  }
  void write() { write_bytes(any_side(), any_range()); }

  static Bytes part_of(const Side& side, Range range) {
    const auto begin = side.bytes.begin() + static_cast<std::ptrdiff_t>(range.begin);
    return {begin, begin + static_cast<std::ptrdiff_t>(range.size)};
  }
  void read() {
    const Side& side = any_side();
    const Range range = any_range();
    std::uint8_t* const seen = pending_->seen(part_of(side, range));
    const cl_bool blocking = !chain_.fails() && chance(10);
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueReadBuffer(queue, side.buffer, blocking, range.begin, range.size, seen, events...);
    });
  }
  void fill() {
    Side& side = any_side();
    const std::size_t size = std::size_t{1} << below(8);
    const Bytes pattern = test::random_values(size);
    const std::size_t begin = below(size_ / size + 1) * size, most = (size_ - begin) / size;
    if (most == 0) return;
    const std::size_t times = 1 + below(most);
    for (std::size_t i = 0; i < times * size; ++i) side.bytes[begin + i] = pattern[i % size];
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueFillBuffer(queue, side.buffer, pattern.data(), size, begin, times * size, events...);
    });
  }
  void copy() {
    const std::size_t size = 1 + below(size_), from = below(size_ - size + 1), to = below(size_ - size + 1);
    std::copy_n(sides_[0].bytes.begin() + static_cast<std::ptrdiff_t>(from), size,
                sides_[1].bytes.begin() + static_cast<std::ptrdiff_t>(to));
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueCopyBuffer(queue, sides_[0].buffer, sides_[1].buffer, from, to, size, events...);
    });
  }
  void copy_box() {
    const auto [from, region] = any_box();
    const Box to = any_box(&region).first;
    soak::copy_box(sides_[1].bytes.data(), from, sides_[0].bytes.data(), to, region);
    chain_([&, &region = region, &from = from](cl_command_queue queue, auto... events) {
      return clEnqueueCopyBufferRect(queue, sides_[1].buffer, sides_[0].buffer, from.origin.data(),
                                     to.origin.data(), region.data(), from.row, from.slice, to.row, to.slice,
                                     events...);
    });
  }
  void write_box() {
    Side& side = any_side();
    const auto [box, region] = any_box();
    const Bytes& source = pending_->keep(test::random_values(region[0] * region[1] * region[2]));
    const Box packed{{}, region[0], region[0] * region[1]};
    soak::copy_box(source.data(), packed, side.bytes.data(), box, region);
    chain_([&, &region = region, &box = box](cl_command_queue queue, auto... events) {
      return clEnqueueWriteBufferRect(queue, side.buffer, CL_FALSE, box.origin.data(), packed.origin.data(),
                                      region.data(), box.row, box.slice, packed.row, packed.slice,
                                      source.data(), events...);
    });
  }
  void read_box() {
    const Side& side = any_side();
    const auto [box, region] = any_box();
    const Box packed{{}, region[0], region[0] * region[1]};
    Bytes expected(region[0] * region[1] * region[2]);
    soak::copy_box(side.bytes.data(), box, expected.data(), packed, region);
    std::uint8_t* const seen = pending_->seen(std::move(expected));
    chain_([&, &region = region, &box = box](cl_command_queue queue, auto... events) {
      return clEnqueueReadBufferRect(queue, side.buffer, CL_FALSE, box.origin.data(), packed.origin.data(),
                                     region.data(), box.row, box.slice, packed.row, packed.slice, seen,
                                     events...);
    });
  }
  // The host accesses the mapping immediately, so no earlier command may fail.
  void map() {
    if (chain_.fails()) return;
    Side& side = any_side();
    const Range range = any_range();
    const cl_map_flags flags =
        std::array{CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}[below(3)];
    const cl_bool blocking = chance(50);
    std::uint8_t* mapped = nullptr;
    chain_([&](cl_command_queue queue, auto... events) {
      cl_int error = CL_SUCCESS;
      mapped = static_cast<std::uint8_t*>(clEnqueueMapBuffer(queue, side.buffer, blocking, flags, range.begin,
                                                             range.size, events..., &error));
      return error;
    });
    chain_.wait();
    if (!mapped) return;
    if (flags & CL_MAP_READ) EXPECT_TRUE(std::equal(mapped, mapped + range.size, &side.bytes[range.begin]));
    const Bytes source = test::random_values(range.size);
    const auto all = static_cast<std::ptrdiff_t>(
        flags & CL_MAP_WRITE_INVALIDATE_REGION ? range.size : below(range.size + 1));
    std::copy(source.begin(), source.begin() + all, mapped);
    std::copy(source.begin(), source.begin() + all, &side.bytes[range.begin]);
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueUnmapMemObject(queue, side.buffer, mapped, events...);
    });
  }
  void add_to(cl_mem buffer, std::uint8_t* bytes, std::size_t count) {
    const auto value = static_cast<cl_uchar>(1 + below(255));
    const auto number = static_cast<cl_uint>(count);
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(add_, 0, sizeof buffer, &buffer));
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(add_, 1, sizeof number, &number));
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(add_, 2, sizeof value, &value));
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(bytes[i] + value);
    const std::size_t items = count + below(100), group = 1 + below(64);
    const bool chosen = chance(50);
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueNDRangeKernel(queue, add_, 1, nullptr, &items, chosen ? &group : nullptr, events...);
    });
  }
  void add() {
    Side& side = any_side();
    add_to(side.buffer, side.bytes.data(), 1 + below(size_));
  }
  void migrate() {
    const cl_mem list[] = {sides_[0].buffer, sides_[1].buffer};
    const cl_mem_migration_flags flags = chance(30) ? CL_MIGRATE_MEM_OBJECT_HOST : 0;
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueMigrateMemObjects(queue, 1 + static_cast<cl_uint>(below(2)), list, flags, events...);
    });
  }
  // A sub-buffer that is released right after the enqueue.
  void of_part() {
    constexpr std::size_t kAligned = 4096;
    Side& side = any_side();
    const std::size_t begin = below(size_ / kAligned + 1) * kAligned;
    if (begin >= size_) return;
    const cl_buffer_region region{begin, 1 + below(size_ - begin)};
    cl_int error = CL_SUCCESS;
    const test::Buffer part =
        clCreateSubBuffer(side.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_EXPECT(CL_SUCCESS, error);
    add_to(part, &side.bytes[begin], region.size);
  }
  // A native kernel as a command of the chain.
  void run_native() {
    cl_device_exec_capabilities able = 0;
    clGetDeviceInfo(session_.devices().front(), CL_DEVICE_EXECUTION_CAPABILITIES, sizeof able, &able,
                    nullptr);
    if (!(able & CL_EXEC_NATIVE_KERNEL)) return;
    struct Arguments {
      std::uint8_t* bytes;
      std::size_t size;
    } arguments{nullptr, size_};
    Side& side = any_side();
    for (std::uint8_t& byte : side.bytes) byte ^= 0xff;
    const cl_mem buffer = side.buffer;
    const void* place = &arguments.bytes;
    const auto invert = [](void* given) {
      const auto& [bytes, size] = *static_cast<Arguments*>(given);
      for (std::size_t i = 0; i < size; ++i) bytes[i] ^= 0xff;
    };
    chain_([&](cl_command_queue queue, auto... events) {
      return clEnqueueNativeKernel(queue, invert, &arguments, sizeof arguments, 1, &buffer, &place,
                                   events...);
    });
  }

  Session& session_;
  Chain chain_;
  const std::size_t size_;
  const test::Kernel add_;
  std::unique_ptr<Pending> pending_ = std::make_unique<Pending>("transfers");
  std::array<Side, 2> sides_;
};

}  // namespace

std::unique_ptr<Pending> transfer(Session& session) { return Transfers(session).run(); }

}  // namespace soak
