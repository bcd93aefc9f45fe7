// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/context.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "ptx/driver/arena.h"
#include "ptx/driver/device.h"
#include "ptx/driver/event.h"
#include "ptx/driver/function.h"
#include "ptx/driver/link.h"
#include "ptx/driver/memory_pool.h"
#include "ptx/driver/mipmapped_array.h"
#include "ptx/driver/module.h"
#include "ptx/driver/stream.h"
#include "ptx/executor/texel_objects.h"

namespace clcuda::ptx::driver {
namespace {

template <class T>
void remove_handles_of(const Context& context, HandleTable<T>& table) {
  for (std::uint64_t handle :
       table.handles_if([&](const T& object) { return &object.context() == &context; }))
    table.remove(handle);
}

}  // namespace

Context::Context(Device& device) : device_(device) {
  streams_.push_back(Ref<Stream>::adopt(new Stream(*this, StreamKind::null, kLeastPriority, device.pool())));
}

Context::~Context() = default;

void Context::fail(CUresult error) noexcept {
  CUresult expected = CUDA_SUCCESS;
  if (!status_.compare_exchange_strong(expected, error)) return;
  log::error("device {} has failed: error {}", device_.ordinal(), static_cast<int>(error));
  something_completed();
}

Ref<Stream> Context::create_stream(StreamKind kind, int priority, WorkerPool* pool) {
  Ref<Stream> stream = Ref<Stream>::adopt(new Stream(
      *this, kind, std::clamp(priority, kGreatestPriority, kLeastPriority), pool ? *pool : device_.pool()));
  MutexLock lock(streams_mutex_);
  require_usable();
  streams_.push_back(stream);
  return stream;
}

Ref<Stream> Context::null_stream() const {
  MutexLock lock(streams_mutex_);
  require(!streams_.empty(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return streams_.front();
}

void Context::forget(const Stream& stream) noexcept {
  Ref<Stream> forgotten;  // dropped after the lock
  MutexLock lock(streams_mutex_);
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const Ref<Stream>& each) { return each.get() == &stream; });
  if (found == streams_.end()) return;
  forgotten = std::move(*found);
  streams_.erase(found);
}

std::vector<Ref<Stream>> Context::streams(StreamSet set) const {
  std::vector<Ref<Stream>> streams;
  MutexLock lock(streams_mutex_);
  for (const Ref<Stream>& stream : streams_)
    if (set == StreamSet::all || stream->kind() != StreamKind::non_blocking) streams.push_back(stream);
  return streams;
}

bool Context::idle(StreamSet set) const {
  const auto all = streams(set);
  return std::all_of(all.begin(), all.end(), [](const Ref<Stream>& stream) { return stream->idle(); });
}

CUresult Context::synchronize(StreamSet set) {
  std::vector<std::pair<Ref<Stream>, std::uint64_t>> ends;
  for (Ref<Stream>& stream : streams(set)) {
    const std::uint64_t end = stream->latest();
    ends.emplace_back(std::move(stream), end);
  }
  return wait_until([&] {
    return std::all_of(ends.begin(), ends.end(),
                       [](const auto& end) { return end.first->finished(end.second); });
  });
}

void Context::something_completed() noexcept {
  if (waiters_.load(std::memory_order_seq_cst) == 0) return;
  {
    MutexLock lock(waiting_mutex_);
  }  // a waiter that has just tested its condition is asleep after this
  completed_.notify_all();
}

void Context::wait_for_idle() {
  waiters_.fetch_add(1, std::memory_order_seq_cst);
  const auto all = streams();
  {
    MutexLock lock(waiting_mutex_);
    while (!std::all_of(all.begin(), all.end(), [](const Ref<Stream>& stream) { return stream->idle(); }))
      completed_.wait(lock.native());
  }
  waiters_.fetch_sub(1, std::memory_order_seq_cst);
}

void Context::destroy() {
  const bool had_failed = failed();
  if (!had_failed) {
    CUresult usable = CUDA_SUCCESS;
    status_.compare_exchange_strong(usable, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }
  wait_for_idle();
  status_.store(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  remove_handles_of(*this, stream_handles());
  remove_handles_of(*this, event_handles());
  remove_handles_of(*this, link_handles());
  remove_handles_of(*this, function_handles());
  remove_handles_of(*this, module_handles());
  remove_handles_of(*this, memory_pool_handles());
  remove_texel_objects_of(this);
  remove_handles_of(*this, mipmapped_array_handles());
  remove_handles_of(*this, array_handles());
  device_.memory().free_all_of(*this);
  Process::get().host_memory().free_all_of(*this);
  std::vector<Ref<Stream>> streams;
  MutexLock lock(streams_mutex_);
  streams.swap(streams_);
}

bool Context::begin_device_launch() noexcept {
  if (device_launches_.fetch_add(1, std::memory_order_relaxed) < device_launch_limit()) return true;
  end_device_launch();
  return false;
}

CUresult cuCtxSynchronize() {
  return entry([] { return current_context().synchronize(StreamSet::all); });
}

namespace {

void require_known(CUlimit limit) {
  require(limit == CU_LIMIT_STACK_SIZE || limit == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT,
          limit >= 0 && limit < CU_LIMIT_MAX ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return entry([&] {
    Context& context = current_context();
    require_known(limit);
    required(value) = limit == CU_LIMIT_STACK_SIZE ? context.stack_limit() : context.device_launch_limit();
    return CUDA_SUCCESS;
  });
}

// The stack of a work-item: the executor takes what a kernel needs, whatever is asked for here.
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return entry([&] {
    Context& context = current_context();
    require_known(limit);
    if (limit == CU_LIMIT_STACK_SIZE) {
      require(value <= (std::size_t{512} << 10));
      context.set_stack_limit(value);
    } else {
      context.set_device_launch_limit(value);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return entry([&] {
    current_context();
    if (least) *least = kLeastPriority;  // either may be null
    if (greatest) *greatest = kGreatestPriority;
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
