// SPDX-License-Identifier: Apache-2.0
#include "solver.h"

#include "plane.h"

extern "C" const char heat_kernels[], heat_kernels_end[];

namespace heat {
namespace {

using client::check;

// The largest number of steps that may be pending in a queue when nothing else blocks the host.
constexpr int kMaxAhead = 256;

size_t rounded_up(size_t count, size_t to) { return (count + to - 1) / to * to; }

void write(const client::Session& session, const client::Buffer& buffer, const std::vector<float>& values) {
  check(clEnqueueWriteBuffer(session.queue(), buffer.get(), CL_TRUE, 0, values.size() * sizeof(float),
                             values.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

}  // namespace

Solver::Solver(const Ranks& ranks, const client::Session& session, std::string_view method)
    : ranks_(ranks), session_(session) {
  const Tile& tile = ranks.tile();
  program_ =
      session.build({heat_kernels, heat_kernels_end}, "-D WIDTH=" + std::to_string(tile.size.width) +
                                                          " -D HEIGHT=" + std::to_string(tile.size.height));
  edges_kernel_ = session.kernel(program_, "edges");
  interior_kernel_ = session.kernel(program_, "interior");
  now_ = session.buffer(tile.cells() * sizeof(float));
  next_ = session.buffer(tile.cells() * sizeof(float));
  edges_.bytes = tile.edge_cells() * sizeof(float);
  edges_.outgoing = session.buffer(edges_.bytes);
  edges_.incoming = session.buffer(edges_.bytes);
  exchange_ = make_exchange(method, ranks, session, edges_);
}

void Solver::set(const std::vector<float>& cells) {
  const Tile& tile = ranks_.tile();
  write(session_, now_, cells);
  write(session_, edges_.outgoing, edge_cells(cells, tile.size));
  write(session_, edges_.incoming, std::vector<float>(tile.edge_cells()));  // 0 beyond the plane's border
  exchange_->start({});
  arrived_ = exchange_->finish();
}

std::vector<float> Solver::cells() const {
  std::vector<float> values(ranks_.tile().cells());
  check(clEnqueueReadBuffer(session_.queue(), now_.get(), CL_TRUE, 0, values.size() * sizeof(float),
                            values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

void Solver::run(int steps) {
  for (int step = 0; step < steps; ++step) {
    exchange_->start(compute_edges());
    compute_interior();
    arrived_ = exchange_->finish();
    end_step();
  }
  finish();
}

void Solver::run_kernels(int steps) {
  for (int step = 0; step < steps; ++step) {
    compute_edges();
    compute_interior();
    end_step();
    if (step % kMaxAhead == kMaxAhead - 1) finish();
  }
  finish();
}

void Solver::run_exchanges(int steps) {
  for (int step = 0; step < steps; ++step) {
    exchange_->start(arrived_);
    arrived_ = exchange_->finish();
  }
  finish();
}

client::Event Solver::compute_edges() {
  const size_t items = ranks_.tile().edge_cells();
  const cl_event after = arrived_.get();
  cl_event computed = nullptr;
  client::set_arguments(edges_kernel_, now_, next_, edges_.incoming, edges_.outgoing);
  check(clEnqueueNDRangeKernel(session_.queue(), edges_kernel_.get(), 1, nullptr, &items, nullptr,
                               after ? 1 : 0, after ? &after : nullptr, &computed),
        "clEnqueueNDRangeKernel");
  check(clFlush(session_.queue()), "clFlush");
  return client::Event(computed);
}

void Solver::compute_interior() {
  const Extent size = ranks_.tile().size;
  if (size.width == 2 || size.height == 2) return;  // all of it is edge
  const size_t group[] = {32, 8};
  const size_t items[] = {rounded_up(static_cast<size_t>(size.width) - 2, group[0]),
                          rounded_up(static_cast<size_t>(size.height) - 2, group[1])};
  client::set_arguments(interior_kernel_, now_, next_);
  check(clEnqueueNDRangeKernel(session_.queue(), interior_kernel_.get(), 2, nullptr, items, group, 0, nullptr,
                               nullptr),
        "clEnqueueNDRangeKernel");
  check(clFlush(session_.queue()), "clFlush");
}

void Solver::end_step() { now_.swap(next_); }

void Solver::finish() const {
  if (const cl_event last = arrived_.get()) check(clWaitForEvents(1, &last), "clWaitForEvents");
  check(clFinish(session_.queue()), "clFinish");
}

}  // namespace heat
