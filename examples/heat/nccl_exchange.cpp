// SPDX-License-Identifier: Apache-2.0
// Exchange by NCCL in a stream: it waits for the edges, and the next step waits for it. The host waits for neither.
#include <array>
#include <stdexcept>

#include "exchange.h"
#include "support/cuda_interop.h"
#include "support/nccl.h"

namespace heat {
namespace {

using client::check;

// The largest number of exchanges that may be pending in the stream.
constexpr int kMaxAhead = 256;

ncclComm_t communicator(const client::Nccl& nccl, const Ranks& ranks) {
  ncclUniqueId id{};
  if (ranks.rank() == 0) check(nccl.GetUniqueId(&id), "ncclGetUniqueId");
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks.all());
  ncclComm_t made = nullptr;
  check(nccl.CommInitRank(&made, ranks.count(), id, ranks.rank()), "ncclCommInitRank");
  return made;
}

class NcclExchange final : public Exchange {
 public:
  NcclExchange(const Ranks& ranks, const client::Session& session, const Edges& edges)
      : nccl_(client::Nccl::get()),
        ranks_(ranks),
        cuda_(session.device()),
        uses_{{edges.outgoing.get(), CL_MEM_READ_ONLY}, {edges.incoming.get(), CL_MEM_READ_WRITE}},
        queue_(transfer_queue(session)),
        stream_(client::CudaInterop::stream(queue_.get())),
        outgoing_(static_cast<const float*>(cuda_.pointer(edges.outgoing))),
        incoming_(static_cast<float*>(cuda_.pointer(edges.incoming))) {
    cuda_.make_current();
    communicator_ = communicator(nccl_, ranks);
  }
  ~NcclExchange() override {
    clFinish(queue_.get());
    nccl_.CommDestroy(communicator_);
  }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  void start(const client::Event& computed) override {
    cuda_.acquire(queue_.get(), uses_, stream_, computed);
    const std::array<Span, kSides> spans = sides(ranks_.tile());
    check(nccl_.GroupStart(), "ncclGroupStart");
    for (Side side : {kNorth, kSouth, kWest, kEast}) {
      const int neighbour = ranks_.neighbour(side);
      if (neighbour == MPI_PROC_NULL) continue;
      const Span& span = spans[side];
      check(nccl_.Send(outgoing_ + span.offset, span.count, ncclFloat, neighbour, communicator_, stream_),
            "ncclSend");
      check(nccl_.Recv(incoming_ + span.offset, span.count, ncclFloat, neighbour, communicator_, stream_),
            "ncclRecv");
    }
    check(nccl_.GroupEnd(), "ncclGroupEnd");
  }

  client::Event finish() override {
    client::Event arrived = cuda_.release(queue_.get(), uses_, stream_);
    if (++ahead_ % kMaxAhead == 0) check(clFinish(queue_.get()), "clFinish");
    return arrived;
  }

  std::string name() const override { return "NCCL " + nccl_.version(); }

 private:
  const client::Nccl& nccl_;
  const Ranks& ranks_;
  client::CudaInterop cuda_;
  std::vector<client::CudaUse> uses_;
  client::Queue queue_;
  CUstream_st* stream_;
  const float* outgoing_;
  float* incoming_;
  ncclComm_t communicator_ = nullptr;
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
