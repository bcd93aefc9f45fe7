// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clcuda::ptx {

// In bytes, in the kernel's parameter buffer.
struct KernelParameter {
  std::uint32_t offset, size, alignment;
};

// What a launch and cuFuncGetAttribute need to know of a kernel. Sizes are in bytes.
struct KernelDescription {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // of one work-item
  std::uint32_t registers = 0;
  std::uint32_t max_threads = 1024;               // .maxntid, or 1024
  std::array<std::uint32_t, 3> required_block{};  // .reqntid; 0 0 0: any
};

}  // namespace clcuda::ptx
