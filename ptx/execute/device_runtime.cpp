// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/device_runtime.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "ptx/abi/block.h"
#include "ptx/abi/device_launches.h"
#include "ptx/abi/device_runtime.h"

namespace clcuda::ptx {
namespace {

// cudaError_t
constexpr std::int32_t kSuccess = 0, kInvalidValue = 1, kInvalidDeviceFunction = 98;
// cudaStreamTailLaunch and cudaStreamFireAndForget. Other streams of the device runtime are not supported.
constexpr std::uint64_t kTailLaunch = 3, kFireAndForget = 4;

using Size = std::array<std::uint32_t, 3>;

// The beginning of cudaFuncAttributes.
struct Attributes {
  std::uint64_t shared_bytes, constant_bytes, local_bytes;
  std::int32_t max_threads, registers, ptx_version, binary_version;
};

void get_parameter_buffer(const Block* block, void** result, const std::uint64_t* function, const Size* grid,
                          const Size* group, const std::uint32_t* shared) {
  *result = block->launches->parameter_buffer(*function, *grid, *group, *shared);
}

void launch_device(const Block* block, std::int32_t* result, void* const* parameters,
                   const std::uint64_t* stream) {
  const bool known = *stream == kTailLaunch || *stream == kFireAndForget;
  *result = known && block->launches->launch(*parameters, *stream == kTailLaunch) ? kSuccess : kInvalidValue;
}

void get_attributes(const Block* block, std::int32_t* result, void* const* out,
                    const std::uint64_t* function) {
  const KernelDescription* kernel = block->launches->description(*function);
  *result = kernel ? kSuccess : kInvalidDeviceFunction;
  if (!kernel) return;
  const Attributes attributes{.shared_bytes = kernel->static_shared_bytes,
                              .constant_bytes = 0,
                              .local_bytes = kernel->local_bytes,
                              .max_threads = static_cast<std::int32_t>(kernel->max_threads),
                              .registers = static_cast<std::int32_t>(kernel->registers),
                              .ptx_version = 90,
                              .binary_version = 90};
  std::memcpy(*out, &attributes, sizeof attributes);
}

}  // namespace

std::span<const RuntimeFunction> device_runtime_functions() {
  static const std::array<RuntimeFunction, 3> functions{{
      {std::string(kGetParameterBuffer), address_of(get_parameter_buffer)},
      {std::string(kLaunchDevice), address_of(launch_device)},
      {std::string(kFuncGetAttributes), address_of(get_attributes)},
  }};
  return functions;
}

}  // namespace clcuda::ptx
