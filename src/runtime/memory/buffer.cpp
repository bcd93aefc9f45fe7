// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/buffer.h"

#include <algorithm>

#include "builtins/pipe_record.h"
#include "cuda/error.h"
#include "runtime/memory/initial_contents.h"
#include "runtime/platform/usable_device.h"

namespace clcuda {
namespace {

// Section 5.2.1: if the host pointer of CL_MEM_USE_HOST_PTR is in shared virtual memory, that memory is the buffer's storage.
Ref<Storage> make_storage(Context& context, cl_mem_flags flags, std::size_t size, const void* host) {
  Ref<SvmAllocation> shared;
  if (flags & CL_MEM_USE_HOST_PTR) shared = context.svm().find(host);
  return Ref<Storage>::adopt(
      shared ? new Storage(context.devices(), size, std::move(shared), reinterpret_cast<CUdeviceptr>(host))
             : new Storage(context.devices(), size));
}

std::size_t pipe_size(const PipeShape& pipe) {
  return clcuda_pipe_data_offset(pipe.max_packets) + std::size_t{pipe.packet_size} * pipe.max_packets;
}

}  // namespace

Buffer::Buffer(Context& context, cl_mem_flags flags, std::size_t size, void* host_ptr,
               std::vector<cl_mem_properties> properties)
    : MemoryObject(kType, context, context, flags, flags & CL_MEM_USE_HOST_PTR ? host_ptr : nullptr,
                   std::move(properties)),
      size_(size),
      origin_(0),
      storage_(make_storage(context, flags, size, host_ptr)) {
  if (host_ptr && !is_shared()) upload(host_ptr, size);
}

Buffer::Buffer(Context& context, cl_mem_flags flags, std::size_t size, const ApplicationMemory& memory,
               std::vector<cl_mem_properties> properties)
    : MemoryObject(kType, context, context, flags, nullptr, std::move(properties)),
      size_(size),
      origin_(0),
      storage_(Ref<Storage>::adopt(new Storage(context.devices(), size, memory))) {}

Buffer::Buffer(Context& context, cl_mem_flags flags, std::size_t size, Ref<ImportedMemory> memory)
    : MemoryObject(kType, context, context, flags, memory->data(), {}),
      size_(size),
      origin_(0),
      storage_(Ref<Storage>::adopt(new Storage(context.devices(), size, std::move(memory)))) {}

Buffer::Buffer(Context& context, cl_mem_flags flags, const PipeShape& pipe)
    : MemoryObject(kType, context, context, flags, nullptr, {}),
      size_(pipe_size(pipe)),
      origin_(0),
      pipe_(pipe),
      storage_(Ref<Storage>::adopt(new Storage(context.devices(), size_))) {
  const clcuda_pipe head{{}, {}, pipe.packet_size, pipe.max_packets};
  upload(&head, sizeof head, clcuda_pipe_data_offset(pipe.max_packets));
}

Buffer::Buffer(Buffer& parent, cl_mem_flags flags, std::size_t origin, std::size_t size)
    : MemoryObject(kType, parent, parent.context(), flags,
                   parent.host_ptr() ? static_cast<std::byte*>(parent.host_ptr()) + origin : nullptr, {}),
      parent_(parent),
      size_(size),
      origin_(origin),
      storage_(parent.storage_) {}

Buffer::~Buffer() {
  mappings_.end_all([this](const Mapping& mapping) { end(mapping); });
  for (const CUdeviceptr address : addresses_) context().device_addresses().remove(address, *this);
  post_destructor_callbacks(*storage_);
}

void Buffer::fix_addresses() {
  std::vector<CUdeviceptr> addresses;
  for (const Device* device : context().devices())
    addresses.push_back(storage_->fix_address(context().memory_index(*device)));
  for (const CUdeviceptr address : addresses) {
    addresses_.reserve(addresses.size());
    context().device_addresses().add(address, size_, *this);
    addresses_.push_back(address);
  }
}

std::vector<CUdeviceptr> Buffer::addresses() const {
  std::vector<CUdeviceptr> all = parent_ ? parent_->addresses_ : addresses_;
  for (CUdeviceptr& address : all) address += origin_;
  return all;
}

// Uploads the contents to a device, after clearing the first `cleared` bytes there.
void Buffer::upload(const void* host, std::size_t size, std::size_t cleared) {
  Device& device = usable_device(context());
  const std::size_t index = context().memory_index(device);
  bring_first_contents(DeviceResources::of(device), index, *storage_, size, [&](cuda::Stream& stream) {
    const CUdeviceptr address =
        storage_->use(index, stream, {0, std::max(size, cleared)}, Access::overwrite).address;
    stream.fill(address, 0, 4, cleared / 4);
    HostTransfer transfer{.to_device = true, .region = {size, 1, 1}};
    transfer.device.device = address;
    transfer.host.host = const_cast<void*>(host);
    return transfer;
  });
}

std::byte* Buffer::own_host_memory(DeviceResources& resources) {
  MutexLock lock(mutex_);
  if (!own_host_memory_) own_host_memory_ = resources.memory().lend_pinned(size_);
  return own_host_memory_->data();
}

Mapping Buffer::map(DeviceResources& resources, std::size_t offset, std::size_t size, cl_map_flags flags) {
  Mapping mapping{.offset = offset,
                  .size = size,
                  .writes = (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
  // Section 5.5.4: regions mapped for writing do not overlap, in the buffer, its sub-buffers and its parent.
  if (mapping.writes && !storage_->begin_write_mapping({origin_ + offset, origin_ + offset + size}))
    throw Error(CL_INVALID_OPERATION, "part of the region is mapped for writing already");
  try {
    cuda::Current current(resources.context());
    if (host_ptr()) {
      mapping.host = static_cast<std::byte*>(host_ptr()) + offset;
    } else if (this->flags() & CL_MEM_ALLOC_HOST_PTR) {
      Buffer& root = parent_ ? *parent_ : *this;
      mapping.host = root.own_host_memory(resources) + origin_ + offset;
      MutexLock lock(root.mutex_);
      mapping.block = root.own_host_memory_;
    } else {
      mapping.block = resources.memory().lend_pinned(size);
      mapping.host = mapping.block->data();
    }
    mappings_.add(mapping);
  } catch (const std::exception& error) {
    resources.report_error(error);
    if (mapping.writes) storage_->end_write_mapping({origin_ + offset, origin_ + offset + size});
    throw Error(CL_MAP_FAILURE, error.what());
  }
  return mapping;
}

void Buffer::end(const Mapping& mapping) noexcept {
  if (mapping.writes)
    storage_->end_write_mapping({origin_ + mapping.offset, origin_ + mapping.offset + mapping.size});
}

void Buffer::forget(const Mapping& mapping) noexcept {
  mappings_.forget(mapping);
  end(mapping);
}

void Buffer::unmap(void* host, const std::function<void(const Mapping&)>& enqueue) {
  end(mappings_.take(host, enqueue));
}

cl_uint Buffer::map_count() const { return static_cast<cl_uint>(mappings_.size()); }

}  // namespace clcuda
