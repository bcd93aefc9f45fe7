// SPDX-License-Identifier: Apache-2.0
#include "cuda/resources.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace heat::cuda {

void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream);
}

Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return Event(event);
}

DeviceArray make_device_array(std::size_t cells) {
  float* array = nullptr;
  check(cudaMalloc(&array, cells * sizeof(float)), "cudaMalloc");
  return DeviceArray(array);
}

PinnedArray make_pinned_array(std::size_t cells) {
  float* array = nullptr;
  check(cudaMallocHost(&array, cells * sizeof(float)), "cudaMallocHost");
  std::fill_n(array, cells, 0.0f);
  return PinnedArray(array);
}

}  // namespace heat::cuda
