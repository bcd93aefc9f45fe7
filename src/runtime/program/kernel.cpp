// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/kernel.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "builtins/image_descriptor.h"
#include "builtins/launch_record.h"
#include "compiler/uniform_addresses.h"
#include "runtime/image/image.h"
#include "runtime/image/sampler.h"
#include "runtime/memory/buffer.h"
#include "runtime/platform/device.h"
#include "runtime/platform/opencl_version.h"
#include "runtime/queue/device_queue.h"

namespace clcuda {
namespace {

using compiler::ArgumentInfo;
using compiler::ArgumentKind;

constexpr std::size_t aligned(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Most values have 4 or 8 bytes.
void copy_value(std::byte* to, const void* from, std::size_t size) {
  if (size == 4)
    std::memcpy(to, from, 4);
  else if (size == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, size);
}

// The handle that an application passes as an argument's value; null where `value` is. Throws Error(CL_INVALID_ARG_SIZE).
template <class Handle>
Handle handle_at(const void* value, std::size_t size, const char* what) {
  if (size != sizeof(Handle)) throw Error(CL_INVALID_ARG_SIZE, std::string("not the size of a ") + what);
  Handle handle = nullptr;
  if (value) std::memcpy(static_cast<void*>(&handle), value, sizeof(Handle));
  return handle;
}

bool is_buffer(ArgumentKind kind) {
  return kind == ArgumentKind::global_pointer || kind == ArgumentKind::constant_pointer;
}

// A program may be built with other options for each device (section 5.8.4), so that code differs where the arguments are the same. They
// are passed as the most demanding of the devices needs.
std::shared_ptr<const compiler::KernelInfo> common_info(const std::vector<Kernel::Instance>& instances) {
  const auto first = std::ranges::find_if(
      instances, [](const Kernel::Instance& instance) { return instance.info().tells_arguments; });
  const Kernel::Instance& base = first == instances.end() ? instances.front() : *first;
  if (instances.size() == 1) return {base.executable, &base.info()};
  auto common = std::make_shared<compiler::KernelInfo>(base.info());
  for (const Kernel::Instance& instance : instances) {
    const compiler::KernelInfo& info = instance.info();
    common->static_local_size = std::max(common->static_local_size, info.static_local_size);
    for (std::size_t i = 0; i < info.arguments.size(); ++i) {
      ArgumentInfo& argument = common->arguments[i];
      argument.is_written |= info.arguments[i].is_written;
      argument.pointee_alignment = std::max(argument.pointee_alignment, info.arguments[i].pointee_alignment);
    }
  }
  return common;
}

std::uint32_t all_literal_samplers(const std::vector<Kernel::Instance>& instances) {
  std::uint32_t all = 0;
  for (const Kernel::Instance& instance : instances) all |= instance.executable->program().literal_samplers;
  return all;
}

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % compiler::kUniformAddressAlignment == 0;
}

}  // namespace

Kernel::Kernel(Program& program, std::vector<Instance> instances)
    : Object(kType, program),
      program_(program),
      instances_(std::move(instances)),
      info_(common_info(instances_)),
      literal_samplers_(all_literal_samplers(instances_)),
      bytes_(info_->parameter_size),
      arguments_(info_->arguments.size()),
      unset_(arguments_.size()),
      dynamic_local_size_(info_->static_local_size) {
  program_->kernel_attached();
}

Kernel::Kernel(const Kernel& other)
    : Object(kType, other),
      program_(other.program_),
      instances_(other.instances_),
      info_(other.info_),
      literal_samplers_(other.literal_samplers_),
      bytes_(other.bytes_),
      arguments_(other.arguments_),
      device_pointers_(other.device_pointers_),
      unset_(other.unset_),
      dynamic_local_size_(other.dynamic_local_size_),
      local_aligned_(other.local_aligned_) {
  program_->kernel_attached();
}

const Kernel::Instance* Kernel::find(const Device& device) const noexcept {
  // Section 5.8.1: the executable of a device is also used for those of its sub-devices that have none of their own.
  for (const Device* built_for = &device; built_for; built_for = built_for->parent())
    for (const Instance& instance : instances_)
      if (&instance.executable->device() == built_for) return &instance;
  return nullptr;
}

const Kernel::Instance& Kernel::on(const Device& device) const {
  const Instance* instance = find(device);
  if (!instance) throw Error(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built for that device");
  return *instance;
}

// Section 5.9.2. The value is written to its place in the parameter buffer here, so that a launch only has to copy the buffer.
void Kernel::set_argument(cl_uint index, std::size_t size, const void* value) {
  if (index >= arguments_.size()) throw Error(CL_INVALID_ARG_INDEX, "the kernel has no such argument");
  const ArgumentInfo& info = info_->arguments[index];
  Argument& argument = arguments_[index];
  switch (info.kind) {
    case ArgumentKind::value:
      if (size != info.size) throw Error(CL_INVALID_ARG_SIZE, "not the size of the argument's type");
      if (!value) throw Error(CL_INVALID_ARG_VALUE, "arg_value is null");
      copy_value(bytes_.data() + info.offset, value, size);
      break;
    case ArgumentKind::global_pointer:
    case ArgumentKind::constant_pointer:
      set_buffer(info, argument, size, value);
      break;
    case ArgumentKind::local_pointer:
      set_local(argument, size, value);
      break;
    case ArgumentKind::image:
      set_image(info, argument, size, value);
      break;
    case ArgumentKind::sampler:
      set_sampler(info, size, value);
      break;
    case ArgumentKind::pipe:
      set_pipe(argument, size, value);
      break;
    case ArgumentKind::queue:
      set_queue(info, size, value);
      break;
  }
  note_set(argument);
}

void Kernel::set_pointer(cl_uint index, const void* address) {
  if (index >= arguments_.size()) throw Error(CL_INVALID_ARG_INDEX, "the kernel has no such argument");
  const ArgumentInfo& info = info_->arguments[index];
  if (!is_buffer(info.kind))
    throw Error(CL_INVALID_ARG_VALUE, "the argument is not a pointer to global or constant memory");
  Argument& argument = arguments_[index];
  std::memcpy(bytes_.data() + info.offset, static_cast<const void*>(&address), sizeof address);
  argument.holds_buffer = argument.holds_address = false;
  argument.holds_pointer = true;
  argument.aligned = is_aligned(address);
  argument.frees = frees();
  argument.memory = memory_of(address);
  note_set(argument);
}

void Kernel::set_device_pointer(cl_uint index, CUdeviceptr address) {
  if (index >= arguments_.size() || info_->arguments[index].kind != ArgumentKind::global_pointer)
    throw Error(CL_INVALID_ARG_INDEX, "the kernel has no such pointer to global memory");
  set_pointer(index, reinterpret_cast<const void*>(address));
  arguments_[index].holds_address = true;
}

void Kernel::set_buffer(const ArgumentInfo& info, Argument& argument, std::size_t size, const void* value) {
  const auto handle = handle_at<cl_mem>(value, size, "cl_mem");
  if (handle) {
    set_memory(argument, handle, false);
  } else {  // a null pointer in the kernel
    argument.holds_buffer = false;
    argument.aligned = true;
    std::memset(bytes_.data() + info.offset, 0, info.parameter_size);
  }
  // Only now: a call that fails leaves the argument as it was (section 5.9.2).
  argument.holds_address = argument.holds_pointer = false;
}

void Kernel::set_pipe(Argument& argument, std::size_t size, const void* value) {
  const auto handle = handle_at<cl_mem>(value, size, "cl_mem");
  if (!value) throw Error(CL_INVALID_MEM_OBJECT, "arg_value is null for a pipe");
  set_memory(argument, handle, true);
}

void Kernel::set_memory(Argument& argument, cl_mem handle, bool pipe) {
  Buffer& buffer = object_of<Buffer>(handle);
  if (buffer.pipe().has_value() != pipe)
    throw Error(CL_INVALID_MEM_OBJECT, pipe ? "not a pipe" : "a pipe where a buffer belongs");
  if (&buffer.context() != &context())
    throw Error(CL_INVALID_CONTEXT, "the memory object belongs to another context");
  argument.buffer = WeakHandle<Buffer>(buffer);
  argument.holds_buffer = true;
  argument.aligned = buffer.is_aligned(compiler::kUniformAddressAlignment);
}

void Kernel::set_queue(const ArgumentInfo& info, std::size_t size, const void* value) {
  const auto handle = handle_at<cl_command_queue>(value, size, "cl_command_queue");
  const Object* queue = handle ? find_object(handle, DeviceQueue::kType) : nullptr;
  if (!queue) throw Error(CL_INVALID_DEVICE_QUEUE, "not a device queue");
  if (&static_cast<const DeviceQueue*>(queue)->context() != &context())
    throw Error(CL_INVALID_CONTEXT, "the device queue belongs to another context");
  const std::uint64_t number = static_cast<const DeviceQueue*>(queue)->number();
  std::memcpy(bytes_.data() + info.offset, &number, sizeof number);
}

// Section 5.9.2: an image argument is an image of the declared type whose flags allow the access that the kernel declares.
void Kernel::set_image(const ArgumentInfo& info, Argument& argument, std::size_t size, const void* value) {
  const auto handle = handle_at<cl_mem>(value, size, "cl_mem");
  if (!value) throw Error(CL_INVALID_MEM_OBJECT, "arg_value is null");
  Image& image = object_of<Image>(handle);
  if (&image.context() != &context()) throw Error(CL_INVALID_CONTEXT, "the image belongs to another context");
  if (info.image_type != image.type_name())
    throw Error(CL_INVALID_MEM_OBJECT, "an image of another type than the kernel declares");
  if (info.access != compiler::AccessQualifier::write_only && (image.flags() & CL_MEM_WRITE_ONLY))
    throw Error(CL_INVALID_ARG_VALUE, "the kernel reads the image, which is write-only");
  if (info.access != compiler::AccessQualifier::read_only && !image.kernel_writable())
    throw Error(CL_INVALID_ARG_VALUE, "the kernel writes the image, which is read-only or immutable");
  argument.image = WeakHandle<Image>(image);
}

void Kernel::set_sampler(const ArgumentInfo& info, std::size_t size, const void* value) {
  const auto handle = handle_at<cl_sampler>(value, size, "cl_sampler");
  if (!value) throw Error(CL_INVALID_SAMPLER, "arg_value is null");
  const Sampler& sampler = object_of<Sampler>(handle);
  if (&sampler.context() != &context())
    throw Error(CL_INVALID_CONTEXT, "the sampler belongs to another context");
  const std::uint64_t number = sampler.number();
  std::memcpy(bytes_.data() + info.offset, &number, sizeof number);
}

void Kernel::set_local(Argument& argument, std::size_t size, const void* value) {
  if (size == 0 && opencl_version() < kOpenCl31)
    throw Error(CL_INVALID_ARG_SIZE, "a local argument of size 0, before OpenCL 3.1");
  if (value) throw Error(CL_INVALID_ARG_VALUE, "arg_value is not null for a local argument");
  // Sizes beyond the device's local memory are rejected at launch; this check only prevents overflow.
  if (size > std::numeric_limits<std::int32_t>::max())
    throw Error(CL_OUT_OF_RESOURCES, "more local memory than any device has");
  if (argument.set && argument.local_size == size) return;
  const std::size_t before = std::exchange(argument.local_size, size);
  if (!place_local_arguments()) {
    argument.local_size = before;
    throw Error(CL_OUT_OF_RESOURCES,
                "the local arguments together are larger than any device's local memory");
  }
}

// The end of local memory if each local argument is aligned for its pointee, and to `alignment`.
template <class Place>
std::size_t Kernel::for_local_arguments(std::size_t alignment, Place place) const {
  std::size_t end = info_->static_local_size;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentInfo& info = info_->arguments[i];
    if (info.kind != ArgumentKind::local_pointer) continue;
    end = aligned(end, std::max<std::size_t>(info.pointee_alignment, alignment));
    place(info, end);
    end += arguments_[i].local_size;
  }
  return end;
}

// The local memory that each of the kernel's devices has besides the most that a kernel's static shared memory takes.
std::size_t Kernel::least_dynamic_local_memory() const noexcept {
  constexpr std::size_t kMostStatic = 48 << 10;
  std::size_t least = std::numeric_limits<std::int32_t>::max();
  for (const Instance& instance : instances_) {
    const std::size_t all = instance.executable->device().local_memory_size();
    least = std::min(least, all - std::min(all, kMostStatic));
  }
  return least;
}

// Local arguments follow the kernel's own local variables. One of size 0 has an address like any other, so that the kernel can compute with
// the pointer. They are aligned as the uniform variant requires, unless the kernel might then not fit into a device's local memory.
bool Kernel::place_local_arguments() {
  const auto nowhere = [](const ArgumentInfo&, std::size_t) {};
  const std::size_t least = for_local_arguments(1, nowhere),
                    most = for_local_arguments(compiler::kUniformAddressAlignment, nowhere);
  if (least > std::numeric_limits<std::int32_t>::max()) return false;
  local_aligned_ = most == least || most <= least_dynamic_local_memory();
  dynamic_local_size_ = static_cast<std::uint32_t>(
      for_local_arguments(local_aligned_ ? compiler::kUniformAddressAlignment : 1,
                          [this](const ArgumentInfo& info, std::size_t place) {
                            const auto offset = static_cast<std::uint32_t>(place);
                            std::memcpy(bytes_.data() + info.offset, &offset, sizeof offset);
                          }));
  return true;
}

void Kernel::capture_image(const ArgumentInfo& info, const Argument& argument, ArgumentBlock& block) const {
  Image* image = argument.image.find();
  if (!image) throw Error(CL_INVALID_KERNEL_ARGS, "an image that is set as an argument has been destroyed");
  const bool read_only = info.access == compiler::AccessQualifier::read_only;
  block.uses.emplace_back(*image, read_only ? Access::read : Access::write, info.offset);
  // The states of reads without a sampler, and of the program's literal samplers.
  block.sampler_states |= 1u << CLCUDA_SAMPLER_NONE | literal_samplers_;
}

// Whether the kernel writes memory that it reaches by an address is unknown, so a writable buffer counts as written.
void Kernel::capture_address(CUdeviceptr address, ArgumentBlock& block) const {
  const Ref<Object> found = context().device_addresses().find(address);
  if (!found) return;
  auto& buffer = static_cast<Buffer&>(*found);
  block.uses.emplace_back(buffer, buffer.kernel_writable() ? Access::write : Access::read,
                          MemoryUse::kNoParameter);
}

ArgumentBlock Kernel::capture_arguments() const {
  if (unset_ > 0) throw Error(CL_INVALID_KERNEL_ARGS, "not all arguments are set");
  ArgumentBlock block;
  block.bytes.reserve(aligned(bytes_.size(), alignof(clcuda_launch_record)) + sizeof(clcuda_launch_record));
  block.bytes.assign(bytes_.begin(), bytes_.end());
  block.dynamic_local_size = dynamic_local_size_;
  block.aligned = local_aligned_;
  block.uses.reserve(arguments_.size());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentInfo& info = info_->arguments[i];
    block.aligned &= arguments_[i].aligned;
    if (info.kind == ArgumentKind::image) capture_image(info, arguments_[i], block);
    if (info.kind == ArgumentKind::sampler)
      block.sampler_states |= 1u << std::to_integer<unsigned>(block.bytes[info.offset]);
    if (arguments_[i].holds_address) {
      CUdeviceptr address = 0;
      std::memcpy(&address, bytes_.data() + info.offset, sizeof address);
      capture_address(address, block);
    }
    if (!arguments_[i].holds_buffer) continue;
    Buffer* buffer = arguments_[i].buffer.find();
    if (!buffer)
      throw Error(CL_INVALID_KERNEL_ARGS, "a buffer that is set as an argument has been destroyed");
    const bool written = info.kind == ArgumentKind::pipe || (info.is_written && buffer->kernel_writable());
    block.uses.emplace_back(*buffer, written ? Access::write : Access::read, info.offset);
  }
  for (const CUdeviceptr address : device_pointers_) capture_address(address, block);
  if (block.sampler_states)
    for (MemoryUse& use : block.uses) use.set_sampler_states(block.sampler_states);
  return block;
}

Kernel* create_kernel(Program& program, const std::string& name) {
  const auto all = program.some_executables();
  std::vector<Kernel::Instance> instances;
  for (const auto& executable : all)
    if (const auto index = executable->find(name)) instances.push_back({executable, *index});
  if (instances.empty()) throw Error(CL_INVALID_KERNEL_NAME, "the program has no kernel of that name");
  for (const Kernel::Instance& instance : instances)
    if (!same_signature(instance.info(), instances.front().info()))
      throw Error(CL_INVALID_KERNEL_DEFINITION, "the kernel's arguments differ between devices");
  return new Kernel(program, std::move(instances));
}

std::vector<Kernel*> create_all_kernels(Program& program) {
  const std::vector<std::string> names = program.kernel_names();
  std::vector<Kernel*> kernels;
  try {
    kernels.reserve(names.size());
    for (const std::string& name : names) kernels.push_back(create_kernel(program, name));
  } catch (...) {
    for (Kernel* kernel : kernels) kernel->release_api();
    throw;
  }
  return kernels;
}

}  // namespace clcuda
