// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/device_resources.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/log.h"
#include "base/thread.h"
#include "builtins/device_tasks.h"
#include "cuda/error.h"
#include "runtime/device/device_user.h"
#include "runtime/device/stream_order.h"
#include "runtime/platform/platform.h"

namespace clcuda {
namespace {

constexpr std::size_t kSharedMemoryKept = 32 << 20, kPinnedMemoryKept = 256 << 20;
// Memory of the device that stays for the next work, and how many of the monitor's looks find nothing to do before the rest goes.
constexpr std::size_t kMemoryKeptIdle = 32 << 20;
constexpr int kIdleLooks = 12;
// Page-locked memory whose use streams may not have reached, before they are asked.
constexpr std::size_t kBlocksKept = 16, kBytesKept = 4 << 20;
constexpr std::size_t kArraysKept = 32;  // of the device's memory, the part

// The executor's pools are ready at once, and see what uses memory that was freed.
std::unique_ptr<cuda::MemoryPool> make_memory(const Device& device, const cuda::DeviceContext& context) {
  using Style = cuda::MemoryPool::Style;
  const cuda::Current current(context);
  return std::make_unique<cuda::MemoryPool>(context,
                                            device.platform().is_cpu() ? Style::exact : Style::for_chips);
}

}  // namespace

DeviceResources& DeviceResources::of(Device& device) {
  DeviceResources* made = device.root().resources().load(std::memory_order_acquire);
  return made ? *made : make(device.root());
}

DeviceResources& DeviceResources::make(Device& device) {
  static constinit Mutex mutex(LockRank::device_resources_list);
  MutexLock lock(mutex);
  std::atomic<DeviceResources*>& place = device.resources();
  if (!place.load(std::memory_order_relaxed))
    place.store(new DeviceResources(device), std::memory_order_release);
  return *place.load(std::memory_order_relaxed);
}

DeviceResources::DeviceResources(Device& device)
    : device_(device),
      context_(device.context()),
      events_(context_, false),
      timing_events_(context_, true),
      reaches_host_memory_(
          device.attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) != 0),
      memory_(make_memory(device, context_)),
      pinned_(context_),
      shared_(context_),
      arrays_(context_, device.memory_size() / kArraysKept) {}

// The one that has been idle for longest, as one given back with work in flight is not lent again before that is done. The driver is asked
// about that one and the next, no more, and without the lock.
cuda::Stream& DeviceResources::acquire_stream(const cuda::Partition* partition) {
  // Another device's context may be current, for whose sake something is fetched from here.
  const cuda::Current current(context_);
  for (int asked = 0; asked < 2; ++asked) {
    cuda::Stream* idle = take_idle_stream(partition);
    if (!idle) break;
    if (idle->query() == CUDA_SUCCESS) return *idle;
    release_stream(*idle);
  }
  auto made = std::make_unique<cuda::Stream>(events_, partition);
  MutexLock lock(mutex_);
  return *streams_.emplace_back(std::move(made));
}

cuda::Stream* DeviceResources::take_idle_stream(const cuda::Partition* partition) {
  MutexLock lock(mutex_);
  const auto found = std::ranges::find(idle_streams_, partition, &cuda::Stream::partition);
  if (found == idle_streams_.end()) return nullptr;
  cuda::Stream* stream = *found;
  idle_streams_.erase(found);
  return stream;
}

void DeviceResources::release_stream(cuda::Stream& stream) noexcept {
  try {
    MutexLock lock(mutex_);
    idle_streams_.push_back(&stream);
  } catch (const std::exception& error) {
    log::error("a stream is not used again: {}", error.what());
  }
}

cuda::Stream& DeviceResources::upload_stream() {
  MutexLock lock(mutex_);
  if (!upload_stream_) upload_stream_ = std::make_unique<cuda::Stream>(events_);
  return *upload_stream_;
}

