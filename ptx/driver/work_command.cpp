// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/work_command.h"

#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

Command::Progress WorkCommand::start(Stream& stream) noexcept {
  stream_ = &stream;
  stream.pool().submit(*this);
  return Progress::running;
}

void WorkCommand::finished() noexcept { stream_->finish_head(); }

}  // namespace clcuda::ptx::driver
