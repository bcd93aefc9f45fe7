// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "base/log.h"
#include "ptx/driver/function.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

constexpr std::size_t kParameterAlignment = 128;  // of the largest vector type: 16 doubles

CUresult error_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::illegal_address:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FaultKind::misaligned_address:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FaultKind::illegal_instruction:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case FaultKind::trap:
    case FaultKind::stack_overflow:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

// A kernel's parameters as they stood at the launch; few enough of them need no memory of their own.
class Parameters {
 public:
  explicit Parameters(std::size_t size) {
    if (size > sizeof inline_) heap_.resize((size + sizeof(Line) - 1) / sizeof(Line));
  }
  std::byte* data() { return heap_.empty() ? inline_.bytes : heap_.front().bytes; }

 private:
  struct alignas(kParameterAlignment) Line {
    std::byte bytes[kParameterAlignment];
  };
  Line inline_;
  std::vector<Line> heap_;
};

class LaunchCommand final : public WorkCommand {
 public:
  LaunchCommand(const Stream& stream, Ref<Function> function, std::array<std::uint32_t, 3> grid,
                std::array<std::uint32_t, 3> block, std::uint32_t dynamic_shared_bytes)
      : WorkCommand(stream.high_priority()),
        function_(std::move(function)),
        parameters_(function_->description().parameter_bytes),
        launch_{&function_->kernel(), grid, block, dynamic_shared_bytes, parameters_.data()} {
    const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
    const std::uint64_t each = function_->block_nanoseconds();
    set_pieces(blocks, blocks < std::numeric_limits<std::uint32_t>::max() ? each * blocks : 0);
  }

  std::byte* parameters() { return parameters_.data(); }

 private:
  void run(std::uint64_t begin, std::uint64_t end, WorkerThread& thread) noexcept override {
    const bool measured = begin == 0;
    const auto start = measured ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
    Worker& worker = thread.worker();
    for (std::uint64_t index = begin; index < end; ++index) {
      if (stream().context().failed()) return cancel();
      if (const std::optional<Fault> fault = worker.run_block(launch_, index)) {
        log::error("kernel {}, block {}: fault at address {:#x}", function_->description().name, index,
                   fault->address);
        stream().context().fail(error_of(fault->kind));
        return cancel();
      }
    }
    if (measured)
      function_->set_block_nanoseconds(static_cast<std::uint64_t>((std::chrono::steady_clock::now() - start) /
                                                                  std::chrono::nanoseconds(1)) /
                                           (end - begin) +
                                       1);
  }

  const Ref<Function> function_;
  Parameters parameters_;
  const Launch launch_;
};

// The buffer and size of the `extra` form: pairs of a name and a value up to CU_LAUNCH_PARAM_END.
struct ParameterBuffer {
  const void* bytes = nullptr;
  std::size_t size = 0;
};

ParameterBuffer read_extra(void** extra) {
  ParameterBuffer buffer;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer.bytes = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      buffer.size = *static_cast<const std::size_t*>(&required(static_cast<std::size_t*>(extra[1])));
    else
      refuse(CUDA_ERROR_INVALID_VALUE);
  }
  return buffer;
}

void copy_parameters(std::byte* to, const KernelDescription& kernel, void** parameters, void** extra) {
  require(!parameters || !extra);
  if (extra) {
    const ParameterBuffer buffer = read_extra(extra);
    require(buffer.size == kernel.parameter_bytes && (buffer.bytes || kernel.parameter_bytes == 0));
    if (kernel.parameter_bytes) std::memcpy(to, buffer.bytes, kernel.parameter_bytes);
    return;
  }
  require(parameters || kernel.parameters.empty());
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    require(parameters[i] != nullptr);
    std::memcpy(to + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].size);
  }
}

void require_shape(const Function& function, const std::array<std::uint32_t, 3>& grid,
                   const std::array<std::uint32_t, 3>& block, std::uint32_t shared) {
  require(grid[0] >= 1 && grid[1] >= 1 && grid[2] >= 1);
  require(grid[0] <= std::numeric_limits<std::int32_t>::max() && grid[1] <= 65535 && grid[2] <= 65535);
  require(block[0] <= kMaxBlockThreads && block[1] <= kMaxBlockThreads && block[2] <= 64);
  require(function.allows(std::uint64_t{block[0]} * block[1] * block[2], shared));
  const auto& fixed = function.description().required_block;
  require(fixed[0] == 0 || fixed == block);
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function_handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream_handle, void** parameters, void** extra) {
  return entry([&] {
    const Ref<Stream> stream = stream_of(stream_handle);
    const Ref<Function> function = function_of(function_handle);
    require(&function->context() == &stream->context(), CUDA_ERROR_INVALID_HANDLE);
    const std::array<std::uint32_t, 3> grid{grid_x, grid_y, grid_z}, block{block_x, block_y, block_z};
    require_shape(*function, grid, block, shared_bytes);
    auto command = std::make_unique<LaunchCommand>(*stream, function, grid, block, shared_bytes);
    copy_parameters(command->parameters(), function->description(), parameters, extra);
    stream->enqueue(std::move(command));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
