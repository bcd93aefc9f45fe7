// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "runtime/image/image.h"
#include "runtime/memory/buffer.h"

namespace clcuda {

// One use that a command makes of a memory object: which part of it and how; and where that lies on a device,
// once it is resident there. A command lists its uses (Command::uses); whoever emits it makes them resident
// ahead of that, each time:
//
//   make_resident(command.uses(), device, stream);
//   command.emit(stream);
//
// The object is kept until the use goes.
class MemoryUse {
 public:
  // Bytes of a buffer; or a box of them, which begins at `box.device` in it. Of none, nothing becomes
  // resident.
  MemoryUse(Buffer& buffer, ByteRange range, Access access);
  MemoryUse(Buffer& buffer, const cuda::BoxSide& box, const Size3& region, Access access);
  // A region of an image, for a copy.
  MemoryUse(Image& image, const ImageRegion& region, Access access);
  // An argument of a kernel: a whole buffer, or an image. `parameter` is the place of its address among the
  // bytes that the kernel is given.
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
  // Of a kernel's image that is only read: that samplers of these states (a set of bits) may read it.
  void set_sampler_states(std::uint32_t states) {
    if (kind_ == Kind::kernel_image && access_ == Access::read) sampler_states_ = states;
  }

  // The parameter of a buffer that a kernel finds by an address among its own data: none.
  static constexpr std::size_t kNoParameter = 0xffffffff;

  // Makes the part usable by what is recorded next into `stream`: allocates it, brings it from other devices,
  // orders the stream behind that. The CUDA context is current. `device` is the place in the context's list.
  void make_resident(std::size_t device, cuda::Stream& stream) {
    if (kind_ == Kind::buffer) [[likely]]
      make_bytes_resident(static_cast<Buffer&>(*object_), device, stream);
    else
      make_image_resident(device, stream);
  }
  // Everything that uses the object from now on comes behind what `stream` holds, which has just written to
  // it; where it can.
  void order_others_behind(std::size_t device, cuda::Stream& stream);
  bool can_order_others() const;
  // Whether the part lies in a CUDA array.
  bool is_in_array() const { return kind_ == Kind::array; }

  // Of a resident use. The address is that of the buffer's first byte, or of the image's descriptor.
  CUdeviceptr address() const { return address_; }
  // Where not null, the memory is another device's (Access::read_anywhere).
  const cuda::DeviceContext* peer() const { return kind_ == Kind::buffer ? place_.peer : nullptr; }
  // A box that counts from the beginning of the buffer, or of the array, where it is.
  cuda::BoxSide at(const cuda::BoxSide& box) const;
  // What a kernel's image is; null for other uses.
  const clcuda_image* descriptor() const { return kind_ == Kind::kernel_image ? place_.descriptor : nullptr; }
  // Ahead of each launch that uses a kernel's image: brings what it samples up to date.
  void refresh_copy(std::size_t device, cuda::Stream& stream) const;

  std::size_t parameter() const { return parameter_; }
  std::size_t size() const { return range_.size(); }  // of bytes of a buffer
  Image& image() const { return static_cast<Image&>(*object_); }

 private:
  enum class Kind : std::uint8_t { buffer, image_in_buffer, array, kernel_image };
  // What there is to know of a place besides its address.
  union Place {
    const cuda::DeviceContext* peer = nullptr;  // of bytes
    CUarray array;
    const clcuda_image* descriptor;
  };

  Buffer& buffer() const {
    return kind_ == Kind::buffer ? static_cast<Buffer&>(*object_) : *image().buffer();
  }
  void make_bytes_resident(Buffer& buffer, std::size_t device, cuda::Stream& stream) {
    if (range_.empty()) return;
    const Storage::Location location = buffer.use(device, stream, range_, access_);
    address_ = location.address;
    place_.peer = location.peer;
  }
  void make_image_resident(std::size_t device, cuda::Stream& stream);

  Ref<MemoryObject> object_;
  ByteRange range_;  // of a buffer's bytes; of an array, empty or not
  CUdeviceptr address_ = 0;
  Place place_;  // the member is that of the kind
  std::uint32_t parameter_ = 0;
  std::uint32_t sampler_states_ = 0;
  Access access_;
  Kind kind_;
  std::uint8_t level_ = 0;  // of a mipmap
  bool reads_copy_ = false;
};

inline void make_resident(std::span<MemoryUse> uses, std::size_t device, cuda::Stream& stream) {
  for (MemoryUse& use : uses) use.make_resident(device, stream);
}

}  // namespace clcuda
