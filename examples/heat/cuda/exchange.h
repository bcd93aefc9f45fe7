// SPDX-License-Identifier: Apache-2.0
// ../exchange.h in CUDA: an exchange of the edges in a stream of its own.
#pragma once

#include <memory>

#include "cuda/resources.h"
#include "ranks.h"

namespace heat::cuda {

// As heat::Edges.
struct Edges {
  DeviceArray outgoing, incoming;
  std::size_t cells = 0;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  // The outgoing edges are complete when the event has happened.
  virtual void start(cudaEvent_t computed) = 0;
  // Records the event that what reads the incoming edges, or writes the outgoing ones, waits for.
  virtual void finish(cudaEvent_t arrived) = 0;
};

// The device of the edges must be current. `ranks` and `edges` must outlive the result.
std::unique_ptr<Exchange> make_host_exchange(const Ranks& ranks, const Edges& edges);
std::unique_ptr<Exchange> make_nccl_exchange(const Ranks& ranks, const Edges& edges);

}  // namespace heat::cuda
