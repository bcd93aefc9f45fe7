// SPDX-License-Identifier: Apache-2.0
// mpirun -n RANKS heat [--size WIDTH HEIGHT] [--per-rank] [--steps N] [--method auto|host|device|nccl] [--device gpu|cpu|NAME] [--no-check]
//                      [--compare]
//
// Heat conduction on a plane that is divided among any number of MPI ranks, each with an OpenCL device of its own. Every step each rank
// computes the edges of its tile, and while they go to the neighbours, the interior. Rank 0 checks that every bit is as a plain loop on
// the host has it, and prints the rate, the time of a step, and how much of that is for the edges' way and not hidden by the interior.
// With --compare, the same in plain CUDA follows, by turns with OpenCL, on the same GPUs and with the same method, host or nccl.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "comparison.h"
#include "plane.h"
#include "ranks.h"
#include "solver.h"
#include "timing.h"

namespace {

struct Options {
  heat::Extent size{1024, 1024};
  bool per_rank = false, check = true, compare = false;
  int steps = 100;
  std::string method = "auto", device;
};

class Words {
 public:
  Words(int count, char** words) : at_(words + 1), end_(words + count) {}
  bool empty() const { return at_ == end_; }
  std::string next() {
    if (empty()) throw std::runtime_error("the last option lacks a value");
    return *at_++;
  }
  int number() {
    const std::string word = next();
    const long value = std::strtol(word.c_str(), nullptr, 10);
    if (value < 1 || value > std::numeric_limits<int>::max())
      throw std::runtime_error(word + " is no number from 1 on");
    return static_cast<int>(value);
  }

 private:
  char **at_, **end_;
};

Options parsed(Words words) {
  Options options;
  while (!words.empty()) {
    const std::string word = words.next();
    if (word == "--size") {
      options.size.width = words.number();
      options.size.height = words.number();
    } else if (word == "--per-rank") {
      options.per_rank = true;
    } else if (word == "--steps") {
      options.steps = words.number();
    } else if (word == "--method") {
      options.method = words.next();
    } else if (word == "--device") {
      options.device = words.next();
    } else if (word == "--no-check") {
      options.check = false;
    } else if (word == "--compare") {
      options.compare = true;
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  return options;
}

// Each rank of a machine uses another one of its devices.
cl_device_id own_device(const heat::Ranks& ranks, std::string_view wanted) {
  const std::vector<cl_device_id> devices = client::devices(wanted);
  return devices[static_cast<size_t>(ranks.local_rank()) % devices.size()];
}

struct Times {
  double step = 0, kernels = 0, exchange = 0;
};

// Kernels and exchanges are measured separately first, so that the device has its final code when the whole is measured.
Times measure(const heat::Ranks& ranks, heat::Solver& solver, int steps) {
  const std::vector<float> cells = heat::initial(ranks.tile());
  Times times;
  solver.set(cells);
  solver.run_kernels(steps);
  times.kernels = heat::time_of(ranks, steps, [&](int count) { solver.run_kernels(count); });
  times.exchange = heat::time_of(ranks, steps, [&](int count) { solver.run_exchanges(count); });
  solver.set(cells);
  times.step = heat::time_of(ranks, steps, [&](int count) { solver.run(count); });
  return times;
}

void print(const heat::Ranks& ranks, const Times& times) {
  const heat::Extent plane = ranks.plane();
  const double cells = static_cast<double>(plane.width) * plane.height;
  std::printf("  %-34s %10.1f million cells/s\n", "rate", cells / times.step * 1e-6);
  std::printf("  %-34s %10.1f us\n", "step", times.step * 1e6);
  std::printf("  %-34s %10.1f us\n", "the kernels alone", times.kernels * 1e6);
  std::printf("  %-34s %10.1f us\n", "the exchange alone", times.exchange * 1e6);
  std::printf("  %-34s %10.1f %%\n", "share of halos, not hidden",
              100 * std::max(0.0, times.step - times.kernels) / times.step);
}

// Whether the plane is correct; false on all ranks if it is wrong on one.
bool checked(const heat::Ranks& ranks, const heat::Solver& solver, int steps) {
  const std::vector<float> plane = ranks.gather(solver.cells());
  size_t differing = 0;
  if (ranks.rank() == 0) {
    differing = heat::differing(plane, heat::conducted(ranks.plane(), steps));
    std::printf("check: %zu of %zu cells differ from the host's\n", differing, plane.size());
  }
  return ranks.everywhere(differing == 0);
}

int run(const Options& options) {
  const heat::Ranks ranks(options.size, options.per_rank);
  const client::Session session(own_device(ranks, options.device));
  const std::string method = heat::working_method(options.method, ranks, session);
  heat::Solver solver(ranks, session, method);
  if (ranks.rank() == 0) {
    std::printf("heat: %d x %d cells, %d x %d ranks, %d steps; halos by %s\n", ranks.plane().width,
                ranks.plane().height, ranks.grid().width, ranks.grid().height, options.steps,
                solver.method().c_str());
    std::printf("device of rank 0: %s (platform %s)\n", session.device_name().c_str(),
                session.platform_name().c_str());
  }
  const Times times = measure(ranks, solver, options.steps);
  if (ranks.rank() == 0) print(ranks, times);
  bool right = !options.check || checked(ranks, solver, options.steps);
  if (options.compare)
    right = heat::compare_with_cuda(ranks, session, solver, method, options.steps) && right;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int status = EXIT_FAILURE;
  try {
    status = run(parsed(Words(count, words)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);  // the other ranks may be waiting for this one
  }
  MPI_Finalize();
  return status;
}
