// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/abi/block.h"
#include "ptx/abi/kernel_description.h"

namespace clcuda::ptx {

// A code object: machine code of this host with a description, what cuLinkComplete returns. Here as values,
// and as the bytes that these become.

// The address of kernel `index` in device code: nothing that memory could have.
constexpr std::uint64_t kFirstKernelAddress = std::uint64_t{0xc1} << 56;
constexpr std::uint64_t kernel_address(std::uint64_t index) { return kFirstKernelAddress + 16 * index; }

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
  std::vector<std::uint32_t> exits;  // of each region: the state in which all items leave it, or kStateVaries
  std::uint32_t slot_bytes = 0;      // of one item
  std::uint32_t kept_local_bytes = 0;  // of one item, across suspensions
  std::uint32_t dynamic_shared_offset = 0;
};

struct CodeObjectDescription {
  std::vector<KernelCode> kernels;
  GlobalsDescription globals;
  std::string object;
  std::vector<std::string> units;  // of quick code: the PTX
};

// `host` names the machine that the code is for.
std::string serialize(const CodeObjectDescription& object, std::string_view host);
// Throws std::runtime_error with the reason if the bytes are not a code object of this version, host or
// checksum.
CodeObjectDescription deserialize(std::string_view bytes, std::string_view host);

// Whether bytes begin like a code object (and not like PTX text).
bool is_code_object(std::string_view bytes);

// The size of the code object that begins at `bytes`, as its header says, or 0 if none does (cuModuleLoadData
// is given no size). Reads the bytes in order and none beyond the first that differs from a code object's
// beginning, so that a short C string may lie there.
std::size_t code_object_size(const void* bytes);

}  // namespace clcuda::ptx
