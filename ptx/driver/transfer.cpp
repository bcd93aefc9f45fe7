// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/transfer.h"

#include <thread>
#include <utility>

namespace clcuda::ptx::driver {

CUresult enqueue_and_wait(Stream& stream, std::unique_ptr<Command> command, HostGate& gate) {
  const std::uint64_t number = stream.enqueue(std::move(command));
  const CUresult error = stream.context().wait_until([&] { return stream.finished(number); });
  if (error && !gate.close())
    while (!stream.finished(number)) std::this_thread::yield();  // being executed, which is short
  return error;
}

}  // namespace clcuda::ptx::driver
