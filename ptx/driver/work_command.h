// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/driver/command.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

// A command that the device's threads execute.
class WorkCommand : public Command, protected Work {
 public:
  using Work::Work;
  Progress start(Stream& stream) noexcept override;

 protected:
  Stream& stream() const { return *stream_; }

 private:
  void finished() noexcept final;
  Stream* stream_ = nullptr;  // alive as long as it has a head
};

}  // namespace clcuda::ptx::driver
