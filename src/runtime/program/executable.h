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

#include "base/mutex.h"
#include "compiler/compiled_program.h"
#include "cuda/module.h"
#include "runtime/program/machine_code_cache.h"

namespace clcuda {

class Device;

// What CUDA allows on any device.
inline constexpr std::size_t kMostItemsOfGroup = 1024;

// One kernel of one variant on one device, ready to launch.
struct KernelFunction {
  cuda::Function function;
  const compiler::KernelInfo* info = nullptr;
  const compiler::KernelCode* code = nullptr;
  cuda::Function scheduler;     // of the tasks that the kernel enqueues (builtins/device_tasks.h)
  unsigned max_group_size = 0;  // work-items that a group may have (CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)

  // What was reckoned for the last launch that left the group's size to us: dynamic local memory << 32 | work-items; 0: none yet.
  mutable std::atomic<std::uint64_t> wanted_group_size = 0;
};

// The executable of a program for one device: what the compiler made, and its code on the device. Immutable
// once built, shared by the program and its kernels, so that a rebuild does not disturb kernels that exist or
// run.
class Executable {
 public:
  // `machine_code`: of image->uniform. It is loaded at once where the device is idle; otherwise when first used, because the driver
  // loads code only between kernels, and makes launches of other threads wait with it.
  Executable(Device& device, std::shared_ptr<const compiler::CompiledProgram> image,
             MachineCode machine_code);
  ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  Device& device() const { return device_; }
  const compiler::CompiledProgram& image() const { return *image_; }
  // The place of a kernel in image().kernels.
  std::optional<std::size_t> find(std::string_view kernel) const;

  // The code for a launch of that variant, loaded if it is not yet. The general variant is compiled when first asked for.
  // Throws Error(CL_OUT_OF_RESOURCES) if that fails, or what the driver says of the code.
  // It stays in its place as long as the executable.
  const KernelFunction& function(std::size_t kernel, compiler::Variant variant);
  // The same for work-groups that take more registers than the device has for one: with fewer for each work-item, compiled when first
  // asked for. Throws Error(CL_INVALID_WORK_GROUP_SIZE) where there is no such code.
  const KernelFunction& function_for_groups(std::size_t kernel, compiler::Variant variant,
                                            std::size_t group_size);
  // The uniform variant for images of which this is known; null if there is none. For the first kind of images that a kernel is given it is
  // compiled at once, as most are given no other; for others when they have come a few times.
  const KernelFunction* for_images(std::size_t kernel,
                                   const std::vector<compiler::KnownImage>& images) noexcept;

 private:
  struct Loaded;
  using Modules = std::vector<std::shared_ptr<cuda::Module>>;
  struct ForImages;
  ForImages* find_for_images(std::size_t kernel, const std::vector<compiler::KnownImage>& images) const;
  ForImages& add_for_images(std::size_t kernel, const std::vector<compiler::KnownImage>& images)
      REQUIRES(mutex_);
  void make_for_images(ForImages& entry) const noexcept;
  Modules load_modules(const compiler::VariantCode& code, MachineCode& machine_code,
                       unsigned max_registers) const;
  void find_kernels(Loaded& loaded, const compiler::VariantCode& code) const;
  void load(Loaded& loaded, const compiler::VariantCode& code, MachineCode machine_code,
            unsigned max_registers = 0) const;
  const Loaded& load_for_groups(compiler::Variant variant, std::size_t group_size);
  void finalize(const Loaded& loaded) const noexcept;
  Loaded& load_uniform();
  Loaded& load_general();

  Device& device_;
  Device& root_;  // lives longer than a sub-device
  const std::shared_ptr<const compiler::CompiledProgram> image_;
  std::atomic<Loaded*> ready_uniform_ = nullptr, ready_general_ = nullptr;
  Mutex mutex_ LOCK_RANK(executable);
  MachineCode machine_code_ GUARDED_BY(mutex_);  // until it is loaded
  std::unique_ptr<Loaded> uniform_ GUARDED_BY(mutex_);
  std::unique_ptr<Loaded> general_ GUARDED_BY(mutex_);
  // By variant, and the bound on registers: for groups of 512, and of as many as a device takes.
  std::array<std::array<std::unique_ptr<Loaded>, 2>, 2> for_groups_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<ForImages>> for_images_ GUARDED_BY(mutex_);
  std::atomic<ForImages*> last_for_images_ = nullptr;  // a list, which launches go through without a lock
};

}  // namespace clcuda
