// SPDX-License-Identifier: Apache-2.0
// How the edges of tiles get to the neighbours' devices:
//
//   host    by host memory: read from the device, sent by MPI, written to the device
//   device  by an MPI that takes addresses of device memory (CUDA-aware), with cl_clcuda_cuda_interop
//   nccl    by NCCL between GPUs, in the queue's stream, with cl_clcuda_cuda_interop
//
// An exchange has two halves, between which the interior is enqueued:
//
//   exchange.start(edges_computed);
//   …
//   Event arrived = exchange.finish();       // what reads the incoming edges, or writes the outgoing ones, waits for this
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ranks.h"
#include "support/client.h"

namespace heat {

// The edges on the device: this tile's for the neighbours, and the neighbours' for this tile.
struct Edges {
  client::Buffer outgoing, incoming;
  size_t bytes = 0;
};

class Exchange {
 public:
  virtual ~Exchange() = default;
  // The outgoing edges are complete when the event has ended or, if there is none, all commands enqueued so far.
  virtual void start(const client::Event& computed) = 0;
  virtual client::Event finish() = 0;
  virtual std::string name() const = 0;
};

// `method`: auto, host, device or nccl; for auto, the fastest that works here on all ranks. Throws std::runtime_error, on all ranks, where
// the method does not work.
std::string working_method(std::string_view method, const Ranks& ranks, const client::Session& session);

// `method`: a result of working_method(). `ranks`, `session` and `edges` must outlive the result.
std::unique_ptr<Exchange> make_exchange(std::string_view method, const Ranks& ranks,
                                        const client::Session& session, const Edges& edges);

// For each method: the reason why it does not work here, or an empty string; and a function that creates it. host always works.
std::unique_ptr<Exchange> make_host_exchange(const Ranks& ranks, const client::Session& session,
                                             const Edges& edges);
std::string device_exchange_problem(const client::Session& session);
std::unique_ptr<Exchange> make_device_exchange(const Ranks& ranks, const client::Session& session,
                                               const Edges& edges);
std::string nccl_exchange_problem(const Ranks& ranks, const client::Session& session);
std::unique_ptr<Exchange> make_nccl_exchange(const Ranks& ranks, const client::Session& session,
                                             const Edges& edges);

// A second in-order queue, so that transfers run concurrently with kernels.
client::Queue transfer_queue(const client::Session& session);

}  // namespace heat
