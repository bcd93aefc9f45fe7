// SPDX-License-Identifier: Apache-2.0
// Exchange by NCCL in a stream: it waits for the edges, and the next step waits for it. The host waits for neither.
#include <memory>

#include "exchange.h"
#include "nccl_messages.h"
#include "support/cuda_interop.h"
#include "support/nccl.h"

namespace heat {
namespace {

using client::check;

// The largest number of exchanges that may be pending in the stream.
constexpr int kMaxAhead = 256;

class NcclExchange final : public Exchange {
 public:
  NcclExchange(const Ranks& ranks, const client::Session& session, const Edges& edges)
      : cuda_(session.device()),
        uses_{{edges.outgoing.get(), CL_MEM_READ_ONLY}, {edges.incoming.get(), CL_MEM_READ_WRITE}},
        queue_(transfer_queue(session)),
        stream_(client::CudaInterop::stream(queue_.get())) {
    cuda_.make_current();
    messages_ =
        std::make_unique<NcclMessages>(ranks, static_cast<const float*>(cuda_.pointer(edges.outgoing)),
                                       static_cast<float*>(cuda_.pointer(edges.incoming)));
  }
  ~NcclExchange() override { clFinish(queue_.get()); }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  void start(const client::Event& computed) override {
    cuda_.acquire(queue_.get(), uses_, stream_, computed);
    messages_->exchange(stream_);
  }

  client::Event finish() override {
    client::Event arrived = cuda_.release(queue_.get(), uses_, stream_);
    if (++ahead_ % kMaxAhead == 0) check(clFinish(queue_.get()), "clFinish");
    return arrived;
  }

  std::string name() const override { return "NCCL " + client::Nccl::get().version(); }

 private:
  client::CudaInterop cuda_;
  std::vector<client::CudaUse> uses_;
  client::Queue queue_;
  CUstream_st* stream_;
  std::unique_ptr<NcclMessages> messages_;
  int ahead_ = 0;
};

}  // namespace

std::string nccl_exchange_problem(const Ranks& ranks, const client::Session& session) {
  if (!session.is_gpu()) return "NCCL is for GPUs";
  if (!client::CudaInterop::supported(session.device())) return "the device has no cl_clcuda_cuda_interop";
  if (static_cast<size_t>(ranks.local_rank()) >= client::devices("gpu").size())
    return "there are more ranks than GPUs";
  return client::Nccl::problem();
}

std::unique_ptr<Exchange> make_nccl_exchange(const Ranks& ranks, const client::Session& session,
                                             const Edges& edges) {
  return std::make_unique<NcclExchange>(ranks, session, edges);
}

}  // namespace heat
