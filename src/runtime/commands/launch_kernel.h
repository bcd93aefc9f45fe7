// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/image.h"
#include "runtime/program/kernel.h"
#include "runtime/program/printf_buffer.h"
#include "runtime/queue/command.h"
#include "runtime/queue/ndrange.h"

namespace clcuda {

// A snapshot of a launch when it is enqueued: the kernel's code (of the variant that the range needs), the range, and the arguments.
struct Launch {
  const KernelFunction* function = nullptr;  // valid as long as the kernel exists
  NDRange range;
  ArgumentBlock arguments;
  bool uniform = false;
  std::array<unsigned, 3> grid{};  // if uniform: the grid
  CUdeviceptr printf_buffer = 0;
  std::uint64_t default_queue = 0;  // get_default_queue() in device code
  // The program must not be destroyed while the launch runs, because it has objects with destructors.
  bool keeps_program = false;

  bool prints() const { return function->code->uses_printf; }
  std::size_t printf_size() const {
    return PrintfBuffer::size_for(range.size(), function->code->printf_bytes);
  }
  bool enqueues() const { return function->code->enqueues; }
  // Whether the command completes only after work on the host.
  bool needs_host() const { return prints() || keeps_program; }
};

// Checks the range (section 5.10 of the specification) and the local memory, chooses a work-group size if `local` is null, and selects the
// code. Sets `range.local` of the result. Throws Error with the codes of clEnqueueNDRangeKernel.
Launch prepare_launch(CommandQueue& queue, const Kernel& kernel, const NDRange& range,
                      const std::size_t* local);

// For a range without work-items, which launches nothing: throws what prepare_launch() throws.
void check_empty_launch(CommandQueue& queue, const Kernel& kernel, const NDRange& range,
                        const std::size_t* local);

// Submits a launch. `uses`, those of its arguments, must be resident. Writes their addresses into the parameters, and divides ranges that
// exceed CUDA's grid limits. Begins `timing`, if there is one, with the kernel. A launch that prints needs a command, which provides the
// buffer and prints its contents.
void emit_launch(CommandQueue& queue, cuda::Stream& stream, Launch& launch, std::span<const MemoryUse> uses,
                 cuda::Timing* timing);

// clEnqueueNDRangeKernel, clEnqueueTask.
class LaunchKernel final : public Command {
 public:
  LaunchKernel(CommandQueue& queue, cl_command_type type, Kernel& kernel, Launch launch);

 private:
  bool has_epilogue() const override { return has_epilogue_; }
  bool can_fail_at_end() const override { return can_fail_at_end_; }
  // What it prints may go to a pipe that nobody reads, and what it keeps may end with kernels.
  bool has_slow_epilogue() const override { return launch_.needs_host(); }
  bool is_epilogue_slow() override { return launch_.keeps_program || (output_ && output_->fetch()); }
  void wait_for_room() noexcept override;
  bool has_room() noexcept override;
  void emit(cuda::Stream& stream) override { emit(stream, nullptr); }
  void emit_timed(cuda::Stream& stream, cuda::Timing& timing) override { emit(stream, &timing); }
  void emit(cuda::Stream& stream, cuda::Timing* timing);
  void epilogue() override;
  void release_resources() noexcept override;
  CommandDetails details() const override {
    return {.type = type(), .kernel = kernel_->name(), .range = &launch_.range};
  }

  Ref<Kernel> kernel_;  // released at completion, because the command may exist for long after it
  Launch launch_;
  const bool has_epilogue_, can_fail_at_end_;
  std::unique_ptr<PrintfBuffer> output_;  // of a kernel that prints
  cuda::PinnedBlock outcome_;             // of a kernel that enqueues others: their status
};

}  // namespace clcuda
