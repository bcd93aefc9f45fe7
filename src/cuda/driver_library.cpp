// SPDX-License-Identifier: Apache-2.0
#include "cuda/driver_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include "base/log.h"

namespace clcuda::cuda {
namespace {

struct Library {
  DriverTable table;
  std::string failure;
  bool is_too_old = false;
};

// cuda.h renames functions to their newest versions by macro (cuMemAlloc → cuMemAlloc_v2); the second macro
// expands the name first.
#define CLCUDA_SYMBOL_NAME(function) #function

Library open_library() {
  Library library;
  void* handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    library.failure = dlerror();
    return library;
  }
  const auto load = [&](auto& slot, const char* name, bool required) {
    slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(dlsym(handle, name));
    // Both versions have the same signature; drivers before 12.8 have only the older.
    if (!slot && std::string_view(name) == "cuEventElapsedTime_v2")
      slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(dlsym(handle, "cuEventElapsedTime"));
    if (slot || !required) return;
    library.failure = std::string("the driver has no ") + name + ": it is older than 12.0";
    library.is_too_old = true;
  };
#define REQUIRED(function) load(library.table.function, CLCUDA_SYMBOL_NAME(function), true);
#define OPTIONAL(function) load(library.table.function, CLCUDA_SYMBOL_NAME(function), false);
#include "cuda/driver_functions.def"
#undef REQUIRED
#undef OPTIONAL
  return library;
}

const Library& driver_library() {
  static const Library& library = *new Library(open_library());
  return library;
}

}  // namespace

bool gpu_present() {
  // Bare metal and containers have the first node, the Windows subsystem for Linux has the second.
  return (access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0) && gpu_driver() != nullptr;
}

const DriverTable* gpu_driver(std::string* reason) {
  const Library& library = driver_library();
  if (library.failure.empty()) return &library.table;
  if (reason)
    *reason = library.failure;
  else if (library.is_too_old)
    log::write(log::Level::error,
               "no GPU is used: " + library.failure);  // whatever CLCUDA_LOG says: an update helps
  log::info("no CUDA driver: {}", library.failure);
  return nullptr;
}

}  // namespace clcuda::cuda
