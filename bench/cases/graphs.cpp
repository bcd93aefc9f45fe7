// SPDX-License-Identifier: Apache-2.0
#include "harness/cases.h"

namespace bench {
namespace {

// Each node has 1 to 32 edges to random nodes.
struct Graph {
  std::vector<unsigned> starts{0}, edges;

  Graph(unsigned nodes, unsigned seed) {
    const std::vector<unsigned> random = random_words(size_t(nodes) * 33, seed);
    for (unsigned node = 0; node < nodes; ++node) {
      const unsigned* words = &random[size_t(node) * 33];
      for (unsigned i = 0; i <= words[0] % 32; ++i) edges.push_back(words[i + 1] % nodes);
      starts.push_back(unsigned(edges.size()));
    }
  }
};

void bfs_level(Bench& bench, Kernel& kernel) {
  constexpr unsigned kUnseen = 0xffffffff, kLevel = 3;
  const unsigned nodes = bench.size(1 << 20, 32 << 10);
  const Graph graph(nodes, 45);
  std::vector<unsigned> before = random_words(nodes, 46);
  for (unsigned& each : before) each = each % 4 == 0 ? kLevel : kUnseen;
  Device& device = bench.device();
  const Memory levels = device.upload(before);
  set_arguments(kernel, device.upload(graph.starts), device.upload(graph.edges), levels, kLevel);
  const auto check = [&] {
    std::vector<unsigned> after = before;
    for (unsigned node = 0; node < nodes; ++node) {
      if (before[node] != kLevel) continue;
      for (unsigned i = graph.starts[node]; i < graph.starts[node + 1]; ++i)
        if (before[graph.edges[i]] == kUnseen) after[graph.edges[i]] = kLevel + 1;
    }
    if (device.download<unsigned>(levels) != after) throw std::runtime_error("wrong levels");
  };
  bench.measure({nodes / 256}, {256}, check, 1e-9 * double(graph.edges.size()) / 4, "Gedges/s");
}

void page_rank(Bench& bench, Kernel& kernel) {
  const unsigned nodes = bench.size(1 << 20, 32 << 10);
  const float damping = 0.85f;
  const Graph graph(nodes, 47);
  const std::vector<float> shares = random_values(nodes, 48);
  Device& device = bench.device();
  const Memory ranks = device.allocate(nodes * sizeof(float));
  set_arguments(kernel, device.upload(graph.starts), device.upload(graph.edges), device.upload(shares), ranks,
                damping);
  const auto check = [&] {
    const auto results = device.download<float>(ranks);
    at_some_places(nodes, [&](size_t node) {
      double sum = 0;
      for (unsigned i = graph.starts[node]; i < graph.starts[node + 1]; ++i) sum += shares[graph.edges[i]];
      expect_near(results[node], (1 - double(damping)) + damping * sum, 1e-5);
    });
  };
  bench.measure({nodes / 256}, {256}, check, 1e-9 * double(graph.edges.size()), "Gedges/s");
}

void ell_product(Bench& bench, Kernel& kernel) {
  const unsigned rows = bench.size(2 << 20, 64 << 10), length = 27;
  std::vector<unsigned> columns = random_words(size_t(rows) * length, 49);
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = unsigned((i % rows + columns[i] % 1024) % rows);
  const std::vector<float> values = random_values(columns.size(), 50), vector = random_values(rows, 51);
  Device& device = bench.device();
  const Memory result = device.allocate(rows * sizeof(float));
  set_arguments(kernel, device.upload(columns), device.upload(values), device.upload(vector), result, rows,
                length);
  const auto check = [&] {
    const auto results = device.download<float>(result);
    at_some_places(rows, [&](size_t row) {
      double sum = 0;
      for (size_t i = row; i < columns.size(); i += rows) sum += double(values[i]) * vector[columns[i]];
      expect_near(results[row], sum, 1e-5);
    });
  };
  bench.measure({rows / 256}, {256}, check, 2e-9 * double(columns.size()), "GFLOP/s");
}

}  // namespace

const std::vector<Case> kGraphCases = {{"bfs_level", "graphs", bfs_level},
                                       {"page_rank", "graphs", page_rank},
                                       {"ell_product", "graphs", ell_product}};

}  // namespace bench
