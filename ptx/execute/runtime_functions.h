// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace clcuda::ptx {

struct RuntimeFunction {
  std::string name;
  void* address;
};

template <typename Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

// Everything that generated code may call.
std::span<const RuntimeFunction> runtime_functions();

// directed_rounding.cpp: the part of them that rounds towards zero, down and up.
std::span<const RuntimeFunction> directed_rounding_functions();

// texture_functions.cpp and surface_functions.cpp.
std::span<const RuntimeFunction> texture_functions();
std::span<const RuntimeFunction> surface_functions();
// device_runtime.cpp: functions of CUDA's device runtime, by CUDA's names. Device code calls them with the block, the addresses of
// results and those of arguments.
std::span<const RuntimeFunction> device_runtime_functions();
bool is_device_runtime_function(std::string_view name);

}  // namespace clcuda::ptx
