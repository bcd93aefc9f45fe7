// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace clcuda::compiler::spirv {

// A specialization constant's value, as clSetProgramSpecializationConstant gave it: little-endian bytes.
struct Specialization {
  std::uint32_t id = 0;  // SpecId
  std::string value;
};

// A specialization constant of a module.
struct SpecializableConstant {
  std::uint32_t id;    // SpecId
  std::uint32_t size;  // in bytes; 1 for a boolean
};

}  // namespace clcuda::compiler::spirv
