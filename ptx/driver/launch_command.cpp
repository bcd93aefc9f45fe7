// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/launch_command.h"

#include <cstring>
#include <utility>

#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

// The buffer and size in the `extra` parameter: pairs of a name and a value up to CU_LAUNCH_PARAM_END.
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

}  // namespace

LaunchCommand::LaunchCommand(const Stream& stream, Ref<Function> function, const Shape& shape)
    : Grid(std::move(function), shape, stream.pool(), stream.high_priority()) {}

Command::Progress LaunchCommand::start(Stream& stream) noexcept {
  stream_ = &stream;
  Grid::start();
  return Progress::running;
}

Grid* LaunchCommand::complete() noexcept {
  stream_->finish_head();
  return nullptr;
}

void copy_parameters(std::byte* to, const KernelDescription& kernel, void** parameters, void** extra) {
  require(!parameters || !extra);
  if (extra) {
    const ParameterBuffer buffer = read_extra(extra);
    require(buffer.size == kernel.parameter_bytes && (buffer.bytes || kernel.parameter_bytes == 0));
    if (kernel.parameter_bytes) std::memcpy(to, buffer.bytes, kernel.parameter_bytes);
    return;
  }
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    require(parameters && parameters[i]);
    std::memcpy(to + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].size);
  }
}

}  // namespace clcuda::ptx::driver