void DeviceResources::retire_streams(const std::vector<cuda::Stream*>& streams, bool working) noexcept {
  const auto end = [](DeviceResources& resources, const std::vector<cuda::Stream*>& ended, bool worked) {
    for (cuda::Stream* stream : ended) resources.release_stream(*stream);
    if (!worked) return;
    resources.device_.work_ended();
    resources.device_.reclaim();
  };
  std::function<void()> job;
  // Streams are lent in turn: with what each has had, all of them would come to have memory for tasks.
  for (cuda::Stream* stream : streams) forget_tasks(*stream);
  try {
    const cuda::Current current(context_);
    LastUses uses;
    for (cuda::Stream* stream : streams) {
      uses.streams.push_back(stream);
      uses.events.push_back(stream->mark());
    }
    job = [this, end, streams, working] { end(*this, streams, working); };
    call_behind(uses, job);
  } catch (const std::exception& error) {
    report_error(error);
    end(*this, streams, working);
  }
}

void DeviceResources::call_behind(const LastUses& uses, const std::function<void()>& job) noexcept {
  try {
    const cuda::Current current(context_);
    const auto over = [](const cuda::Event& use) { return use.query() != CUDA_ERROR_NOT_READY; };
    if (lost() || std::ranges::all_of(uses.events, over)) return job();
    side_streams_.call(uses, job);
    if (lost()) side_streams_.device_lost();
  } catch (const std::exception& error) {
    report_error(error);
    job();
  }
}

// What `allocate` gives; where there is no memory for it, once more without what is unused.
template <class Allocate>
auto DeviceResources::reclaiming(const Allocate& allocate) {
  try {
    return allocate();
  } catch (const cuda::DriverError& error) {
    if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
  }
  reclaim_memory();
  return allocate();
}

CUdeviceptr DeviceResources::allocate(std::size_t size, cuda::Stream& stream, Sharing sharing) {
  return reclaiming([&] { return memory_->allocate(size, stream, sharing); });
}

cuda::PinnedBlock DeviceResources::allocate_pinned(std::size_t size) {
  return reclaiming([&] { return pinned_.take(size); });
}

// Once it is back, the monitor looks whether there is too much of it.
std::shared_ptr<cuda::PinnedBlock> DeviceResources::lend_pinned(std::size_t size) {
  const auto give_back = [this](cuda::PinnedBlock* block) {
    delete block;
    wake_monitor();
  };
  return {new cuda::PinnedBlock(allocate_pinned(size)), give_back};
}

std::shared_ptr<cuda::PinnedBlock> DeviceResources::lend_staging(std::size_t size) {
  auto block = std::make_unique<cuda::PinnedBlock>(allocate_pinned(size));
  staging_bytes_.fetch_add(block->size(), std::memory_order_relaxed);
  const auto give_back = [this](cuda::PinnedBlock* lent) {
    staging_bytes_.fetch_sub(lent->size(), std::memory_order_relaxed);
    delete lent;
    wake_monitor();
  };
  return {block.release(), give_back};
}

cuda::SharedPool::Block DeviceResources::allocate_shared(std::size_t size) {
  cuda::Current current(context_);
  return reclaiming([&] { return shared_.take(size); });
}

void DeviceResources::launch(cuda::Stream& stream, const cuda::Function& function,
                             const cuda::LaunchShape& shape, void* parameters, std::size_t size) {
  reclaiming([&] { stream.launch(function, shape, parameters, size); });
}

std::unique_ptr<cuda::Array> DeviceResources::allocate_array(const CUDA_ARRAY3D_DESCRIPTOR& shape,
                                                             unsigned levels, cuda::Stream& stream) {
  return reclaiming([&] { return arrays_.take(shape, levels, stream); });
}

