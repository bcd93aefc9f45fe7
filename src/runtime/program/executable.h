// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "compiler/compiled_program.h"
#include "cuda/module.h"
#include "runtime/program/machine_code_cache.h"

namespace clcuda {

class Device;
struct Build;

// CUDA's limit for threads in a block, the same on every device.
inline constexpr std::size_t kMostItemsOfGroup = 1024;

// One kernel of one variant on one device, ready to launch.
struct KernelFunction {
  cuda::Function function;
  const compiler::KernelInfo* info = nullptr;
  const compiler::KernelCode* code = nullptr;
  cuda::Function scheduler;     // runs the tasks that the kernel enqueues (builtins/device_tasks.h)
  unsigned max_group_size = 0;  // in work-items (CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
  std::size_t static_local_size =
      0;  // bytes of local variables, without dynamic ones (CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)

  // The work-group size chosen for the last launch without one: bytes of dynamic local memory << 32 | work-items; 0: none yet.
  mutable std::atomic<std::uint64_t> wanted_group_size = 0;
};

// The executable of a program for one device: the compiled program and its machine code. Immutable once built, and shared by the program
// and its kernels, so that a rebuild does not affect existing kernels.
class Executable {
 public:
  // `machine_code` is that of program->uniform. It is loaded immediately if the device is idle, otherwise on first use: the driver loads
  // code only between kernels, and launches of other threads wait meanwhile.
  Executable(Device& device, std::shared_ptr<const compiler::CompiledProgram> program,
             MachineCode machine_code);
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  Device& device() const { return device_; }
  const compiler::CompiledProgram& program() const { return *program_; }
  // The kernel's index in program().kernels; empty if there is none of that name.
  std::optional<std::size_t> find(std::string_view kernel) const;

  // The code of a kernel in that variant, valid as long as the executable. It is loaded on first use. The general variant is also compiled
  // then, unless the cache has it: it is then loaded with the program. Throws Error(CL_OUT_OF_RESOURCES) if compilation fails, and the
  // driver's errors.
  const KernelFunction& function(std::size_t kernel, compiler::Variant variant);
  // The same for a work-group size for which that code uses too many registers: code that is compiled on first use with fewer registers per
  // work-item. Throws Error(CL_INVALID_WORK_GROUP_SIZE) if that is impossible.
  const KernelFunction& function_for_groups(std::size_t kernel, compiler::Variant variant,
                                            std::size_t group_size);
  // The uniform variant specialised for launches with these traits; null if there is no such code (yet). It is compiled immediately for the
  // first traits for which a kernel's usual code is not suited, because most kernels have no others; for further traits it is compiled at
  // their fourth launch.
  const KernelFunction* specialized(std::size_t kernel, const compiler::LaunchTraits& traits) noexcept;

 private:
  struct Loaded;
  using Modules = std::vector<std::shared_ptr<cuda::Module>>;
  struct Specialized;
  Specialized* find_specialized(std::size_t kernel, const compiler::LaunchTraits& traits) const;
  Specialized& add_specialized(std::size_t kernel, const compiler::LaunchTraits& traits) REQUIRES(mutex_);
  void make_specialized(Specialized& entry) const noexcept;
  Modules load_modules(const compiler::VariantCode& code, MachineCode& machine_code,
                       unsigned max_registers) const;
  void find_kernels(Loaded& loaded, const compiler::VariantCode& code) const;
  void load(Loaded& loaded, const compiler::VariantCode& code, MachineCode machine_code,
            unsigned max_registers = 0) const;
  const Loaded& load_for_groups(compiler::Variant variant, std::size_t group_size);
  void finalize(const Loaded& loaded) const noexcept;
  Loaded& load_uniform();
  Loaded& load_general();
  Loaded& keep_general(const Build& build) REQUIRES(mutex_);
  void load_known_general() noexcept;

  Device& device_;
  Device& root_;  // exists longer than a sub-device
  const std::shared_ptr<const compiler::CompiledProgram> program_;
  std::unordered_map<std::string_view, std::size_t> kernel_numbers_;  // by name; constant
  std::atomic<Loaded*> ready_uniform_ = nullptr, ready_general_ = nullptr;
  Mutex mutex_ LOCK_RANK(executable);
  MachineCode machine_code_ GUARDED_BY(mutex_);  // until it is loaded
  std::unique_ptr<Loaded> uniform_ GUARDED_BY(mutex_);
  std::unique_ptr<Loaded> general_ GUARDED_BY(mutex_);
  // By variant, and by the limit of registers: for groups of 512 work-items, and of the device's maximum.
  std::array<std::array<std::unique_ptr<Loaded>, 2>, 2> for_groups_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Specialized>> specialized_ GUARDED_BY(mutex_);
  std::atomic<Specialized*> last_specialized_ = nullptr;  // a list, which launches search without a lock
};

}  // namespace clcuda
