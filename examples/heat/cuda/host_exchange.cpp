// SPDX-License-Identifier: Apache-2.0
// Through page-locked host memory: one transfer from the device, messages of MPI, one transfer to the device, concurrently with kernels.
#include "cuda/exchange.h"
#include "messages.h"

namespace heat::cuda {
namespace {

class HostExchange final : public Exchange {
 public:
  HostExchange(const Ranks& ranks, const Edges& edges)
      : edges_(edges),
        stream_(make_stream()),
        read_(make_event()),
        outgoing_(make_pinned_array(edges.cells)),
        incoming_(make_pinned_array(edges.cells)),
        messages_(ranks, outgoing_.get(), incoming_.get()) {}

  void start(cudaEvent_t computed) override {
    check(cudaStreamWaitEvent(stream_.get(), computed, 0), "cudaStreamWaitEvent");
    check(cudaMemcpyAsync(outgoing_.get(), edges_.outgoing.get(), edges_.cells * sizeof(float),
                          cudaMemcpyDeviceToHost, stream_.get()),
          "cudaMemcpyAsync");
    check(cudaEventRecord(read_.get(), stream_.get()), "cudaEventRecord");
  }

  // The transfers are in one stream, so when the edges have been read, the previous incoming ones have been written: both arrays are free.
  void finish(cudaEvent_t arrived) override {
    check(cudaEventSynchronize(read_.get()), "cudaEventSynchronize");
    messages_.exchange();
    check(cudaMemcpyAsync(edges_.incoming.get(), incoming_.get(), edges_.cells * sizeof(float),
                          cudaMemcpyHostToDevice, stream_.get()),
          "cudaMemcpyAsync");
    check(cudaEventRecord(arrived, stream_.get()), "cudaEventRecord");
  }

 private:
  const Edges& edges_;
  Stream stream_;
  Event read_;
  PinnedArray outgoing_, incoming_;
  Messages messages_;
};

}  // namespace

std::unique_ptr<Exchange> make_host_exchange(const Ranks& ranks, const Edges& edges) {
  return std::make_unique<HostExchange>(ranks, edges);
}

}  // namespace heat::cuda
