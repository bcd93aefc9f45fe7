// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <span>
#include <utility>

#include "ptx/driver/command.h"
#include "ptx/driver/entry.h"
#include "ptx/driver/grid.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

// A launch as a command of a stream, executed when it is at the stream's head.
class LaunchCommand final : public Command, private Grid {
 public:
  LaunchCommand(const Stream& stream, Ref<Function> function, const Shape& shape)
      : Grid(std::move(function), shape, stream.pool(), stream.high_priority()) {}
  using Grid::parameters;

  Progress start(Stream& stream) noexcept override {
    stream_ = &stream;
    Grid::start();
    return Progress::running;
  }

 private:
  Grid* complete() noexcept override {
    stream_->finish_head();
    return nullptr;
  }
  Stream* stream_ = nullptr;  // exists as long as a command is at its head
};

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

// Programmatic stream serialization is accepted without effect: a grid that may overlap with its predecessor first waits for it, so it may
// as well begin after it.
void check_attributes(const CUlaunchConfig& config) {
  require(config.attrs || config.numAttrs == 0);
  for (const CUlaunchAttribute& attribute : std::span(config.attrs, config.numAttrs))
    require(attribute.id == CU_LAUNCH_ATTRIBUTE_IGNORE ||
                attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
            CUDA_ERROR_NOT_SUPPORTED);
}

}  // namespace

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function_handle, void** parameters,
                          void** extra) {
  return entry([&] {
    const CUlaunchConfig& wanted = required(config);
    const Ref<Stream> stream = stream_of(wanted.hStream);
    const Ref<Function> function = object_of<Function>(function_handle);
    require(&function->context() == &stream->context(), CUDA_ERROR_INVALID_HANDLE);
    check_attributes(wanted);
    const Shape shape{{wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ},
                      {wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ},
                      wanted.sharedMemBytes};
    require(is_launchable(*function, shape));
    auto command = std::make_unique<LaunchCommand>(*stream, function, shape);
    copy_parameters(command->parameters(), function->description(), parameters, extra);
    stream->enqueue(std::move(command));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
