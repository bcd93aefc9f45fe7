// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/module.h"

#include <utility>

#include "base/log.h"
#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"

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
  // An alignment above the arena's is obtained within a larger allocation.
  const std::size_t slack = alignment > Arena::kAlignment ? alignment - Arena::kAlignment : 0;
  self.globals_.push_back(
      self.context_->device().memory().allocate(size + slack, MemoryKind::module, self.context_));
  const CUdeviceptr address = self.globals_.back().address;
  return reinterpret_cast<void*>(slack ? (address + alignment - 1) / alignment * alignment : address);
}

std::vector<std::uint64_t> Module::unload() {
  unloaded_.store(true, std::memory_order_relaxed);
  std::map<std::string, std::uint64_t> functions;
  {
    MutexLock lock(mutex_);
    functions.swap(functions_);
  }
  std::vector<std::uint64_t> handles;
  for (const auto& [name, handle] : functions) handles.push_back(handle);
  return handles;
}

}  // namespace clcuda::ptx::driver
