// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/thread_stream.h"

#include <cstdint>
#include <vector>

namespace clcuda::ptx::driver {
namespace {

// By handle, because a context destroys its streams' handles when it ends.
struct StreamsOfThread {
  std::vector<std::uint64_t> streams;

  ~StreamsOfThread() {
    for (const std::uint64_t handle : streams)
      if (const Ref<Stream> stream = handles<Stream>().remove(handle)) stream->abandon();
  }
};

}  // namespace

Ref<Stream> stream_of_this_thread(Context& context) {
  thread_local StreamsOfThread own;
  std::erase_if(own.streams, [](std::uint64_t handle) { return !handles<Stream>().find(handle); });
  for (const std::uint64_t handle : own.streams)
    if (Ref<Stream> stream = handles<Stream>().find(handle); stream && &stream->context() == &context)
      return stream;
  own.streams.reserve(own.streams.size() + 1);
  Ref<Stream> stream = context.create_stream(StreamKind::blocking, kLeastPriority);
  own.streams.push_back(handles<Stream>().add(stream));
  return stream;
}

}  // namespace clcuda::ptx::driver
