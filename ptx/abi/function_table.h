// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// Functions whose addresses a program takes are numbered. In device code, function `index` has this address, whichever tier's code (tier.h)
// calls it. Not an address of memory, so that a call of anything else is found out.
constexpr std::uint64_t kFirstFunctionAddress = std::uint64_t{0xc2} << 56;
constexpr std::uint64_t function_address(std::uint64_t index) { return kFirstFunctionAddress + 16 * index; }

// What generated code knows of such a function, by its number.
struct FunctionEntry {
  const void* code;
  std::uint64_t signature;  // a number for the sizes of its results and parameters
};

// Looks an address up in a table of `count` entries, for a call with that signature. Ends the block with a fault if there is no such
// function. Parameters: table, count, address, signature; gives back the code.
inline constexpr char kFindFunction[] = "clcuda_find_function";

}  // namespace clcuda::ptx
