// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/handle_table.h"
#include "ptx/executor/code_object.h"

namespace clcuda::ptx::driver {

// A loaded code object. Its handle can go while launches of its kernels are under way: they hold the module.
class Module final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::module;
  // Throws DriverError{CUDA_ERROR_INVALID_IMAGE} if the executor cannot load it, CUDA_ERROR_OPERATING_SYSTEM if the system refuses memory
  // for machine code, and std::bad_alloc.
  Module(Context& context, std::string_view image);

  Context& context() const { return *context_; }
  const Kernel* find_kernel(std::string_view name) const { return code_->find_kernel(name); }
  const Kernel* kernel_at(std::uint64_t address) const { return code_->kernel_at(address); }
  const GlobalVariable* find_global(std::string_view name) const { return code_->find_global(name); }
  // Compiles optimised code for a kernel, unless the module has been unloaded (CodeObject::tier_up).
  void tier_up(const Kernel& kernel) noexcept {
    if (!unloaded_.load(std::memory_order_relaxed)) code_->tier_up(kernel);
  }
  // A kernel's handle, created by `make` the first time.
  template <class Make>
  std::uint64_t function_handle(const std::string& name, const Make& make) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto known = functions_.find(name);
    if (known != functions_.end()) return known->second;
    const std::uint64_t handle = make();
    functions_.emplace(name, handle);
    return handle;
  }
  // Marks the module as unloaded. Returns its functions' handles, which the caller ends.
  std::vector<std::uint64_t> unload() EXCLUDES(mutex_);

 private:
  // The memory of its variables, allocated while the code is loaded.
  class Globals {
   public:
    explicit Globals(const Ref<Context>& context) : context_(context) {}
    ~Globals();
    Globals(const Globals&) = delete;
    Globals& operator=(const Globals&) = delete;
    void* allocate(std::size_t size, std::size_t alignment);

   private:
    const Ref<Context> context_;
    std::vector<Allocation> allocations_;
  };

  const Ref<Context> context_;
  Globals globals_;
  std::unique_ptr<CodeObject> code_;
  std::atomic<bool> unloaded_{false};
  Mutex mutex_ LOCK_RANK(executor_module);
  std::map<std::string, std::uint64_t> functions_ GUARDED_BY(mutex_);
};

}  // namespace clcuda::ptx::driver
