// SPDX-License-Identifier: Apache-2.0
#include "support/nccl.h"

#include <dlfcn.h>

#include <stdexcept>

namespace client {
namespace {

struct Loaded {
  Loaded() {
    for (const char* name : {"libnccl.so.2", CLCUDA_NCCL_LIBRARY})
      if (!library && *name) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      problem =
          "libnccl.so.2 is not found: it is in the wheel nvidia-nccl-cu13; LD_LIBRARY_PATH names its folder";
      return;
    }
    find("ncclGetErrorString", functions.GetErrorString);
    find("ncclGetVersion", functions.GetVersion);
    find("ncclGetUniqueId", functions.GetUniqueId);
    find("ncclCommInitRank", functions.CommInitRank);
    find("ncclCommInitAll", functions.CommInitAll);
    find("ncclCommDestroy", functions.CommDestroy);
    find("ncclGroupStart", functions.GroupStart);
    find("ncclGroupEnd", functions.GroupEnd);
    find("ncclSend", functions.Send);
    find("ncclRecv", functions.Recv);
    find("ncclAllReduce", functions.AllReduce);
  }

  template <typename Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) problem = std::string("libnccl.so.2 has no ") + name;
  }

  void* library = nullptr;
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
