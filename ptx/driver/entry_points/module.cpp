// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/module.h"

#include <array>
#include <optional>
#include <string>

#include "base/log.h"
#include "ptx/abi/code_object.h"
#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/function.h"
#include "ptx/driver/lookup.h"
#include "ptx/executor/compile.h"

namespace clcuda::ptx::driver {

// Machine code as cuLinkComplete returns it, or the text of a PTX file.
CUresult cuModuleLoadData(CUmodule* handle, const void* bytes) {
  return entry([&] {
    Context& context = current_context();
    CUmodule& out = required(handle);
    require(bytes != nullptr);
    std::optional<std::string> compiled;
    std::string_view image;
    if (const std::size_t size = code_object_size(bytes)) {
      image = {static_cast<const char*>(bytes), size};
    } else {
      std::string log;
      const std::array units{std::string_view(static_cast<const char*>(bytes))};
      compiled = compile(units, log);
      if (!compiled) {
        log::error("PTX is refused: {}", log);
        return CUDA_ERROR_INVALID_PTX;
      }
      image = *compiled;
    }
    out = handle_from<CUmodule>(handles<Module>().add(Ref<Module>::adopt(new Module(context, image))));
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleUnload(CUmodule handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    const Ref<Module> module = handles<Module>().remove(number(handle));
    require(static_cast<bool>(module), CUDA_ERROR_INVALID_HANDLE);
    unload(*module);
    return current.status();
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  return entry([&] {
    const Ref<Module> module = object_of<Module>(handle);
    CUfunction& out = required(function);
    require(name != nullptr);
    out = handle_from<CUfunction>(function_handle(module, name));
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* size, CUmodule handle, const char* name) {
  return entry([&] {
    const Ref<Module> module = object_of<Module>(handle);
    require(name != nullptr);
    const GlobalVariable* global = module->find_global(name);
    require(global != nullptr, CUDA_ERROR_NOT_FOUND);
    if (address) *address = reinterpret_cast<CUdeviceptr>(global->address);  // either may be null
    if (size) *size = global->size;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
