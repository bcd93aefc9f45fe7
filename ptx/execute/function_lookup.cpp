// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/function_lookup.h"

#include "ptx/execute/fault_guard.h"

namespace clcuda::ptx {

const void* find_function(const FunctionEntry* table, std::uint64_t count, std::uint64_t address,
                          std::uint64_t signature) {
  const std::uint64_t offset = address - kFirstFunctionAddress;
  const std::uint64_t index = offset / 16;
  if (offset % 16 != 0 || index >= count || table[index].signature != signature)
    raise_fault({FaultKind::invalid_call, address});
  return table[index].code;
}

}  // namespace clcuda::ptx
