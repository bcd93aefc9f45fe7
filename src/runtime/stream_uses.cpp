// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream_uses.h"

#include <algorithm>
#include <exception>

#include "base/log.h"

namespace clcuda {

void StreamUses::set_ready(cuda::Stream& stream) {
  ready_ = stream.mark();
  ready_stream_ = &stream;
}

void StreamUses::put_ready_behind(cuda::Stream& stream) {
  wait_until_ready(stream);
  set_ready(stream);
}

void StreamUses::wait_until_ready(cuda::Stream& stream) {
  if (!ready_ || ready_stream_ == &stream) return;
  if (ready_.query() == CUDA_SUCCESS)
    ready_ = {};
  else
    stream.wait(ready_);
}

void StreamUses::note(cuda::Stream& stream) {
  if (last_ == &stream) return;
  last_ = &stream;
  if (std::ranges::find(users_, &stream) == users_.end()) users_.push_back(&stream);
}

void StreamUses::mark(std::vector<cuda::Event>& events) const noexcept {
  for (cuda::Stream* stream : users_) {
    try {
      events.push_back(stream->mark());
    } catch (const std::exception& error) {
      log::debug("nothing to wait for in a stream: {}", error.what());
    }
  }
}

}  // namespace clcuda
