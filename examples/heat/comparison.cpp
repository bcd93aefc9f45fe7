// SPDX-License-Identifier: Apache-2.0
#include "comparison.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "cuda/solver.h"
#include "plane.h"
#include "timing.h"

namespace heat {
namespace {

constexpr int kRounds = 9;

template <typename AnySolver>
double time_from_start(const Ranks& ranks, AnySolver& solver, const std::vector<float>& start, int steps) {
  solver.set(start);
  return time_of(ranks, steps, [&](int count) { solver.run(count); });
}

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + kRounds / 2);
  return times[kRounds / 2];
}

}  // namespace

bool compare_with_cuda(const Ranks& ranks, const client::Session& session, Solver& solver,
                       std::string_view method, int steps) {
  const std::unique_ptr<cuda::Solver> cuda_solver = cuda::make_solver(ranks, session, method);
  const std::vector<float> start = initial(ranks.tile());
  // CUDA loads its kernels and NCCL connects at the first use.
  time_from_start(ranks, *cuda_solver, start, steps);
  std::vector<double> opencl, cuda;
  for (int round = 0; round < kRounds; ++round) {
    opencl.push_back(time_from_start(ranks, solver, start, steps));
    cuda.push_back(time_from_start(ranks, *cuda_solver, start, steps));
  }
  const std::size_t differing_cells = ranks.total(differing(solver.cells(), cuda_solver->cells()));
  if (ranks.rank() == 0) {
    std::printf("by turns with plain CUDA, medians of %d rounds\n", kRounds);
    std::printf("  %-34s %10.1f us\n", "step in OpenCL", median(opencl) * 1e6);
    std::printf("  %-34s %10.1f us\n", "step in CUDA", median(cuda) * 1e6);
    std::printf("  %-34s %10.3f\n", "ratio", median(opencl) / median(cuda));
    std::printf("check: %zu cells differ from CUDA's\n", differing_cells);
  }
  return differing_cells == 0;
}

}  // namespace heat
