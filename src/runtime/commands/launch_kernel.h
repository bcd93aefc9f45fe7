// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/image.h"
#include "runtime/program/kernel.h"
#include "runtime/program/printf_buffer.h"
#include "runtime/queue/command.h"
#include "runtime/queue/ndrange.h"

namespace clcuda {

// What of a launch is known when it is enqueued: the code (of the variant that the range needs), the range,
// the arguments.
struct Launch {
  const KernelFunction* function = nullptr;  // as long as the kernel is there
  NDRange range;
  ArgumentBlock arguments;
  bool uniform = false;
  std::array<unsigned, 3> grid{};  // of a uniform range
  CUdeviceptr printf_buffer = 0;
  std::uint64_t default_queue = 0;  // as device code knows it
  // The program has objects to destroy when it goes, and does not go while the launch runs.
  bool keeps_program = false;

  bool prints() const { return function->code->uses_printf; }
  std::size_t printf_size() const {
    return PrintfBuffer::size_for(range.size(), function->code->printf_bytes);
  }
  bool enqueues() const { return function->code->enqueues; }
  // Whether it is over only when the host has done something about it.
  bool needs_host() const { return prints() || keeps_program; }
};

// Checks a range (section 5.10 of the specification) and the local memory, chooses a work-group size where
// `local` is null, and finds the code. `range.local` is filled in.
Launch prepare_launch(CommandQueue& queue, const Kernel& kernel, const NDRange& range,
                      const std::size_t* local);

// Emits a launch whose `uses` (those of its arguments) are resident: parameters get their addresses, ranges
// beyond CUDA's limits are cut into parts. One that prints needs a command, which gives it a buffer and
// writes out what is in it.
void emit_launch(CommandQueue& queue, cuda::Stream& stream, Launch& launch, std::span<const MemoryUse> uses,
                 bool timed = false);

class LaunchKernel final : public Command {
 public:
  LaunchKernel(CommandQueue& queue, cl_command_type type, Kernel& kernel, Launch launch);

 private:
  bool has_epilogue() const override { return has_epilogue_; }
  bool can_fail_at_end() const override { return can_fail_at_end_; }
  void wait_for_room() noexcept override;
  void emit(cuda::Stream& stream) override;
  void epilogue() override;
  void release_resources() noexcept override;
  std::string_view kernel_name() const override { return kernel_->name(); }

  Ref<Kernel> kernel_;  // at most until the command is complete: it may be remembered for long after
  Launch launch_;
  const bool has_epilogue_, can_fail_at_end_;
  std::unique_ptr<PrintfBuffer> output_;  // of a kernel that prints
  cuda::PinnedBlock outcome_;             // of a kernel that enqueues: the status of what it has enqueued
};

}  // namespace clcuda
