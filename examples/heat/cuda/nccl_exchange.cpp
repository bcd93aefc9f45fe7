// SPDX-License-Identifier: Apache-2.0
// By NCCL in a stream, without waiting on the host.
#include "cuda/exchange.h"
#include "nccl_messages.h"

namespace heat::cuda {
namespace {

class NcclExchange final : public Exchange {
 public:
  NcclExchange(const Ranks& ranks, const Edges& edges)
      : stream_(make_stream()), messages_(ranks, edges.outgoing.get(), edges.incoming.get()) {}

  void start(cudaEvent_t computed) override {
    check(cudaStreamWaitEvent(stream_.get(), computed, 0), "cudaStreamWaitEvent");
    messages_.exchange(stream_.get());
  }
  void finish(cudaEvent_t arrived) override {
    check(cudaEventRecord(arrived, stream_.get()), "cudaEventRecord");
  }

 private:
  Stream stream_;
  NcclMessages messages_;
};

}  // namespace

std::unique_ptr<Exchange> make_nccl_exchange(const Ranks& ranks, const Edges& edges) {
  return std::make_unique<NcclExchange>(ranks, edges);
}

}  // namespace heat::cuda
