// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/rehearsal.h"

#include <exception>
#include <map>
#include <memory>

#include "base/log.h"
#include "base/mutex.h"
#include "cuda/context.h"
#include "cuda/module.h"
#include "runtime/device/device_resources.h"
#include "runtime/memory/host_transfer.h"
#include "runtime/program/machine_code_cache.h"

namespace clcuda {
namespace {

// Understood by every driver and PTX compiler that the platform works with.
constexpr const char* kEmptyKernel =
    ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n";

// The module of the empty kernel of each device that has had a rehearsal. Kept like DeviceResources until the process ends.
class EmptyKernels {
 public:
  cuda::Function on(DeviceResources& resources) {
    if (const cuda::Module* known = find(resources)) return known->function("empty");
    const auto code = cached_machine_code(resources.device(), kEmptyKernel);
    auto module = std::make_unique<const cuda::Module>(resources.context(), code->code);
    MutexLock lock(mutex_);
    return modules_.try_emplace(&resources, std::move(module)).first->second->function("empty");
  }

 private:
  const cuda::Module* find(const DeviceResources& resources) {
    MutexLock lock(mutex_);
    const auto known = modules_.find(&resources);
    return known == modules_.end() ? nullptr : known->second.get();
  }

  Mutex mutex_ LOCK_RANK(empty_kernels);
  std::map<const DeviceResources*, std::unique_ptr<const cuda::Module>> modules_ GUARDED_BY(mutex_);
};

EmptyKernels& empty_kernels() {
  static auto& kernels = *new EmptyKernels;
  return kernels;
}

}  // namespace

void rehearse(DeviceResources& resources, cuda::Stream& stream) noexcept {
  try {
    const cuda::Current current(resources.context());
    rehearse_transfers(resources, stream);
    resources.launch(stream, empty_kernels().on(resources), {{1, 1, 1}, {1, 1, 1}}, nullptr, 0);
  } catch (const std::exception& error) {
    log::debug("no rehearsal: {}", error.what());
  }
}

}  // namespace clcuda
