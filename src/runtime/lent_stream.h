// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/engine.h"

namespace clcuda {

// A stream for a few commands of our own, which nothing else is recorded into for as long as this lives.
//
//   LentStream stream(engine);
//   stream->copy_to_host(data, address, size);
class LentStream {
 public:
  explicit LentStream(Engine& engine) : engine_(engine), stream_(engine.acquire_stream()) {}
  ~LentStream() { engine_.release_stream(stream_); }
  LentStream(const LentStream&) = delete;
  LentStream& operator=(const LentStream&) = delete;
  cuda::Stream& operator*() const { return stream_; }
  cuda::Stream* operator->() const { return &stream_; }

 private:
  Engine& engine_;
  cuda::Stream& stream_;
};

}  // namespace clcuda
