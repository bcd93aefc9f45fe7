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

// A code object, which cuLinkComplete returns: machine code for this host and its description, as values and as bytes.

// The address of kernel `index` in device code, which launches kernels by it. Not an address of memory.
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

// A variable that the host can look up by its name.
struct GlobalEntry {
  std::string name;
  std::uint64_t offset, size;
};

// The memory of .global and .const variables; offsets and sizes are in bytes.
struct GlobalsDescription {
  std::uint64_t bytes = 0;
  std::vector<InitialBytes> initial;  // with zeros between them
  std::vector<AddressFixup> fixups;
  std::vector<GlobalEntry> exported;
};

// A kernel's machine code: its regions in the object, and what the scheduler and the launch need to know of them.
struct KernelCode {
  KernelDescription description;
  std::string symbol;                // region k is the function symbol + "." + k
  std::vector<Wait> waits;           // state k + 1 waits for waits[k]
  std::vector<std::uint32_t> exits;  // of each region: the state in which all items leave it, or kStateVaries
  std::uint32_t slot_bytes = 0;      // of one item
  std::uint32_t kept_local_bytes = 0;  // of one item, across suspensions
  std::uint32_t dynamic_shared_offset = 0;
};

// A code object as values. `object` is a relocatable ELF object with the regions of all kernels.
struct CodeObjectDescription {
  std::vector<KernelCode> kernels;
  GlobalsDescription globals;
  std::string object;
  std::vector<std::string> units;  // of quick code: the PTX
};

// A code object as bytes, for files and for the application. `host` names the machine that the code is for (translate/host_target.h).
std::string serialize(const CodeObjectDescription& object, std::string_view host);
// The inverse of serialize(). Throws std::runtime_error, with the reason, if the bytes are no code object, of another version or host, or
// damaged.
CodeObjectDescription deserialize(std::string_view bytes, std::string_view host);

// True if bytes begin like a code object, not like PTX text.
bool is_code_object(std::string_view bytes);

// The size of the code object at `bytes` according to its header, or 0 if there is none: cuModuleLoadData is given no size. Reads the
// bytes in order, and none behind the first that differs from the beginning of a code object, so that `bytes` may be a short C string.
std::size_t code_object_size(const void* bytes);

}  // namespace clcuda::ptx
