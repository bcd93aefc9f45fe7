// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream_uses.h"

#include <algorithm>

namespace clcuda {

void StreamUses::set_ready(Engine& engine, cuda::Stream& stream) {
  ready_ = engine.events().take();
  ready_stream_ = &stream;
  stream.record(ready_);
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

void StreamUses::record(Engine& engine, std::vector<std::pair<Engine*, cuda::Event>>& events) const noexcept {
  for (cuda::Stream* stream : users_) {
    try {
      cuda::Current current(engine.context());
      cuda::Event event = engine.events().take();
      stream->record(event);
      events.emplace_back(&engine, std::move(event));
    } catch (const std::exception& error) {
      engine.note(error);
    }
  }
}

}  // namespace clcuda
