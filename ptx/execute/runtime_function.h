// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace clcuda::ptx {

// A function of the library that generated code may call, by its symbol.
struct RuntimeFunction {
  std::string name;
  void* address;
};

template <typename Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace clcuda::ptx
