// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/module.h"

#include <array>
#include <optional>
#include <utility>

#include "base/log.h"
#include "ptx/abi/code_object.h"
#include "ptx/driver/device.h"
#include "ptx/driver/function.h"
#include "ptx/executor/compile.h"

namespace clcuda::ptx::driver {

Module::Module(Context& context, std::string_view image) : context_(&context) {
  std::string log;
  code_ = CodeObject::load(image, allocate_globals, this, log);
  if (code_) return;
  for (const Allocation& allocation : globals_)
    context.device().memory().free(allocation.address, allocation.id);
  log::error("an image cannot be loaded: {}", log);
  refuse(CUDA_ERROR_INVALID_IMAGE);
}

Module::~Module() {
  code_.reset();
  for (const Allocation& allocation : globals_)
    context_->device().memory().free(allocation.address, allocation.id);
}

void* Module::allocate_globals(void* module, std::size_t size, std::size_t alignment) {
  auto& self = *static_cast<Module*>(module);
  // More than the arena's alignment is found within a larger allocation.
  const std::size_t slack = alignment > Arena::kAlignment ? alignment - Arena::kAlignment : 0;
  self.globals_.push_back(
      self.context_->device().memory().allocate(size + slack, MemoryKind::module, self.context_));
  const CUdeviceptr address = self.globals_.back().address;
  return reinterpret_cast<void*>(slack ? (address + alignment - 1) / alignment * alignment : address);
}

std::uint64_t Module::function_handle(const std::string& name) {
  const Kernel* kernel = find_kernel(name);
  require(kernel != nullptr, CUDA_ERROR_NOT_FOUND);
  MutexLock lock(mutex_);
  const auto known = functions_.find(name);
  if (known != functions_.end()) return known->second;
  const std::uint64_t handle =
      function_handles().add(Ref<Function>::adopt(new Function(Ref<Module>(this), *kernel)));
  functions_.emplace(name, handle);
  return handle;
}

void Module::unload() {
  unloaded_.store(true, std::memory_order_relaxed);
  std::map<std::string, std::uint64_t> functions;
  {
    MutexLock lock(mutex_);
    functions.swap(functions_);
  }
  for (const auto& [name, handle] : functions) function_handles().remove(handle);
}

HandleTable<Module>& module_handles() {
  static HandleTable<Module>& handles = *new HandleTable<Module>(HandleType::module);
  return handles;
}

namespace {

Ref<Module> module_of(CUmodule handle) {
  current_context();
  Ref<Module> module = module_handles().get(number(handle));
  module->context().require_usable();
  return module;
}

}  // namespace

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
    out = handle_from<CUmodule>(module_handles().add(Ref<Module>::adopt(new Module(context, image))));
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleUnload(CUmodule handle) {
  return entry([&] {
    const Context& current = current_context_unchecked();
    const Ref<Module> module = module_handles().remove(number(handle));
    require(static_cast<bool>(module), CUDA_ERROR_INVALID_HANDLE);
    module->unload();
    return current.status();
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  return entry([&] {
    const Ref<Module> module = module_of(handle);
    CUfunction& out = required(function);
    require(name != nullptr);
    out = handle_from<CUfunction>(module->function_handle(name));
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* size, CUmodule handle, const char* name) {
  return entry([&] {
    const Ref<Module> module = module_of(handle);
    require(name != nullptr);
    const GlobalVariable* global = module->find_global(name);
    require(global != nullptr, CUDA_ERROR_NOT_FOUND);
    if (address) *address = reinterpret_cast<CUdeviceptr>(global->address);  // either may be null
    if (size) *size = global->size;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
