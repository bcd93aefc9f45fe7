// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "cuda/stream.h"
#include "runtime/engine.h"

namespace clcuda {

// What streams of one device do with a piece of its memory. Not locked: it belongs to what owns the memory.
class StreamUses {
 public:
  // The last thing we did there ourselves (allocation, migration) is what has been recorded into `stream` so far.
  void set_ready(Engine& engine, cuda::Stream& stream);
  // What is recorded into `stream` from now on comes behind that.
  void wait_until_ready(cuda::Stream& stream);
  const cuda::Event& ready() const { return ready_; }

  void note(cuda::Stream& stream);
  void forget() { *this = {}; }
  const std::vector<cuda::Stream*>& users() const { return users_; }
  // Adds for each user an event that happens when all that it holds now is done.
  void record(Engine& engine, std::vector<std::pair<Engine*, cuda::Event>>& events) const noexcept;

 private:
  cuda::Event ready_;
  cuda::Stream* ready_stream_ = nullptr;
  cuda::Stream* last_ = nullptr;  // the stream of the last use: one of `users_`
  std::vector<cuda::Stream*> users_;
};

}  // namespace clcuda
