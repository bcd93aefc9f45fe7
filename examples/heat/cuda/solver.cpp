// SPDX-License-Identifier: Apache-2.0
#include "cuda/solver.h"

#include <stdexcept>

#include "cuda/exchange.h"
#include "cuda/kernels.h"
#include "plane.h"
#include "support/cuda_interop.h"

namespace heat::cuda {
namespace {

std::unique_ptr<Exchange> make_exchange(std::string_view method, const Ranks& ranks, const Edges& edges) {
  if (method == "host") return make_host_exchange(ranks, edges);
  if (method == "nccl") return make_nccl_exchange(ranks, edges);
  throw std::runtime_error("--compare: with --method host or nccl only");
}

class GpuSolver final : public Solver {
 public:
  // The device must be current.
  GpuSolver(const Ranks& ranks, int device, std::string_view method)
      : ranks_(ranks),
        device_(device),
        stream_(make_stream()),
        computed_(make_event()),
        arrived_(make_event()),
        now_(make_device_array(ranks.tile().cells())),
        next_(make_device_array(ranks.tile().cells())),
        edges_{make_device_array(ranks.tile().edge_cells()), make_device_array(ranks.tile().edge_cells()),
               ranks.tile().edge_cells()},
        exchange_(make_exchange(method, ranks, edges_)) {}

  void set(const std::vector<float>& cells) override {
    make_current();
    write(now_, cells);
    write(edges_.outgoing, edge_cells(cells, ranks_.tile().size));
    write(edges_.incoming, std::vector<float>(edges_.cells));  // 0 beyond the plane's border
    check(cudaEventRecord(computed_.get(), stream_.get()), "cudaEventRecord");
    exchange_->start(computed_.get());
    exchange_->finish(arrived_.get());
  }

  std::vector<float> cells() const override {
    make_current();
    std::vector<float> values(ranks_.tile().cells());
    check(cudaMemcpyAsync(values.data(), now_.get(), values.size() * sizeof(float), cudaMemcpyDeviceToHost,
                          stream_.get()),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
    return values;
  }

  void run(int steps) override {
    make_current();
    for (int step = 0; step < steps; ++step) {
      compute_edges();
      exchange_->start(computed_.get());
      compute_interior();
      exchange_->finish(arrived_.get());
      now_.swap(next_);
    }
    check(cudaEventSynchronize(arrived_.get()), "cudaEventSynchronize");
    check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
  }

 private:
  // OpenCL's calls may have changed what is current.
  void make_current() const { check(cudaSetDevice(device_), "cudaSetDevice"); }

  void write(const DeviceArray& array, const std::vector<float>& values) const {
    check(cudaMemcpyAsync(array.get(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice,
                          stream_.get()),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
  }

  void compute_edges() {
    const Extent size = ranks_.tile().size;
    check(cudaStreamWaitEvent(stream_.get(), arrived_.get(), 0), "cudaStreamWaitEvent");
    launch_edges(size.width, size.height, now_.get(), next_.get(), edges_.incoming.get(),
                 edges_.outgoing.get(), stream_.get());
    check(cudaGetLastError(), "the launch of edges");
    check(cudaEventRecord(computed_.get(), stream_.get()), "cudaEventRecord");
  }

  void compute_interior() {
    const Extent size = ranks_.tile().size;
    if (size.width == 2 || size.height == 2) return;  // all of it is edge
    launch_interior(size.width, size.height, now_.get(), next_.get(), stream_.get());
    check(cudaGetLastError(), "the launch of interior");
  }

  const Ranks& ranks_;
  int device_;
  Stream stream_;
  Event computed_, arrived_;
  DeviceArray now_, next_;
  Edges edges_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace

std::unique_ptr<Solver> make_solver(const Ranks& ranks, const client::Session& session,
                                    std::string_view method) {
  if (!session.is_gpu() || !client::CudaInterop::supported(session.device()))
    throw std::runtime_error("--compare: the device is no GPU with cl_clcuda_cuda_interop");
  const int device = client::CudaInterop(session.device()).ordinal();
  check(cudaSetDevice(device), "cudaSetDevice");
  return std::make_unique<GpuSolver>(ranks, device, method);
}

}  // namespace heat::cuda
