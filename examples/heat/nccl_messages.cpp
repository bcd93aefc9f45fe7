// SPDX-License-Identifier: Apache-2.0
#include "nccl_messages.h"

#include <array>

namespace heat {

using client::check;

NcclMessages::NcclMessages(const Ranks& ranks, const float* outgoing, float* incoming)
    : nccl_(client::Nccl::get()), ranks_(ranks), outgoing_(outgoing), incoming_(incoming) {
  ncclUniqueId id{};
  if (ranks.rank() == 0) check(nccl_.GetUniqueId(&id), "ncclGetUniqueId");
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks.all());
  check(nccl_.CommInitRank(&communicator_, ranks.count(), id, ranks.rank()), "ncclCommInitRank");
}

NcclMessages::~NcclMessages() { nccl_.CommDestroy(communicator_); }

void NcclMessages::exchange(CUstream_st* stream) const {
  const std::array<Span, kSides> spans = sides(ranks_.tile());
  check(nccl_.GroupStart(), "ncclGroupStart");
  for (Side side : {kNorth, kSouth, kWest, kEast}) {
    const int neighbour = ranks_.neighbour(side);
    if (neighbour == MPI_PROC_NULL) continue;
    const Span& span = spans[side];
    check(nccl_.Send(outgoing_ + span.offset, span.count, ncclFloat, neighbour, communicator_, stream),
          "ncclSend");
    check(nccl_.Recv(incoming_ + span.offset, span.count, ncclFloat, neighbour, communicator_, stream),
          "ncclRecv");
  }
  check(nccl_.GroupEnd(), "ncclGroupEnd");
}

}  // namespace heat
