// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/function.h"

#include "ptx/driver/driver_error.h"
#include "ptx/driver/handle_table.h"

namespace clcuda::ptx::driver {

std::uint64_t function_handle(const Ref<Module>& module, const std::string& name) {
  const Kernel* kernel = module->find_kernel(name);
  require(kernel != nullptr, CUDA_ERROR_NOT_FOUND);
  return module->function_handle(
      name, [&] { return handles<Function>().add(Ref<Function>::adopt(new Function(module, *kernel))); });
}

void unload(Module& module) {
  for (const std::uint64_t handle : module.unload()) handles<Function>().remove(handle);
}

}  // namespace clcuda::ptx::driver
