// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/execute/block.h"
#include "ptx/execute/image.h"

namespace clcuda::ptx {

// What an image holds beside machine code, as values; image_format.cpp turns it into bytes and back.

// The address of kernel `index` in device code: nothing that memory could have.
constexpr std::uint64_t first_kernel_address = std::uint64_t{0xc1} << 56;
constexpr std::uint64_t kernel_address(std::uint64_t index) { return first_kernel_address + 16 * index; }

struct InitialBytes {  // of one variable, up to the last that is given
  std::uint64_t where;
  std::string bytes;
};

struct AddressFixup {  // the address of one variable inside the initial value of another
  std::uint64_t where;
  std::uint64_t target;  // an offset into the globals
  std::uint8_t bytes;    // 8, 4, or 1 with a shift
  std::uint8_t shift;
};

struct GlobalEntry {
  std::string name;
  std::uint64_t offset, size;
};

struct GlobalsDescription {
  std::uint64_t bytes = 0;
  std::vector<InitialBytes> initial;  // zeros lie between them
  std::vector<AddressFixup> fixups;
  std::vector<GlobalEntry> exported;
};

struct KernelCode {
  KernelDescription description;
  std::string symbol;                // region k is the function symbol + "." + k
  std::vector<Wait> waits;           // state k + 1 waits for waits[k]
  std::vector<std::uint32_t> exits;  // of each region: the state in which all items leave it, or state_varies
  std::uint32_t slot_bytes = 0;      // of one item
  std::uint32_t kept_local_bytes = 0;  // of one item, across suspensions
  std::uint32_t dynamic_shared_offset = 0;
};

struct ImageDescription {
  std::vector<KernelCode> kernels;
  GlobalsDescription globals;
  std::string object;
  std::vector<std::string> units;  // of quick code: the PTX
};

std::string serialize(const ImageDescription& image);
// Throws std::runtime_error with the reason if the bytes are not an image of this version, host or checksum.
ImageDescription deserialize(std::string_view bytes);

}  // namespace clcuda::ptx