void DeviceResources::free(std::unique_ptr<cuda::Array> array,
                           const std::vector<cuda::Stream*>& users) noexcept {
  try {
    cuda::Current current(context_);
    std::vector<cuda::Event> uses;
    uses.reserve(users.size());
    for (cuda::Stream* user : users) uses.push_back(user->mark());
    for (auto& excess : arrays_.give_back(std::move(array), std::move(uses)))
      device_.discard(std::shared_ptr<cuda::Array>(std::move(excess)));
  } catch (const std::exception& error) {
    report_error(error);
  }
}

// Memory that was released may still be waiting for the work that used it.
void DeviceResources::reclaim_memory() noexcept {
  driver().cuCtxSynchronize();
  free_the_unfreed();
  memory_->trim();
  pinned_.trim();
  shared_.trim();
  arrays_.trim();
  device_.reclaim(true);
}

void DeviceResources::trim_unused() noexcept {
  const bool much_shared = shared_.unused() > kSharedMemoryKept,
             much_pinned = pinned_.unused() > kPinnedMemoryKept;
  if (!(much_shared || much_pinned) || !device_.idle() || lost()) return;
  try {
    cuda::Current current(context_);
    if (much_shared) shared_.trim();
    if (much_pinned) pinned_.trim();
  } catch (const std::exception& error) {
    report_error(error);
  }
}

std::vector<CUstream> DeviceResources::all_streams() {
  std::vector<CUstream> all = side_streams_.handles();
  MutexLock lock(mutex_);
  for (const auto& stream : streams_) all.push_back(stream->handle());
  return all;
}

void DeviceResources::trim_all_unused() noexcept {
  if (!device_.idle() || lost()) return;
  try {
    cuda::Current current(context_);
    // A pool counts memory as in use until the host has seen that the stream has come as far as where it was freed; a query is no such sight.
    for (const CUstream stream : all_streams()) driver().cuStreamSynchronize(stream);
    memory_->trim(kMemoryKeptIdle);
    pinned_.trim();
    shared_.trim();
    arrays_.trim();
  } catch (const std::exception& error) {
    report_error(error);
  }
}

void DeviceResources::free(CUdeviceptr address, const std::vector<cuda::Stream*>& users) noexcept {
  if (lost()) return;
  try {
    return free_behind(address, users);
  } catch (const std::exception& error) {
    report_error(error);
  }
  try {
    MutexLock lock(mutex_);
    unfreed_.push_back({address, users});
    wake_monitor();
  } catch (const std::exception& error) {
    log::error("no memory to free device memory with: {}", error.what());
  }
}

void DeviceResources::free_behind(CUdeviceptr address, const std::vector<cuda::Stream*>& users) {
  cuda::Current current(context_);
  if (users.size() == 1 && &users.front()->context() == &context_)
    return memory_->free(address, *users.front());
  memory_->free(address, side_streams_.behind(users));
}

// What could not be freed at its time.
void DeviceResources::free_the_unfreed() noexcept {
  std::vector<Unfreed> unfreed;
  {
    MutexLock lock(mutex_);
    unfreed.swap(unfreed_);
  }
  for (const Unfreed& memory : unfreed) free(memory.address, memory.users);
}

void DeviceResources::enable_peer_access(DeviceResources& other) {
  {
    MutexLock lock(mutex_);
    if (std::ranges::find(peers_, &other) != peers_.end()) return;
    peers_.push_back(&other);
  }
  memory_->open_to(other.context());
  other.memory_->open_to(context_);
}

CUdeviceptr DeviceResources::task_memory(cuda::Stream& stream) {
  {
    MutexLock lock(mutex_);
    if (const auto found = task_memory_.find(&stream); found != task_memory_.end()) return found->second;
  }
  // Without the lock, since the driver may take its time: nobody else records into the stream.
  const CUdeviceptr address = allocate(CLCUDA_TASKS_SIZE, stream);
  try {
    stream.fill(address, 0, 4, sizeof(clcuda_tasks) / 4);
    MutexLock lock(mutex_);
    task_memory_.emplace(&stream, address);
  } catch (...) {
    free(address, {&stream});
    throw;
  }
  return address;
}

