// SPDX-License-Identifier: Apache-2.0
// What ../solver.h computes, in plain CUDA, to compare with: the same kernels, methods of exchange and order of work.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ranks.h"
#include "support/client.h"

namespace heat::cuda {

class Solver {
 public:
  virtual ~Solver() = default;
  virtual void set(const std::vector<float>& cells) = 0;
  virtual std::vector<float> cells() const = 0;
  // Waits for the device.
  virtual void run(int steps) = 0;
};

// On the session's device. `method`: host or nccl. Throws std::runtime_error if there is no such solver. `ranks` must outlive the result.
std::unique_ptr<Solver> make_solver(const Ranks& ranks, const client::Session& session,
                                    std::string_view method);

}  // namespace heat::cuda
