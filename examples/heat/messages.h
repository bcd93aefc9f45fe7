// SPDX-License-Identifier: Apache-2.0
// The messages of an exchange of edges, between arrays that MPI can access. They are the same for each step, so they are persistent
// requests.
#pragma once

#include <mpi.h>

#include <vector>

#include "ranks.h"

namespace heat {

class Messages {
 public:
  // The arrays have the cells of all sides.
  Messages(const Ranks& ranks, const float* outgoing, float* incoming) {
    const std::array<Span, kSides> spans = sides(ranks.tile());
    for (Side side : {kNorth, kSouth, kWest, kEast}) {
      const int neighbour = ranks.neighbour(side), count = static_cast<int>(spans[side].count);
      if (neighbour == MPI_PROC_NULL) continue;
      // A message's tag is the side at which it arrives.
      MPI_Recv_init(incoming + spans[side].offset, count, MPI_FLOAT, neighbour, side, ranks.all(), add());
      MPI_Send_init(outgoing + spans[side].offset, count, MPI_FLOAT, neighbour, opposite(side), ranks.all(),
                    add());
    }
  }
  ~Messages() {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  // Returns when all messages have been sent and received.
  void exchange() {
    if (requests_.empty()) return;  // Open MPI 4.1 refuses to start none
    MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  MPI_Request* add() { return &requests_.emplace_back(); }

  std::vector<MPI_Request> requests_;
};

}  // namespace heat
