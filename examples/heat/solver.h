// SPDX-License-Identifier: Apache-2.0
// A rank's tile on its device, and the computation of its steps.
#pragma once

#include <string>
#include <vector>

#include "exchange.h"
#include "ranks.h"
#include "support/client.h"

namespace heat {

class Solver {
 public:
  // `method`: a result of working_method(). The arguments must outlive the solver.
  Solver(const Ranks& ranks, const client::Session& session, std::string_view method);

  void set(const std::vector<float>& cells);
  std::vector<float> cells() const;
  std::string method() const { return exchange_->name(); }

  // These wait for the device. Only run() gives correct results: kernels alone do not update the neighbours' edges, and exchanges alone
  // compute nothing.
  void run(int steps);
  void run_kernels(int steps);
  void run_exchanges(int steps);

 private:
  // Both only enqueue commands.
  client::Event compute_edges();
  void compute_interior();
  void end_step();
  void finish() const;

  const Ranks& ranks_;
  const client::Session& session_;
  client::Program program_;
  client::Kernel edges_kernel_, interior_kernel_;
  client::Buffer now_, next_;
  Edges edges_;
  std::unique_ptr<Exchange> exchange_;
  // Ends when the neighbours' edges for the next step have arrived.
  client::Event arrived_;
};

}  // namespace heat
