// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/stream.h"

#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::driver {

CUresult cuStreamCreateWithPriority(CUstream* handle, unsigned flags, int priority) {
  return entry([&] {
    CUstream& out = required(handle);
    require((flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) == 0);
    const Stream::Kind kind =
        flags & CU_STREAM_NON_BLOCKING ? Stream::Kind::non_blocking : Stream::Kind::blocking;
    out = handle_from<CUstream>(handles<Stream>().add(current_context().create_stream(kind, priority)));
    return CUDA_SUCCESS;
  });
}

// Queued work is still executed; the handle becomes invalid at once.
CUresult cuStreamDestroy(CUstream handle) {
  return entry([&] {
    Context& current = current_context_unchecked();
    const Ref<Stream> stream = handles<Stream>().remove(number(handle));
    require(static_cast<bool>(stream), CUDA_ERROR_INVALID_HANDLE);
    stream->abandon();
    return current.status();
  });
}

CUresult cuStreamQuery(CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    const bool idle =
        stream->kind() == Stream::Kind::null ? stream->context().idle(StreamSet::legacy) : stream->idle();
    stream->context().require_usable();
    return idle ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  });
}

CUresult cuStreamSynchronize(CUstream handle) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(handle);
    if (stream->kind() == Stream::Kind::null) return stream->context().synchronize(StreamSet::legacy);
    return stream->context().wait_until(
        [&stream, latest = stream->latest()] { return stream->finished(latest); });
  });
}

}  // namespace clcuda::ptx::driver
