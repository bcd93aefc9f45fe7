// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "runtime/image/image.h"
#include "runtime/memory/buffer.h"

namespace clcuda {

// A command's use of a memory object: the part that it accesses, the kind of access, and the part's address on a device once it is resident
// there. A command lists its uses (Command::uses). Before each emit() they are made resident (resident_uses.h). The use holds a reference
// to the object.
class MemoryUse {
 public:
  // Bytes of a buffer, or a box of them, in which `box.device` is an offset. An empty range is not made resident.
  MemoryUse(Buffer& buffer, ByteRange range, Access access);
  MemoryUse(Buffer& buffer, const cuda::BoxSide& box, const Size3& region, Access access);
  // A region of an image, for a copy.
  MemoryUse(Image& image, const ImageRegion& region, Access access);
  // A kernel argument: a whole buffer, or an image. `parameter` is the offset of its address in the kernel's parameter buffer, in bytes.
  MemoryUse(Buffer& buffer, Access access, std::size_t parameter)
      : object_(buffer),
        range_{0, buffer.size()},
        parameter_(static_cast<std::uint32_t>(parameter)),
        access_(access),
        kind_(Kind::buffer) {}
  MemoryUse(Image& image, Access access, std::size_t parameter)
      : object_(image),
        place_{.descriptor = nullptr},
        parameter_(static_cast<std::uint32_t>(parameter)),
        access_(access),
        kind_(Kind::kernel_image) {}
  // For a kernel's image that is only read: the sampler states (a set of bits) with which it may be read.
  void set_sampler_states(std::uint32_t states) {
    if (kind_ == Kind::kernel_image && access_ == Access::read) sampler_states_ = states;
  }

  // `parameter` of a buffer that is not an argument: the kernel finds its address in other data.
  static constexpr std::size_t kNoParameter = 0xffffffff;

  // Makes the part usable by the next work in `stream`: allocates its memory, copies its contents from other devices, and orders the stream
  // after that. The CUDA context is current. `device` is Context::memory_index().
  void make_resident(std::size_t device, cuda::Stream& stream, Takeovers& taken) {
    if (kind_ == Kind::buffer) [[likely]]
      make_bytes_resident(static_cast<Buffer&>(*object_), device, stream, taken);
    else
      make_image_resident(device, stream, taken);
  }
  // Orders all later uses of the object after the work in `stream`, which has just written to it. Only valid if can_order_others(), which
  // is false if the application knows the object's address or array.
  void order_others_behind(std::size_t device, cuda::Stream& stream);
  bool can_order_others() const;
  // Whether the part is in a CUDA array.
  bool is_in_array() const { return kind_ == Kind::array; }

  // The functions below are for a resident use. The address of the buffer's first byte, or of the image's descriptor.
  CUdeviceptr address() const { return address_; }
  // If not null, the memory belongs to another device (Access::read_anywhere).
  const cuda::DeviceContext* peer() const { return kind_ == Kind::buffer ? place_.peer : nullptr; }
  // Converts a box relative to the beginning of the buffer or array to one with its device address or array.
  cuda::BoxSide at(const cuda::BoxSide& box) const;
  // The contents of the descriptor of a kernel's image; null for other uses.
  const clcuda_image* descriptor() const { return kind_ == Kind::kernel_image ? place_.descriptor : nullptr; }
  // To be called before each launch that uses a kernel's image: updates the copy of the texels that it samples.
  void refresh_copy(std::size_t device, cuda::Stream& stream) const;

  // Whether one of two buffer arguments may write bytes of the other.
  bool may_conflict_with(const MemoryUse& other) const noexcept {
    return kind_ == Kind::buffer && other.kind_ == Kind::buffer && parameter_ != kNoParameter &&
           other.parameter_ != kNoParameter && !(access_ == Access::read && other.access_ == Access::read) &&
           buffer().may_overlap(other.buffer());
  }
  // Whether a pointer argument to memory with this identity (Storage::identity; null if unknown) may point into this buffer.
  bool may_be_reached_by_pointer(const void* identity) const noexcept {
    if (kind_ != Kind::buffer || !buffer().has_known_address()) return false;
    const void* own = buffer().memory_identity();
    return !own || !identity || own == identity;
  }

  std::size_t parameter() const { return parameter_; }
  std::size_t size() const { return range_.size(); }  // bytes of a buffer
  Image& image() const { return static_cast<Image&>(*object_); }

 private:
  enum class Kind : std::uint8_t { buffer, image_in_buffer, array, kernel_image };
  // What describes the place, besides its address.
  union Place {
    const cuda::DeviceContext* peer = nullptr;  // of bytes
    CUarray array;
    const clcuda_image* descriptor;
  };

  Buffer& buffer() const {
    return kind_ == Kind::buffer ? static_cast<Buffer&>(*object_) : *image().buffer();
  }
  void make_bytes_resident(Buffer& buffer, std::size_t device, cuda::Stream& stream, Takeovers& taken) {
    if (range_.empty()) return;
    const Storage::Location location = buffer.use(device, stream, range_, access_, taken);
    address_ = location.address;
    place_.peer = location.peer;
  }
  void make_image_resident(std::size_t device, cuda::Stream& stream, Takeovers& taken);

  Ref<MemoryObject> object_;
  ByteRange range_;  // bytes of a buffer; for an array only whether it is empty
  CUdeviceptr address_ = 0;
  Place place_;  // the member that is set depends on kind_
  std::uint32_t parameter_ = 0;
  std::uint32_t sampler_states_ = 0;
  Access access_;
  Kind kind_;
  std::uint8_t level_ = 0;  // of a mipmap
  bool reads_copy_ = false;
};

}  // namespace clcuda
