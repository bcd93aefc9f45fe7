// SPDX-License-Identifier: Apache-2.0
#include <span>
#include <utility>

#include "ptx/driver/entry.h"
#include "ptx/driver/launch_command.h"
#include "ptx/driver/lookup.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {
namespace {

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
