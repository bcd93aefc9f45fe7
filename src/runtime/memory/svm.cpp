// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/svm.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/device/stream_memory.h"

namespace clcuda {
namespace {

// A block of a device's pool of shared memory, returned to the pool on destruction.
class SharedBlock {
 public:
  SharedBlock(DeviceMemory& memory, std::size_t size)
      : memory_(memory), block_(memory.allocate_shared(size)) {}
  ~SharedBlock() {
    memory_.shared().give_back(std::move(block_));
    memory_.trim_unused();
  }
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;
  std::byte* data() const { return block_.data(); }

 private:
  DeviceMemory& memory_;
  cuda::SharedPool::Block block_;
};

bool has_name(PointerMemory kind, SvmSpace::Name name) {
  return (kind == PointerMemory::svm) == (name == SvmSpace::Name::svm);
}

}  // namespace

cl_device_svm_capabilities svm_capabilities(const Device& device) {
  cl_device_svm_capabilities all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  if (!device.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)) return all;
  all |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
  if (device.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS)) all |= CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
  return all;
}

// A device's atomic operations on host memory are atomic with respect to that device only, unless the bus supports atomics itself. Managed
// memory migrates to the processor that accesses it; without it, shared memory is page-locked host memory (cuda/shared_pool.h).
UsmCapabilities usm_capabilities(const Device& device) {
  constexpr cl_device_unified_shared_memory_capabilities_intel kAccess =
      CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
  constexpr cl_device_unified_shared_memory_capabilities_intel kConcurrent =
      kAccess | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
  constexpr cl_device_unified_shared_memory_capabilities_intel kAll =
      kConcurrent | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
  const auto host = device.attribute(CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED) ? kAll : kConcurrent;
  const cl_device_svm_capabilities svm = svm_capabilities(device);
  const auto shared = svm & CL_DEVICE_SVM_ATOMICS ? kAll : host;
  return {.host = host,
          .device = kAccess,
          .single_device_shared = shared,
          .cross_device_shared = shared,
          .shared_system = svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? kAll : 0};
}

SvmAllocation::SvmAllocation(DeviceResources& resources, const PointerRequest& request,
                             std::shared_ptr<QueueStreams> streams)
    : resources_(resources), request_(request), streams_(std::move(streams)) {
  const cuda::Current current(resources.context());
  switch (request.kind) {
    case PointerMemory::device:
      allocate_on_device();
      break;
    case PointerMemory::host:
      allocate_on_host();
      break;
    case PointerMemory::svm:
    case PointerMemory::shared:
      allocate_shared();
      break;
  }
}

std::size_t SvmAllocation::block_size() const {
  const bool is_aligned = request_.alignment <= sizeof(cl_long16);  // blocks of every pool are
  return is_aligned ? request_.size : request_.size + request_.alignment;
}

std::byte* SvmAllocation::aligned(std::byte* block) const {
  if (request_.alignment == 0) return block;
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(block) % request_.alignment;
  return beyond == 0 ? block : block + (request_.alignment - beyond);
}

// Waits for the allocation, because any stream may use the memory.
void SvmAllocation::allocate_on_device() {
  const ScopedStream stream(resources_);
  StreamMemory memory(resources_, block_size(), *stream,
                      request_.for_peers ? DeviceMemory::Sharing::peers : DeviceMemory::Sharing::own_device);
  stream->synchronize();
  block_ = memory.release();
  data_ = aligned(reinterpret_cast<std::byte*>(block_));
}

// CL_MEM_ALLOC_WRITE_COMBINED_INTEL is a hint, and ignored: the device's address of write-combined memory may differ from the host's.
void SvmAllocation::allocate_on_host() {
  const std::shared_ptr<cuda::PinnedBlock> block = resources_.memory().lend_pinned(block_size());
  keep_ = [block] {};
  data_ = aligned(block->data());
}

void SvmAllocation::allocate_shared() {
  const auto block = std::make_shared<SharedBlock>(resources_.memory(), block_size());
  keep_ = [block] {};
  data_ = aligned(block->data());
  if (flags() & CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL && kind() == PointerMemory::shared && moves())
    place_on_device();
}

void SvmAllocation::place_on_device() noexcept {
  try {
    const ScopedStream stream(resources_);
    stream->prefetch(reinterpret_cast<CUdeviceptr>(data_), request_.size, false);
  } catch (const std::exception& error) {
    log::debug("shared memory is not placed on the device: {}", error.what());
  }
}

