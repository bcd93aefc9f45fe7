// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ptx/abi/kernel_description.h"
#include "ptx/abi/tier.h"

namespace clcuda::ptx {

struct LoadedKernel;

// A module-scope variable in .global or .const, at its address on the host.
struct GlobalVariable {
  std::string name;
  void* address;
  std::size_t size;
};

// A kernel of a loaded code object.
class Kernel {
 public:
  const KernelDescription& description() const { return description_; }
  // The current machine code. A block runs the code that it began with to its end.
  const LoadedKernel& code() const noexcept { return *code_.load(std::memory_order_acquire); }
  Tier tier() const noexcept;
  // Counts time spent in unoptimised code. Returns true once, when that is about what optimised compilation takes: call
  // CodeObject::tier_up.
  bool spend(std::uint64_t nanoseconds) const noexcept;

 private:
  friend class LoadedCodeObject;
  KernelDescription description_;
  std::atomic<const LoadedKernel*> code_ = nullptr;
  mutable std::atomic<std::uint64_t> quick_nanoseconds_ = 0;
};

// A loaded code object: the machine code that compile() generated, and its .global and .const variables, initialised.
class CodeObject {
 public:
  virtual ~CodeObject() = default;
  // Loads bytes that compile() returned. Null, with the reason in `log`, if they are no code object for this host. Throws std::bad_alloc
  // or std::system_error if the system has or gives no memory for the machine code. Memory from `allocate_globals` is zero, so that
  // variables without initialisers are not touched.
  static std::unique_ptr<CodeObject> load(std::string_view bytes,
                                          void* (*allocate_globals)(void* user, std::size_t size,
                                                                    std::size_t alignment),
                                          void* user, std::string& log);
  virtual const Kernel* find_kernel(std::string_view name) const = 0;
  // The kernel with this address in device code (kernel_address); null if there is none.
  virtual const Kernel* kernel_at(std::uint64_t address) const = 0;
  virtual const GlobalVariable* find_global(std::string_view name) const = 0;
  // Compiles optimised code for a kernel, which later blocks run. Launches may be in progress; one kernel at a time. Returns false,
  // without effect, if that fails.
  virtual bool tier_up(const Kernel& kernel) noexcept = 0;
};

}  // namespace clcuda::ptx
