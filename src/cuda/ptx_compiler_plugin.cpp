// SPDX-License-Identifier: Apache-2.0
// The PTX compiler library as a plug-in, for builds without it: its licence does not allow everyone to redistribute it.
// clcuda-ptx-compiler makes it on the user's machine (packaging/clcuda-ptx-compiler).
#include "base/ptx_compiler_plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/log.h"
#include "cuda/ptx_compiler_functions.h"

namespace clcuda::cuda {
namespace {

// The plug-in allocates with clcuda's functions, which enforce the budget of a build (icd/allocation_functions.cpp). The plug-in's source,
// in clcuda-ptx-compiler, declares the same structure.
struct AllocationFunctions {
  void* (*allocate)(std::size_t);
  void* (*allocate_zeroed)(std::size_t, std::size_t);
  void* (*reallocate)(void*, std::size_t);
  void (*release)(void*);
};

std::string folder_of_this_library() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&folder_of_this_library), &info) || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

template <class Function>
bool load(void* plugin, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(plugin, name));
  if (!function)
    log::warning("the PTX compiler's plug-in has no {}: clcuda-ptx-compiler makes a new one", name);
  return function != nullptr;
}

const PtxCompilerFunctions* open_plugin() {
  const std::string file = find_ptx_compiler_plugin(folder_of_this_library());
  if (file.empty()) {
    log::info("no plug-in with NVIDIA's PTX compiler: the driver makes the machine code");
    return nullptr;
  }
  // Never closed: compiler threads that nothing waits for any more may run its code.
  void* plugin = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    log::warning("the PTX compiler's plug-in cannot be loaded: {}", dlerror());
    return nullptr;
  }
  static constinit PtxCompilerFunctions functions{};
  void (*use_allocation_functions)(const AllocationFunctions*) = nullptr;
  const bool complete = load(plugin, "clcuda_use_allocation_functions", use_allocation_functions) &&
                        load(plugin, "nvPTXCompilerGetVersion", functions.version) &&
                        load(plugin, "nvPTXCompilerCreate", functions.create) &&
                        load(plugin, "nvPTXCompilerDestroy", functions.destroy) &&
                        load(plugin, "nvPTXCompilerCompile", functions.compile) &&
                        load(plugin, "nvPTXCompilerGetCompiledProgramSize", functions.code_size) &&
                        load(plugin, "nvPTXCompilerGetCompiledProgram", functions.code) &&
                        load(plugin, "nvPTXCompilerGetInfoLogSize", functions.info_log_size) &&
                        load(plugin, "nvPTXCompilerGetInfoLog", functions.info_log) &&
                        load(plugin, "nvPTXCompilerGetErrorLogSize", functions.error_log_size) &&
                        load(plugin, "nvPTXCompilerGetErrorLog", functions.error_log);
  if (!complete) return nullptr;
  static const AllocationFunctions kOurs{std::malloc, std::calloc, std::realloc, std::free};
  use_allocation_functions(&kOurs);
  log::info("PTX compiler: {}", file);
  return &functions;
}

}  // namespace

const PtxCompilerFunctions* ptx_compiler_functions() {
  static const PtxCompilerFunctions* const functions = open_plugin();
  return functions;
}

}  // namespace clcuda::cuda