SvmAllocation::~SvmAllocation() {
  if (kind() == PointerMemory::device)
    resources_.memory().free(block_, streams_->busy());
  else
    resources_.call_behind(streams_->mark_busy(), keep_);
}

bool SvmAllocation::moves() const {
  return (kind() == PointerMemory::svm || kind() == PointerMemory::shared) &&
         resources_.memory().shared().migrates();
}

void SvmAllocation::begin_mapping(ByteRange range) {
  MutexLock lock(mutex_);
  mappings_.emplace(range.begin, range.end);
}

SvmAllocation::Mapped SvmAllocation::end_mapping(std::size_t begin) {
  MutexLock lock(mutex_);
  const auto next = mappings_.upper_bound(begin);
  if (next == mappings_.begin()) return {};
  const auto found = std::prev(next);
  return found->first == begin ? mappings_.extract(found) : Mapped();
}

void SvmAllocation::restore_mapping(Mapped mapped) noexcept {
  MutexLock lock(mutex_);
  mappings_.insert(std::move(mapped));
}

void* SvmSpace::allocate(Device& device, const PointerRequest& request) {
  DeviceResources& resources = DeviceResources::of(device);
  resources.require_alive();
  const auto made = Ref<SvmAllocation>::adopt(new SvmAllocation(resources, request, streams_));
  MutexLock lock(mutex_);
  allocations_.emplace(made->data(), made);
  return made->data();
}

Ref<SvmAllocation> SvmSpace::find_beginning(const void* begin, Name name) const {
  Ref<SvmAllocation> found = find(begin);
  return found && found->data() == begin && has_name(found->kind(), name) ? found : Ref<SvmAllocation>();
}

Ref<SvmAllocation> SvmSpace::take(const void* begin, Name name) {
  MutexLock lock(mutex_);
  const auto found = allocations_.find(static_cast<const std::byte*>(begin));
  if (found == allocations_.end() || !has_name(found->second->kind(), name)) return {};
  Ref<SvmAllocation> taken = std::move(found->second);
  allocations_.erase(found);
  freed_.fetch_add(1, std::memory_order_relaxed);
  return taken;
}

// Held commands keep the memory: ~SvmAllocation orders the free only after work that is in streams already.
bool SvmSpace::free(const void* begin, Name name) {
  if (name == Name::usm) {
    const Ref<SvmAllocation> kept = find_beginning(begin, name);
    if (!kept) return false;
    for (const auto& [user, keeps] : users()) user->keep_for_held(kept);
  }
  return static_cast<bool>(take(begin, name));
}

bool SvmSpace::free_when_unused(const void* begin) {
  if (!find_beginning(begin, Name::usm)) return false;
  for (const auto& [user, keeps] : users()) user->wait_for_all();
  streams_->drain();  // including those of destroyed queues
  return static_cast<bool>(take(begin, Name::usm));
}

Ref<SvmAllocation> SvmSpace::find(const void* byte) const {
  MutexLock lock(mutex_);
  auto after = allocations_.upper_bound(static_cast<const std::byte*>(byte));
  if (after == allocations_.begin()) return {};
  const Ref<SvmAllocation>& candidate = std::prev(after)->second;
  return candidate->contains(byte, 1) ? candidate : Ref<SvmAllocation>();
}

SvmSpace::Around SvmSpace::around(const void* pointer) const {
  const auto* const byte = static_cast<const std::byte*>(pointer);
  Around found{};
  MutexLock lock(mutex_);
  for (auto after = allocations_.upper_bound(byte); after != allocations_.begin();) {
    const SvmAllocation& allocation = *(--after)->second;
    if (allocation.contains(byte, 1)) found.at = allocation.data();
    if (allocation.data() == byte) continue;
    if (allocation.contains(byte - 1, 1)) found.before = allocation.data();
    break;
  }
  return found;
}

void SvmSpace::add_user(MemoryUser& user) {
  MutexLock lock(mutex_);
  users_.add(user);
}

void SvmSpace::remove_user(MemoryUser& user) noexcept {
  MutexLock lock(mutex_);
  users_.remove(user);
}

std::vector<UserList<MemoryUser>::Kept> SvmSpace::users() const {
  MutexLock lock(mutex_);
  return users_.all();
}

}  // namespace clcuda
