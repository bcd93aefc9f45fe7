// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/primary_context.h"

#include <algorithm>
#include <utility>

#include "ptx/driver/arena.h"
#include "ptx/driver/array.h"
#include "ptx/driver/device.h"
#include "ptx/driver/event.h"
#include "ptx/driver/event_commands.h"
#include "ptx/driver/function.h"
#include "ptx/driver/link.h"
#include "ptx/driver/memory_pool.h"
#include "ptx/driver/mipmapped_array.h"
#include "ptx/driver/module.h"
#include "ptx/driver/registered_memory.h"
#include "ptx/driver/stream.h"
#include "ptx/executor/texel_objects.h"

namespace clcuda::ptx::driver {

namespace {

template <class T>
void remove_handles_of(const Context& context) {
  for (std::uint64_t handle :
       handles<T>().handles_if([&](const T& object) { return &object.context() == &context; }))
    handles<T>().remove(handle);
}

}  // namespace

PrimaryContext::PrimaryContext(Device& device) : Context(device) {
  streams_.push_back(Ref<Stream>::adopt(new Stream(*this, StreamKind::null, kLeastPriority, device.pool())));
}

PrimaryContext::~PrimaryContext() = default;

Ref<Stream> PrimaryContext::create_stream(StreamKind kind, int priority, WorkerPool* pool) {
  Ref<Stream> stream = Ref<Stream>::adopt(new Stream(
      *this, kind, std::clamp(priority, kGreatestPriority, kLeastPriority), pool ? *pool : device().pool()));
  MutexLock lock(streams_mutex_);
  require_usable();
  streams_.push_back(stream);
  return stream;
}

Ref<Stream> PrimaryContext::null_stream() const {
  MutexLock lock(streams_mutex_);
  require(!streams_.empty(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return streams_.front();
}

void PrimaryContext::forget(const Stream& stream) noexcept {
  Ref<Stream> forgotten;  // released after the lock
  MutexLock lock(streams_mutex_);
  const auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const Ref<Stream>& each) { return each.get() == &stream; });
  if (found == streams_.end()) return;
  forgotten = std::move(*found);
  streams_.erase(found);
}

// The NULL stream's work is executed after all earlier work of blocking streams and before all their later work. Enqueuing is serialised,
// so that all streams agree on what is earlier.
std::uint64_t PrimaryContext::push_in_order(Stream& stream, std::unique_ptr<Command> command) {
  MutexLock order(legacy_order_);
  for (const Ref<Stream>& other : streams(StreamSet::all)) {
    const StreamKind before = stream.kind() == StreamKind::null ? StreamKind::blocking : StreamKind::null;
    if (other->kind() != before || other->idle()) continue;
    Ref<EventRecord> record = Ref<EventRecord>::adopt(new EventRecord(Ref<Context>(this)));
    other->push(std::make_unique<RecordCommand>(record));
    stream.push(std::make_unique<WaitCommand>(record));
  }
  return stream.push(std::move(command));
}

std::vector<Ref<Stream>> PrimaryContext::streams(StreamSet set) const {
  std::vector<Ref<Stream>> streams;
  MutexLock lock(streams_mutex_);
  for (const Ref<Stream>& stream : streams_)
    if (set == StreamSet::all || stream->kind() != StreamKind::non_blocking) streams.push_back(stream);
  return streams;
}

bool PrimaryContext::idle(StreamSet set) const {
  const auto all = streams(set);
  return std::all_of(all.begin(), all.end(), [](const Ref<Stream>& stream) { return stream->idle(); });
}

CUresult PrimaryContext::synchronize(StreamSet set) {
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

void PrimaryContext::destroy(Arena& host_memory, RegisteredMemory& registered) {
  set_unusable();
  sleep_until([all = streams(StreamSet::all)] {
    return std::all_of(all.begin(), all.end(), [](const Ref<Stream>& stream) { return stream->idle(); });
  });
  set_destroyed();
  remove_handles_of<Stream>(*this);
  remove_handles_of<Event>(*this);
  remove_handles_of<Link>(*this);
  remove_handles_of<Function>(*this);
  remove_handles_of<Module>(*this);
  remove_handles_of<MemoryPool>(*this);
  remove_texel_objects_of(this);
  remove_handles_of<MipmappedArray>(*this);
  remove_handles_of<Array>(*this);
  device().memory().free_all_of(*this);
  host_memory.free_all_of(*this);
  registered.remove_all_of(*this);
  std::vector<Ref<Stream>> streams;
  MutexLock lock(streams_mutex_);
  streams.swap(streams_);
}

void PrimaryContextSlot::retain() {
  MutexLock lock(mutex_);
  if (!context_) context_ = Ref<PrimaryContext>::adopt(new PrimaryContext(device_));
  ++retains_;
}

void PrimaryContextSlot::release() {
  Ref<PrimaryContext> last;
  {
    MutexLock lock(mutex_);
    require(retains_ > 0, CUDA_ERROR_INVALID_CONTEXT);
    if (--retains_ == 0) std::swap(last, context_);
  }
  if (last) last->destroy(host_memory_, registered_);
}

Ref<Context> PrimaryContextSlot::context() const {
  MutexLock lock(mutex_);
  return context_;
}

}  // namespace clcuda::ptx::driver
