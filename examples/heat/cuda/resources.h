// SPDX-License-Identifier: Apache-2.0
// What the CUDA runtime makes for the current device, destroyed automatically.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

#include "support/client.h"

namespace heat::cuda {

// Throws std::runtime_error, naming the call, unless `error` is cudaSuccess.
void check(cudaError_t error, const char* call);

using Stream = std::unique_ptr<CUstream_st, client::Releaser<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, client::Releaser<cudaEventDestroy>>;
using DeviceArray = std::unique_ptr<float, client::Releaser<cudaFree>>;
using PinnedArray = std::unique_ptr<float, client::Releaser<cudaFreeHost>>;

Stream make_stream();
// Without a time, so that it costs least.
Event make_event();
DeviceArray make_device_array(std::size_t cells);
// Its cells are 0.
PinnedArray make_pinned_array(std::size_t cells);

}  // namespace heat::cuda
