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

// A kernel's arguments as they stood at enqueue: everything a launch needs, owned (style: "a command is a
// whole snapshot"). Buffers and images are named, not resolved: their device addresses are written into
// `bytes` when the command is emitted, because their place on the device is decided then.
struct ArgumentBlock {
  // The parameter buffer; local offsets are already in place; has capacity for a launch record.
  std::vector<std::byte> bytes;
  std::vector<MemoryUse>
      uses;  // of buffers and images; written where the kernel may (not `const`, CL_MEM_READ_ONLY …)
  std::uint32_t sampler_states = 0;  // that the kernel may use (a set of bits, builtins/image_descriptor.h)
  std::uint32_t dynamic_local_size = 0;  // bytes of dynamic shared memory
  bool aligned = true;                   // all addresses, as the uniform variant needs them
};

// cl_kernel. Holds the arguments weakly, as the specification has it (releasing a buffer that is set as an
// argument is allowed); capture_arguments() makes strong references for one launch.
class Kernel final : public Object {
 public:
  using Handle = cl_kernel;
  static constexpr ObjectType kType = ObjectType::kernel;
  static constexpr cl_int kInvalid = CL_INVALID_KERNEL;

  // One device's code of this kernel.
  struct Instance {
    std::shared_ptr<Executable> executable;
    std::size_t index;  // in its image's kernels

    // Throws Error(CL_OUT_OF_RESOURCES) if the variant cannot be made. Costs a few nanoseconds once it
    // exists.
    const KernelFunction& function(compiler::Variant variant) const {
      return executable->function(index, variant);
    }
    const KernelFunction& function_for_groups(compiler::Variant variant, std::size_t group_size) const {
      return executable->function_for_groups(index, variant, group_size);
    }
    const KernelFunction* for_images(const std::vector<compiler::KnownImage>& images) const noexcept {
      return executable->for_images(index, images);
    }
  };

  Kernel(Program& program, std::vector<Instance> instances);
  Kernel(const Kernel& other);  // clCloneKernel: with the arguments set so far

  Program& program() const { return *program_; }
  Context& context() const { return program_->context(); }
  const compiler::KernelInfo& info() const { return *info_; }
  const std::string& name() const { return info_->name; }

  // The kernel on that device, or null if the program was not built for it.
  const Instance* find(const Device& device) const noexcept;
  bool has_one_device() const noexcept { return instances_.size() == 1; }
  Device& first_device() const noexcept { return instances_.front().executable->device(); }
  // The same, or Error(CL_INVALID_PROGRAM_EXECUTABLE).
  const Instance& on(const Device& device) const;

  // clSetKernelArg, with its errors.
  void set_argument(cl_uint index, std::size_t size, const void* value);
  // clSetKernelArgSVMPointer: an address that the kernel can use as it is, or null.
  void set_pointer(cl_uint index, const void* address);
  // clSetKernelArgDevicePointerEXT: an address in a buffer (Buffer::fix_addresses), or any other.
  void set_device_pointer(cl_uint index, CUdeviceptr address);
  // Addresses in buffers that launches use besides their arguments.
  void set_device_pointers(std::vector<CUdeviceptr> addresses) { device_pointers_ = std::move(addresses); }
  // Throws Error(CL_INVALID_KERNEL_ARGS) if one is not set or names a buffer that is gone.
  ArgumentBlock capture_arguments() const;
  // Bytes of local memory that the arguments set so far add to the kernel's own.
  std::size_t dynamic_local_size() const { return dynamic_local_size_; }

 private:
  struct Argument {
    bool set = false;
    std::size_t local_size = 0;
    WeakHandle<Buffer> buffer;
    bool holds_buffer = false, holds_address = false;
    bool aligned = true;
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
  void capture_address(CUdeviceptr address, ArgumentBlock& block) const;
  void set_image(const compiler::ArgumentInfo& info, Argument& argument, std::size_t size, const void* value);
  void set_sampler(const compiler::ArgumentInfo& info, std::size_t size, const void* value);
  void capture_image(const compiler::ArgumentInfo& info, const Argument& argument,
                     ArgumentBlock& block) const;
  void set_local(Argument& argument, std::size_t size, const void* value);
  template <class Place>
  std::size_t for_local_arguments(std::size_t alignment, Place place) const;
  bool place_local_arguments();
  void set_queue(const compiler::ArgumentInfo& info, std::size_t size, const void* value);

  const Ref<Program> program_;
  const std::vector<Instance> instances_;
  const compiler::KernelInfo* const info_;
  std::vector<std::byte> bytes_;
  std::vector<Argument> arguments_;
  std::vector<CUdeviceptr> device_pointers_;
  std::size_t unset_;
  std::uint32_t dynamic_local_size_;
  bool local_aligned_ = true;  // local arguments, as the uniform variant needs them
};

// Throw Error(CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME or CL_INVALID_KERNEL_DEFINITION).
Kernel* create_kernel(Program& program, const std::string& name);
std::vector<Kernel*> create_all_kernels(Program& program);

}  // namespace clcuda
