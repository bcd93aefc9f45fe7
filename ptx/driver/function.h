// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "ptx/driver/device.h"
#include "ptx/driver/module.h"
#include "ptx/executor/tier_up_compiler.h"

namespace clcuda::ptx::driver {

// A CUfunction: a kernel of a loaded module, with its attributes.
class Function final : public TierUpCandidate {
 public:
  static constexpr HandleType kHandleType = HandleType::function;
  Function(Ref<Module> module, const Kernel& kernel) : module_(std::move(module)), kernel_(kernel) {
    const std::uint32_t fixed = description().static_shared_bytes;
    dynamic_shared_limit_ = fixed < kSharedBytes ? kSharedBytes - fixed : 0;
  }

  Context& context() const { return module_->context(); }
  const Ref<Module>& module() const { return module_; }
  const Kernel& kernel() const { return kernel_; }
  const KernelDescription& description() const { return kernel_.description(); }

  std::uint32_t dynamic_shared_limit() const { return dynamic_shared_limit_.load(std::memory_order_relaxed); }
  void set_dynamic_shared_limit(std::uint32_t bytes) {
    dynamic_shared_limit_.store(bytes, std::memory_order_relaxed);
  }
  // Whether a block of that shape may be launched with that much dynamic shared memory.
  bool allows(std::uint64_t threads, std::size_t dynamic_shared_bytes) const {
    return threads > 0 && threads <= description().max_threads && threads <= kMaxBlockThreads &&
           dynamic_shared_bytes <= dynamic_shared_limit();
  }

  void tier_up() noexcept override { module_->tier_up(kernel_); }

  // Duration of a block when last measured; 0 before that.
  std::uint64_t block_nanoseconds() const { return block_nanoseconds_.load(std::memory_order_relaxed); }
  void set_block_nanoseconds(std::uint64_t nanoseconds) {
    block_nanoseconds_.store(nanoseconds, std::memory_order_relaxed);
  }

 private:
  const Ref<Module> module_;
  const Kernel& kernel_;
  std::atomic<std::uint32_t> dynamic_shared_limit_;
  std::atomic<std::uint64_t> block_nanoseconds_{0};
};

// The handle of a module's kernel, the same at each call. Throws DriverError{CUDA_ERROR_NOT_FOUND}.
std::uint64_t function_handle(const Ref<Module>& module, const std::string& name);
// Ends the handles of the module's functions: its kernels can no longer be launched.
void unload(Module& module);

}  // namespace clcuda::ptx::driver
