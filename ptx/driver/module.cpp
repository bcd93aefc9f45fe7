// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/module.h"

#include <system_error>

#include "base/log.h"
#include "ptx/driver/device.h"
#include "ptx/driver/driver_error.h"

namespace clcuda::ptx::driver {

Module::Module(Context& context, std::string_view image) : context_(&context), globals_(context_) {
  const auto allocate = [](void* globals, std::size_t size, std::size_t alignment) {
    return static_cast<Globals*>(globals)->allocate(size, alignment);
  };
  std::string log;
  try {
    code_ = CodeObject::load(image, allocate, &globals_, log);
  } catch (const std::system_error& error) {
    log::error("an image cannot be loaded: {}", error.what());
    refuse(CUDA_ERROR_OPERATING_SYSTEM);
  }
  if (code_) return;
  log::error("an image cannot be loaded: {}", log);
  refuse(CUDA_ERROR_INVALID_IMAGE);
}

Module::Globals::~Globals() {
  for (const Allocation& allocation : allocations_)
    context_->device().memory().free(allocation.address, allocation.id);
}

void* Module::Globals::allocate(std::size_t size, std::size_t alignment) {
  // An alignment above the arena's is obtained within a larger allocation.
  const std::size_t slack = alignment > Arena::kAlignment ? alignment - Arena::kAlignment : 0;
  allocations_.push_back(context_->device().memory().allocate(size + slack, MemoryKind::module, context_));
  const CUdeviceptr address = allocations_.back().address;
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