void DeviceResources::forget_tasks(cuda::Stream& stream) noexcept {
  CUdeviceptr memory = 0;
  {
    MutexLock lock(mutex_);
    const auto found = task_memory_.find(&stream);
    if (found == task_memory_.end()) return;
    memory = found->second;
    task_memory_.erase(found);
  }
  if (memory) free(memory, {&stream});
}

void DeviceResources::keep_until_reached(cuda::Stream& stream,
                                         std::shared_ptr<cuda::PinnedBlock> block) noexcept {
  try {
    return keep(stream, block);
  } catch (const std::exception& error) {
    report_error(error);
  }
  stream.drain();
}

void DeviceResources::keep(cuda::Stream& stream, std::shared_ptr<cuda::PinnedBlock> block) {
  const std::uint64_t before = marks_.fetch_add(1);
  cuda::Event reached = stream.mark();
  const std::uint64_t after = marks_.fetch_add(1);
  MutexLock lock(mutex_);
  kept_bytes_ += block->size();
  kept_.push_back({&stream, std::move(reached), before, after, std::move(block)});
  // To ask takes the driver longer than anything else here: once for many, or for much memory.
  const bool many = kept_.size() >= kBlocksKept || kept_bytes_ > kBytesKept;
  if (many && !release_kept(kept_.size() / 2)) release_kept(0);
  wake_monitor();
}

// The `last`, if its place in its stream has been reached, and those whose places come before it. Several threads may record into a stream:
// the order here says nothing of their order there.
bool DeviceResources::release_kept(std::size_t last) {
  if (kept_[last].reached.query() == CUDA_ERROR_NOT_READY) return false;
  const auto is_done = [stream = kept_[last].stream, before = kept_[last].before](const Kept& kept) {
    return kept.stream == stream && (kept.after <= before || kept.before == before);
  };
  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(last) + 1;
  for (auto kept = kept_.begin(); kept != end; ++kept)
    if (is_done(*kept)) kept_bytes_ -= kept->block->size();
  kept_.erase(std::remove_if(kept_.begin(), end, is_done), end);
  return true;
}

// The latest first, whose streams have come past all others. Of a stream that has not come so far, ever fewer are asked after: however many
// there are, the driver is called a few times.
void DeviceResources::release_all_kept() {
  struct Asking {
    std::size_t left_out = 0, passed = 0;
  };
  std::unordered_map<const cuda::Stream*, Asking> busy;
  for (std::size_t i = kept_.size(); i-- > 0;) {
    if (i >= kept_.size()) continue;
    Asking& asking = busy[kept_[i].stream];
    if (asking.passed++ < asking.left_out || release_kept(i)) continue;
    asking = {.left_out = 2 * asking.left_out + 1, .passed = 0};
  }
}

void DeviceResources::require_alive() const {
  if (lost()) [[unlikely]]
    throw Error(CL_OUT_OF_RESOURCES, device_.why_lost());
}

cl_int DeviceResources::report_error(CUresult result, const char* where) noexcept {
  if (result == CUDA_SUCCESS) return CL_SUCCESS;
  if (cuda::is_fatal(result)) {
    std::string reason;
    try {
      reason = cuda::describe(driver(), result, where);
    } catch (const std::exception&) {
      // No memory to say what happened: that it did is what counts.
    }
    lose(reason);
  }
  return cuda::to_opencl(result);
}

cl_int DeviceResources::report_error(const std::exception& error) noexcept {
  if (const auto* driver_error = dynamic_cast<const cuda::DriverError*>(&error)) {
    if (cuda::is_fatal(driver_error->result())) lose(error.what());
    return driver_error->code();
  }
  if (const auto* refusal = dynamic_cast<const Error*>(&error)) return refusal->code();
  return CL_OUT_OF_HOST_MEMORY;
}

