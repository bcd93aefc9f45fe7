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

struct GlobalVariable {
  std::string name;
  void* address;
  std::size_t size;
};

class Kernel {
 public:
  const KernelDescription& description() const { return description_; }
  // Generated code and what it needs. Each block keeps to what it began with.
  const LoadedKernel& code() const noexcept { return *code_.load(std::memory_order_acquire); }
  Tier tier() const noexcept;
  // Counts time spent in quick code. True, once, when it has become as much as better code costs:
  // CodeObject::tier_up.
  bool spend(std::uint64_t nanoseconds) const noexcept;

 private:
  friend class LoadedCodeObject;
  KernelDescription description_;
  std::atomic<const LoadedKernel*> code_ = nullptr;
  mutable std::atomic<std::uint64_t> quick_nanoseconds_ = 0;
};

// What compile() has made, loaded: its code, and its global and constant variables, initialised, in memory
// from `allocate_globals`, which is zero: nothing touches what a program declares and never uses.
class CodeObject {
 public:
  virtual ~CodeObject() = default;
  static std::unique_ptr<CodeObject> load(std::string_view bytes,
                                          void* (*allocate_globals)(void* user, std::size_t size,
                                                                    std::size_t alignment),
                                          void* user, std::string& log);
  virtual const Kernel* find_kernel(std::string_view name) const = 0;
  // By its address in device code; null if it is none.
  virtual const Kernel* kernel_at(std::uint64_t address) const = 0;
  virtual const GlobalVariable* find_global(std::string_view name) const = 0;
  // Gives a kernel of quick code full code, which blocks that begin from then on run: beside launches, one
  // kernel at a time. False if that fails, and then all stays as it is.
  virtual bool tier_up(const Kernel& kernel) noexcept = 0;
};

}  // namespace clcuda::ptx
