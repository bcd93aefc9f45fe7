// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda {

class DeviceResources;
namespace cuda {
class Stream;
}

// Submits transfers and a kernel without effect, so that what the driver prepares at the first commands of a process or stream is not
// between CL_PROFILING_COMMAND_START and END of the application's first ones: 5 to 15 µs of a transfer, 12 to 17 µs of a kernel (measured
// with CUDA on an H100 and an H200). Does not wait for the device. Only improves measured times, so errors are ignored: the commands
// themselves will report them.
void rehearse(DeviceResources& resources, cuda::Stream& stream) noexcept;

}  // namespace clcuda
