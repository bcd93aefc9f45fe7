// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace clcuda::cuda {

// Bytes stored and loaded because registers did not suffice.
struct Spills {
  std::uint64_t stores = 0, loads = 0;
};
// The spills of the kernel `symbol` according to the PTX compiler's log (MachineCode::log); empty if the log does not mention them.
std::optional<Spills> spills_of(std::string_view log, std::string_view symbol);

}  // namespace clcuda::cuda
