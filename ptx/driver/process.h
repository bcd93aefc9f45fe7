// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "ptx/driver/functions.h"
#include "ptx/executor/tier_up_compiler.h"

namespace clcuda::ptx::driver {

class Arena;
class Device;
class HostFunctionThreads;
class PrimaryContextSlot;
class RegisteredMemory;

// What exists once per process: the devices, host memory, and the threads for host functions. Made by the
// first cuInit and never destroyed, because threads may be at work while the process exits.
//
// Phases: before cuInit every call answers CUDA_ERROR_NOT_INITIALIZED; after it calls work; in the child of a
// fork they answer CUDA_ERROR_NOT_INITIALIZED for good, because the threads and locks of the parent are not
// there.
class Process {
 public:
  static void set_device_count(int count) noexcept;  // the first call decides
  static CUresult initialise();
  static CUresult phase() noexcept;
  static Process& get() noexcept;  // only after initialise()

  std::span<const std::unique_ptr<Device>> devices() const { return devices_; }
  // Throws DriverError{CUDA_ERROR_INVALID_DEVICE}.
  Device& device(CUdevice ordinal) const;
  PrimaryContextSlot& primary_context(const Device& device) const;
  // Page-locked and managed memory, of all contexts.
  Arena& host_memory() const { return *host_memory_; }
  // What of the memory of the program itself is page-locked.
  RegisteredMemory& registered_memory() const { return *registered_memory_; }
  HostFunctionThreads& host_functions() const { return *host_functions_; }
  TierUpCompiler& tier_up_compiler() const { return *tier_up_compiler_; }
  // The arena an address lies in, whether allocated or not; null for memory that is not ours.
  Arena* arena_of(CUdeviceptr address) const noexcept;

 private:
  explicit Process(int device_count);

  std::vector<std::unique_ptr<Device>> devices_;
  std::unique_ptr<Arena> host_memory_;
  std::unique_ptr<RegisteredMemory> registered_memory_;
  std::vector<std::unique_ptr<PrimaryContextSlot>> primary_contexts_;
  std::unique_ptr<HostFunctionThreads> host_functions_;
  std::unique_ptr<TierUpCompiler> tier_up_compiler_;
};

}  // namespace clcuda::ptx::driver
