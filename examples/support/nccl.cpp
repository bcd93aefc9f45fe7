// SPDX-License-Identifier: Apache-2.0
#include "support/nccl.h"

#include <dlfcn.h>

#include <stdexcept>

namespace client {
namespace {

struct Loaded {
  Loaded() {
    void* library = nullptr;
    for (const char* name : {"libnccl.so.2", CLCUDA_NCCL_LIBRARY})
      if (!library && *name) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      problem = "libnccl.so.2 is not found: it is in the wheel nvidia-nccl-cu13; LD_LIBRARY_PATH names its folder";
      return;
    }
#define CLCUDA_NCCL_FUNCTION(name)                                                              \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(library, "nccl" #name));    \
  if (!functions.name) problem = "libnccl.so.2 has no nccl" #name;
    CLCUDA_NCCL_FUNCTIONS(CLCUDA_NCCL_FUNCTION)
#undef CLCUDA_NCCL_FUNCTION
  }
  Nccl functions;
  std::string problem;
};

const Loaded& loaded() {
  static const Loaded library;
  return library;
}

}  // namespace

void check(ncclResult_t result, const char* call) {
  if (result != ncclSuccess)
    throw std::runtime_error(std::string(call) + ": " + loaded().functions.GetErrorString(result));
}

std::string Nccl::problem() { return loaded().problem; }

const Nccl& Nccl::get() {
  if (!problem().empty()) throw std::runtime_error(problem());
  return loaded().functions;
}

std::string Nccl::version() const {
  int number = 0;
  check(GetVersion(&number), "ncclGetVersion");
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

}  // namespace client
