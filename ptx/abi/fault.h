// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace clcuda::ptx {

// Why a block has been ended early. Such an error is sticky for the context, as in CUDA.
enum class FaultKind : std::uint8_t {
  illegal_address,
  misaligned_address,
  illegal_instruction,
  invalid_call,  // of an address that is no function's
  trap,
  stack_overflow
};
struct Fault {
  FaultKind kind;
  std::uint64_t address;
};

}  // namespace clcuda::ptx
