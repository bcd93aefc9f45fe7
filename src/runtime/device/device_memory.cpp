// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_memory.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "runtime/platform/platform.h"

namespace clcuda {
namespace {

constexpr std::size_t kPinnedMemoryKept = 256 << 20;
constexpr std::uint64_t kPartPageLocked = 8;  // 1/8 of what is transferred by pieces
// Of shared memory as much on a device with 64 GiB and more, less on smaller ones, whose memory it takes while it is there.
constexpr std::size_t kLeastSharedKept = 32 << 20, kMostSharedKept = 256 << 20, kSharedKept = 256;  // 1/256
// Device memory that the pool keeps when the device has been idle for a while.
constexpr std::size_t kMemoryKeptIdle = 32 << 20;
constexpr std::size_t kArraysKept = 32;  // 1/32 of the device's memory

struct PeerAccess {
  Mutex mutex LOCK_RANK(peer_access);
};
constinit PeerAccess peer_access;

// The executor's pools are ready at once and detect uses of freed memory, so blocks come from them directly and have the requested size.
std::unique_ptr<cuda::MemoryPool> make_memory(const Device& device, const cuda::DeviceContext& context) {
  using Style = cuda::MemoryPool::Style;
  const cuda::Current current(context);
  return std::make_unique<cuda::MemoryPool>(context,
                                            device.platform().is_cpu() ? Style::exact : Style::for_chips);
}

}  // namespace

DeviceMemory::DeviceMemory(Device& device, DeviceLoss& loss, StreamPool& streams, SideStreams& side_streams,
                           std::function<void()> request_check)
    : device_(device),
      context_(device.context()),
      loss_(loss),
      streams_(streams),
      side_streams_(side_streams),
      request_check_(std::move(request_check)),
      memory_(make_memory(device, context_)),
      pinned_(context_),
      shared_(context_),
      arrays_(context_, device.memory_size() / kArraysKept),
      shared_kept_(std::clamp(device.memory_size() / kSharedKept, kLeastSharedKept, kMostSharedKept)) {}

CUdeviceptr DeviceMemory::allocate(std::size_t size, cuda::Stream& stream, Sharing sharing) {
  return reclaiming([&] { return memory_->allocate(size, stream, sharing); });
}

void DeviceMemory::free(CUdeviceptr address, Users users) noexcept {
  if (loss_.lost()) return;
  try {
    return free_behind(address, users);
  } catch (const std::exception& error) {
    loss_.report_error(error);
  }
  try {
    MutexLock lock(mutex_);
    unfreed_.push_back({address, {users.begin(), users.end()}});
    request_check_();
  } catch (const std::exception& error) {
    log::error("no memory to free device memory with: {}", error.what());
  }
}

void DeviceMemory::free_behind(CUdeviceptr address, Users users) {
  cuda::Current current(context_);
  if (users.size() == 1 && &users.front()->context() == &context_)
    return memory_->free(address, *users.front());
  memory_->free(address, side_streams_.behind(users));
}

// Retries the frees that failed.
void DeviceMemory::free_the_unfreed() noexcept {
  std::vector<Unfreed> unfreed;
  {
    MutexLock lock(mutex_);
    unfreed.swap(unfreed_);
  }
  for (const Unfreed& memory : unfreed) free(memory.address, memory.users);
}

std::unique_ptr<cuda::Array> DeviceMemory::allocate_array(const CUDA_ARRAY3D_DESCRIPTOR& shape,
                                                          unsigned levels, cuda::Stream& stream) {
  return reclaiming([&] { return arrays_.take(shape, levels, stream); });
}

void DeviceMemory::free(std::unique_ptr<cuda::Array> array, Users users) noexcept {
  try {
    cuda::Current current(context_);
    std::vector<cuda::Event> uses;
    uses.reserve(users.size());
    for (cuda::Stream* user : users) uses.push_back(user->mark());
    for (auto& excess : arrays_.give_back(array, std::move(uses)))
      device_.discard(std::shared_ptr<cuda::Array>(std::move(excess)));
  } catch (const std::exception& error) {
    loss_.report_error(error);
    // The end of its textures does not wait.
    if (array)
      for (cuda::Stream* user : users) user->drain();
  }
}

bool DeviceMemory::has_access_to(const DeviceMemory& other) {
  MutexLock lock(mutex_);
  return std::ranges::find(peers_, &other) != peers_.end();
}

void DeviceMemory::note_access_to(const DeviceMemory& other) {
  MutexLock lock(mutex_);
  peers_.push_back(&other);
}

// The driver maps the memory of a whole pool, which takes milliseconds. A copy that another thread submits meanwhile would fault and cost
// the process its devices, so such threads wait here.
void DeviceMemory::enable_peer_access(DeviceMemory& other) {
  if (has_access_to(other)) return;
  MutexLock granting(peer_access.mutex);
  if (has_access_to(other)) return;
  memory_->open_to(other.context_);
  other.memory_->open_to(context_);
  note_access_to(other);
  other.note_access_to(*this);
}

cuda::PinnedBlock DeviceMemory::allocate_pinned(std::size_t size) {
  return reclaiming([&] { return pinned_.take(size); });
}

// When the block is returned, the monitor is woken to check whether too much is unused.
std::shared_ptr<cuda::PinnedBlock> DeviceMemory::lend_pinned(std::size_t size) {
  const auto give_back = [this](cuda::PinnedBlock* block) {
    delete block;
    request_check_();
  };
  return {new cuda::PinnedBlock(allocate_pinned(size)), give_back};
}

std::shared_ptr<cuda::PinnedBlock> DeviceMemory::lend_staging(std::size_t size) {
  auto block = std::make_unique<cuda::PinnedBlock>(allocate_pinned(size));
  staging_bytes_.fetch_add(block->size(), std::memory_order_relaxed);
  const auto give_back = [this](cuda::PinnedBlock* lent) {
    staging_bytes_.fetch_sub(lent->size(), std::memory_order_relaxed);
    delete lent;
    request_check_();
  };
  return {block.release(), give_back};
}

std::vector<cuda::PinnedBlock> DeviceMemory::take_staging(std::size_t size, std::size_t wanted) {
  std::vector<cuda::PinnedBlock> blocks;
  blocks.reserve(wanted);
  const std::uint64_t worth = (staged_ += size) / kPartPageLocked;
  while (blocks.size() < wanted) {
    cuda::PinnedBlock block = pinned_.take_unused(kStagingBlock);
    if (!block) {
      if (made_for_staging_ + kStagingBlock > worth) break;
      made_for_staging_ += kStagingBlock;
      block = allocate_pinned(kStagingBlock);
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

void DeviceMemory::keep_until_reached(cuda::Stream& stream,
                                      std::shared_ptr<cuda::PinnedBlock> block) noexcept {
  try {
    in_flight_.keep(stream, block);
    return request_check_();
  } catch (const std::exception& error) {
    loss_.report_error(error);
  }
  stream.drain();
}

bool DeviceMemory::release_reached() {
  free_the_unfreed();
  return in_flight_.release();
}

cuda::SharedPool::Block DeviceMemory::allocate_shared(std::size_t size) {
  cuda::Current current(context_);
  return reclaiming([&] { return shared_.take(size); });
}

// Synchronises first: memory that was released may still be waiting for the work that used it. What is discarded later may be in use again.
void DeviceMemory::reclaim() noexcept {
  const Device::Discarded discarded = device_.take_discarded();
  device_.driver().cuCtxSynchronize();
  free_the_unfreed();
  memory_->trim();
  pinned_.trim();
  shared_.trim();
  arrays_.trim();
}

void DeviceMemory::trim_unused() noexcept {
  const bool much_shared = shared_.unused() > shared_kept_,
             much_pinned = pinned_.unused() > kPinnedMemoryKept;
  if (!(much_shared || much_pinned) || !device_.idle() || loss_.lost()) return;
  try {
    cuda::Current current(context_);
    if (much_shared) shared_.trim();
    if (much_pinned) pinned_.trim();
  } catch (const std::exception& error) {
    loss_.report_error(error);
  }
}

void DeviceMemory::trim_all_unused() noexcept {
  if (!device_.idle() || loss_.lost()) return;
  try {
    cuda::Current current(context_);
    // A pool counts freed memory as in use until the host has synchronised with the stream after the free; cuStreamQuery is not enough.
    for (const auto& streams : {side_streams_.handles(), streams_.handles()})
      for (const CUstream stream : streams) device_.driver().cuStreamSynchronize(stream);
    memory_->trim(kMemoryKeptIdle);
    pinned_.trim();
    shared_.trim();
    arrays_.trim();
    log_what_is_kept();
  } catch (const std::exception& error) {
    loss_.report_error(error);
  }
}

// Streams and local memory stay with the driver: half a megabyte of an H100's memory for each stream, and the largest local memory of a
// work-item times the number that the device runs at once.
void DeviceMemory::log_what_is_kept() {
  if (!log::enabled(log::Level::info)) return;
  std::size_t local = 0;
  device_.driver().cuCtxGetLimit(&local, CU_LIMIT_STACK_SIZE);
  log::info("{} is idle: {} streams, {} KiB in memory pools, {} bytes of local memory for each work-item",
            device_.name(), streams_.handles().size(), memory_->reserved() >> 10, local);
}

}  // namespace clcuda
