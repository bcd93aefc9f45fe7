// SPDX-License-Identifier: Apache-2.0
// ../two_devices.cpp for CUDA: planes are exchanged by cudaMemcpyPeerAsync.
#include <memory>
#include <utility>
#include <vector>

#include "check.h"
#include "harness/stencil_parts.h"

namespace {

using bench::Grid;
using cuda_bench::check;

__global__ void step(const float* from, float* to, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned plane = width * height, z = blockIdx.z * blockDim.z + threadIdx.z;
  const unsigned at = (z + 1) * plane + y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
  to[at] = 0.4f * from[at] + 0.1f * (from[at - plane] + from[at + plane] + from[at - 1] + from[at + 1] +
                                     from[at - width] + from[at + width]);
}

struct Part {
  int device = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t stepped = nullptr;
  cuda_bench::DeviceMemory<float> from, to;
  size_t planes = 0;
};

class Stencil {
 public:
  Stencil(size_t devices, const Grid& grid) : grid_(grid) {
    const std::vector<float> values = grid.initial();
    const size_t planes = grid.depth / devices;
    for (size_t i = 0; i < devices; ++i) {
      Part& part = parts_.emplace_back();
      part.device = static_cast<int>(i);
      part.planes = planes;
      check(cudaSetDevice(part.device));
      for (size_t other = 0; other < devices; ++other)
        if (other != i && cudaDeviceEnablePeerAccess(static_cast<int>(other), 0) != cudaSuccess)
          cudaGetLastError();
      check(cudaStreamCreateWithFlags(&part.stream, cudaStreamNonBlocking));
      check(cudaEventCreateWithFlags(&part.stepped, cudaEventDisableTiming));
      const size_t count = (planes + 2) * grid.plane();
      for (auto* memory : {&part.from, &part.to}) {
        *memory = cuda_bench::allocate<float>(count);
        check(cudaMemcpy(memory->get(), values.data() + i * planes * grid.plane(), count * sizeof(float),
                         cudaMemcpyHostToDevice));
      }
    }
  }
  Stencil(Stencil&&) = default;
  ~Stencil() {
    for (const Part& part : parts_) {
      cudaSetDevice(part.device);
      cudaStreamDestroy(part.stream);
      cudaEventDestroy(part.stepped);
    }
  }

  void run(size_t steps) {
    while (steps--) one_step();
    for (const Part& part : parts_) check(cudaStreamSynchronize(part.stream));
  }

  std::vector<float> interior() const {
    std::vector<float> values;
    for (const Part& part : parts_) {
      const size_t old = values.size(), count = part.planes * grid_.plane();
      values.resize(old + count);
      check(cudaMemcpy(values.data() + old, part.from.get() + grid_.plane(), count * sizeof(float),
                       cudaMemcpyDeviceToHost));
    }
    return values;
  }

 private:
  void one_step() {
    for (Part& part : parts_) {
      check(cudaSetDevice(part.device));
      step<<<dim3(grid_.width / 32, grid_.height / 8, part.planes), dim3(32, 8), 0, part.stream>>>(
          part.from.get(), part.to.get(), grid_.width, grid_.height);
      check(cudaEventRecord(part.stepped, part.stream));
      std::swap(part.from, part.to);
    }
    for (size_t i = 0; i + 1 < parts_.size(); ++i) {
      Part &below = parts_[i], &above = parts_[i + 1];
      exchange(below, below.planes, above, 0);
      exchange(above, 1, below, below.planes + 1);
    }
  }
  void exchange(const Part& source, size_t from, const Part& target, size_t to) {
    check(cudaSetDevice(target.device));
    check(cudaStreamWaitEvent(target.stream, source.stepped));
    check(cudaMemcpyPeerAsync(target.from.get() + to * grid_.plane(), target.device,
                              source.from.get() + from * grid_.plane(), source.device,
                              grid_.plane() * sizeof(float), target.stream));
  }

  Grid grid_;
  std::vector<Part> parts_;
};

struct TwoDevices {
  void add() {
    int devices = 0;
    check(cudaGetDeviceCount(&devices));
    bench::add_stencils(static_cast<size_t>(devices), true,
                        [](size_t parts, const Grid& grid) { return Stencil(parts, grid); });
  }
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<TwoDevices>(count, words); }
