// SPDX-License-Identifier: Apache-2.0
// Shared by the CUDA benchmarks: errors as exceptions, device memory that is freed automatically, main().
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/benchmark.h"

namespace cuda_bench {

inline void check(CUresult error) {
  if (error == CUDA_SUCCESS) return;
  const char* name = "unknown";
  cuGetErrorName(error, &name);
  throw std::runtime_error(name);
}
inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorName(error));
}

struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};
template <typename Value>
using DeviceMemory = std::unique_ptr<Value[], Free>;

template <typename Value>
DeviceMemory<Value> allocate(size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(Value)));
  return DeviceMemory<Value>(static_cast<Value*>(memory));
}

template <typename Value = float>
DeviceMemory<Value> upload(const std::vector<float>& values) {
  DeviceMemory<Value> memory = allocate<Value>(values.size() * sizeof(float) / sizeof(Value));
  check(cudaMemcpy(memory.get(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  return memory;
}

inline std::string device_name() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  return properties.name;
}

// main() of a program that is a class and uses the first device, like bench::run_main().
template <class Program>
int run_main(int count, char** words) {
  return bench::run_main(count, words, [](const bench::Options&) {
    check(cudaSetDevice(0));
    benchmark::AddCustomContext("device", device_name());
    Program program;
    program.add();
    bench::run_added();
  });
}

}  // namespace cuda_bench
