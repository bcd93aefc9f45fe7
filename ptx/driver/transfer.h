// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "base/ref.h"
#include "ptx/driver/command.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// Work up to this size is done by the thread that starts it, in less time than another would take to wake up.
constexpr std::size_t kInlineBytes = std::size_t{16} << 10;
// Larger work is cut into pieces of this size, for several threads.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
// A guess at a thread's speed, to tell what is worth waking others for.
constexpr std::size_t kBytesPerNanosecond = 5;

// Copies of host memory that is neither page-locked nor managed end before the call returns, because the
// program may free that memory afterwards (CUDA does the same). The command asks the gate before it touches
// the memory, and a call that gives up waiting, because the context has failed, closes it.
class HostGate final : public RefCounted {
 public:
  bool enter() noexcept { return change(State::open, State::entered); }
  bool close() noexcept { return change(State::open, State::closed); }

 private:
  enum class State { open, entered, closed };
  bool change(State from, State to) noexcept { return state_.compare_exchange_strong(from, to); }
  std::atomic<State> state_{State::open};
};

// Queues a command that uses pageable host memory through `gate` and waits for it. Returns the sticky error
// if the context has failed.
CUresult enqueue_and_wait(Stream& stream, std::unique_ptr<Command> command, HostGate& gate);

}  // namespace clcuda::ptx::driver
