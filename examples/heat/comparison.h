// SPDX-License-Identifier: Apache-2.0
// The steps in OpenCL against the same steps in plain CUDA.
#pragma once

#include <string_view>

#include "ranks.h"
#include "solver.h"
#include "support/client.h"

namespace heat {

// Runs both by turns from the initial plane on, as many steps each; rank 0 prints the times of a step and their ratio. Returns whether both
// planes are equal in each bit, on all ranks the same. `method`: that of the solver. Throws std::runtime_error if there is no CUDA here.
bool compare_with_cuda(const Ranks& ranks, const client::Session& session, Solver& solver,
                       std::string_view method, int steps);

}  // namespace heat