void DeviceResources::lose(const std::string& reason) noexcept {
  if (lost_.exchange(true, std::memory_order_acq_rel)) return;
  device_.lose(reason);
  try {
    log::error("{}", device_.why_lost());
    // A thread of its own: whoever saw the error may hold a queue's lock.
    if (start_thread("clcuda-lost", [this, reason] { notify_users(reason); })) return;
  } catch (...) {
    // No memory for the reason.
  }
  // The monitor has a thread already.
  untold_ = true;
  wake_monitor();
}

void DeviceResources::notify_users(const std::string& reason) noexcept {
  try {
    const std::vector<KeptUser> all = users();
    std::string kernels;
    for (const auto& [user, kept] : all) {
      const std::string names = user->kernels_in_flight();
      if (!names.empty()) kernels += (kernels.empty() ? "" : ", ") + names;
      user->abandon();
    }
    for (const auto& [user, kept] : all) user->finish_abandoned(CL_OUT_OF_RESOURCES);
    side_streams_.device_lost();
    if (!kernels.empty()) log::error("in flight when {} was lost: {}", device_.name(), kernels);
    const std::string message =
        device_.name() + " is lost: " + reason + (kernels.empty() ? "" : "; in flight: " + kernels);
    for (const auto& [user, kept] : all) user->notify_lost(message);
  } catch (const std::exception& error) {
    log::error("telling of a lost device: {}", error.what());
  }
}

// Asking runs the last steps of reads that nobody waits for. Behind one that is not over in its stream, the others there are not asked
// after: however many there are, the driver is called a few times.
void DeviceResources::ask_after(const std::vector<Ref<Watched>>& commands) {
  std::unordered_set<const cuda::Stream*> busy;
  for (const Ref<Watched>& command : commands) {
    const Watched::End end = command->end();
    const bool has_end = static_cast<bool>(end.event);
    if (has_end && busy.contains(end.stream)) continue;
    if (!command->poll() && has_end) busy.insert(end.stream);
  }
}

bool DeviceResources::poll_users() noexcept {
  bool working = false, timed = false;
  try {
    if (untold_.exchange(false)) notify_users("there was not enough memory to tell at once");
    if (lost()) return false;
    cuda::Current current(context_);
    std::vector<Ref<Watched>> seen;
    for (const auto& [user, kept] : users()) {
      const bool has_work = user->poll(seen);
      timed |= has_work && user->profiling();
      working |= has_work;
    }
    if (timed) clock_.renew();
    {
      MutexLock lock(mutex_);
      release_all_kept();
      working |= !kept_.empty();
    }
    ask_after(seen);
    seen.clear();
    free_the_unfreed();
    // Short work comes and goes between two looks.
    idle_looks_ = device_.take_worked() || working ? 0 : idle_looks_ + 1;
    if (!working) {
      device_.reclaim();
      trim_unused();
    }
    if (idle_looks_ == kIdleLooks) trim_all_unused();
    working |= idle_looks_ < kIdleLooks;  // not to be asleep then
  } catch (const std::exception& error) {
    report_error(error);
  }
  return working;
}

// Those there are now, so that nobody who makes another waits for what is done with them. One in its destructor is not looked at.
std::vector<DeviceResources::KeptUser> DeviceResources::users() {
  std::vector<KeptUser> all;
  MutexLock lock(users_mutex_);
  all.reserve(users_.size());
  for (DeviceUser* user : users_)
    if (auto kept = user->try_keep()) all.push_back({user, std::move(kept)});
  return all;
}

void DeviceResources::add_user(DeviceUser& user) {
  MutexLock lock(users_mutex_);
  users_.push_back(&user);
}

void DeviceResources::remove_user(DeviceUser& user) noexcept {
  MutexLock lock(users_mutex_);
  std::erase(users_, &user);
}

}  // namespace clcuda
