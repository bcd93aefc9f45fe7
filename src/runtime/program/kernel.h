// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/object.h"
#include "runtime/program/program.h"
#include "runtime/queue/memory_use.h"

namespace clcuda {

// A snapshot of a kernel's arguments when a launch is enqueued. The device addresses of buffers and images are written into `bytes` when
// the command is emitted, because only then are they resident.
struct ArgumentBlock {
  // The parameter buffer, with the offsets of local arguments; its capacity includes a launch record (builtins/launch_record.h).
  std::vector<std::byte> bytes;
  std::vector<MemoryUse>
      uses;  // of buffers and images; for writing, unless the kernel cannot write (`const`, CL_MEM_READ_ONLY)
  std::uint32_t sampler_states = 0;  // that the kernel may use (a set of bits, builtins/image_descriptor.h)
  std::uint32_t dynamic_local_size = 0;  // bytes of dynamic shared memory
  bool aligned = true;                   // all addresses are aligned as the uniform variant needs
};

// cl_kernel. Refers to its arguments weakly: the specification allows the application to release an object that is set as an argument.
// capture_arguments() takes references for one launch.
class Kernel final : public Object {
 public:
  using Handle = cl_kernel;
  static constexpr ObjectType kType = ObjectType::kernel;
  static constexpr cl_int kInvalid = CL_INVALID_KERNEL;

  // The code of this kernel for one device.
  struct Instance {
    std::shared_ptr<Executable> executable;
    std::size_t index;  // in program().kernels

    const compiler::KernelInfo& info() const { return executable->program().kernels[index]; }
    // As in Executable. Costs a few nanoseconds once the code exists.
    const KernelFunction& function(compiler::Variant variant) const {
      return executable->function(index, variant);
    }
    const KernelFunction& function_for_groups(compiler::Variant variant, std::size_t group_size) const {
      return executable->function_for_groups(index, variant, group_size);
    }
    const KernelFunction* specialized(const compiler::LaunchTraits& traits) const noexcept {
      return executable->specialized(index, traits);
    }
  };

  Kernel(Program& program, std::vector<Instance> instances);
  Kernel(const Kernel& other);  // clCloneKernel: with the arguments set so far

  Program& program() const { return *program_; }
  Context& context() const { return program_->context(); }
  // What holds for all devices. The code of each, which other options may have made, has what on(device).info() says: the work-group sizes
  // that it takes above all.
  const compiler::KernelInfo& info() const { return *info_; }
  const std::string& name() const { return info_->name; }

  // The kernel's code for a device; null if the program was not built for it.
  const Instance* find(const Device& device) const noexcept;
  bool has_one_device() const noexcept { return instances_.size() == 1; }
  Device& first_device() const noexcept { return instances_.front().executable->device(); }
  // As find(); throws Error(CL_INVALID_PROGRAM_EXECUTABLE) instead of returning null.
  const Instance& on(const Device& device) const;

  // clSetKernelArg. Throws Error with its codes.
  void set_argument(cl_uint index, std::size_t size, const void* value);
  // clSetKernelArgSVMPointer, clSetKernelArgMemPointerINTEL: an address that devices use unchanged, or null. Throws Error, here and below.
  void set_pointer(cl_uint index, const void* address);
  // clSetKernelArgDevicePointerEXT: usually an address in a buffer (Buffer::fix_addresses), but any address is accepted.
  void set_device_pointer(cl_uint index, CUdeviceptr address);
  // clSetKernelExecInfo(CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT): addresses in buffers that launches use in addition to their arguments.
  void set_device_pointers(std::vector<CUdeviceptr> addresses) { device_pointers_ = std::move(addresses); }
  // Throws Error(CL_INVALID_KERNEL_ARGS) if an argument is not set or its memory object has been destroyed.
  ArgumentBlock capture_arguments() const;
  // Whether a launch with these arguments may write bytes that belong to two of them. True if the memory of a pointer is not known.
  bool arguments_overlap(const ArgumentBlock& block) const noexcept;
  // Bytes of local memory that the arguments set so far need in addition to the kernel's own.
  std::size_t dynamic_local_size() const { return dynamic_local_size_; }

 private:
  struct Argument {
    bool set = false;
    std::size_t local_size = 0;
    WeakHandle<Buffer> buffer;
    bool holds_buffer = false, holds_address = false, holds_pointer = false;
    bool aligned = true;
    // What a pointer leads to (memory_of), and the context's frees before it was set. Memory freed since may be the pointer's.
    const void* memory = nullptr;
    std::uint64_t frees = 0;
    WeakHandle<Image> image;
  };
  ~Kernel() override = default;
  void released_by_application() noexcept override { program_->kernel_detached(); }
  void note_set(Argument& argument) {
    if (!std::exchange(argument.set, true)) --unset_;
  }
  void set_buffer(const compiler::ArgumentInfo& info, Argument& argument, std::size_t size,
                  const void* value);
  void set_memory(Argument& argument, cl_mem handle, bool pipe);
  void set_pipe(Argument& argument, std::size_t size, const void* value);
  bool leads_to_memory(std::size_t argument) const noexcept;
  bool pointers_may_conflict(std::size_t a, std::size_t b) const noexcept;
  const void* pointer_of(std::size_t argument) const noexcept;
  const void* memory_of(const void* pointer) const noexcept;
  const void* memory_of(std::size_t argument) const noexcept;
  std::uint64_t frees() const noexcept;
  void capture_address(CUdeviceptr address, ArgumentBlock& block) const;
  void set_image(const compiler::ArgumentInfo& info, Argument& argument, std::size_t size, const void* value);
  void set_sampler(const compiler::ArgumentInfo& info, std::size_t size, const void* value);
  void capture_image(const compiler::ArgumentInfo& info, const Argument& argument,
                     ArgumentBlock& block) const;
  void set_local(Argument& argument, std::size_t size, const void* value);
  template <class Place>
  std::size_t for_local_arguments(std::size_t alignment, Place place) const;
  std::size_t least_dynamic_local_memory() const noexcept;
  bool place_local_arguments();
  void set_queue(const compiler::ArgumentInfo& info, std::size_t size, const void* value);

  const Ref<Program> program_;
  const std::vector<Instance> instances_;
  const std::shared_ptr<const compiler::KernelInfo> info_;
  const std::uint32_t literal_samplers_;  // of all devices' programs (CompiledProgram::literal_samplers)
  std::vector<std::byte> bytes_;
  std::vector<Argument> arguments_;
  std::vector<CUdeviceptr> device_pointers_;
  std::size_t unset_;
  std::uint32_t dynamic_local_size_;
  bool local_aligned_ = true;  // local arguments are aligned as the uniform variant needs
};

// clCreateKernel, clCreateKernelsInProgram. Throw Error(CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME or
// CL_INVALID_KERNEL_DEFINITION).
Kernel* create_kernel(Program& program, const std::string& name);
std::vector<Kernel*> create_all_kernels(Program& program);

}  // namespace clcuda
