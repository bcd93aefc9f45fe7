// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "base/ref.h"
#include "ptx/driver/context.h"
#include "ptx/driver/event.h"
#include "ptx/driver/grid.h"
#include "ptx/driver/handle_table.h"
#include "ptx/driver/stream.h"

namespace clcuda::ptx::driver {

// What a kernel node launches.
struct KernelWork {
  Ref<Function> function;
  Shape shape;
  std::vector<std::byte> parameters;
};

// What a node does: it records an event, or launches a kernel.
using NodeWork = std::variant<Ref<Event>, KernelWork>;

class GraphNode final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::graph_node;
  GraphNode(Context& context, NodeWork work) : context_(&context), work_(std::move(work)) {}
  Context& context() const { return *context_; }
  const NodeWork& work() const { return work_; }

 private:
  const Ref<Context> context_;
  const NodeWork work_;
};

// A graph, its nodes by handle in the order in which they were added. No node comes before one that it depends on, and they are executed in
// this order, so dependencies are not kept. As with CUDA's, threads that use one graph at the same time synchronise by themselves.
class Graph final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::graph;
  explicit Graph(Context& context) : context_(&context) {}
  Context& context() const { return *context_; }
  std::vector<std::uint64_t> nodes;

 private:
  const Ref<Context> context_;
};

// What a graph was when it was instantiated, with the changes since, which concern later launches alone.
class ExecutableGraph final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::executable_graph;
  explicit ExecutableGraph(const Graph& graph);
  Context& context() const { return *context_; }
  // The work of the node with this handle. Throws DriverError{CUDA_ERROR_INVALID_VALUE}.
  NodeWork& work_of(std::uint64_t node);
  void launch(Stream& stream) const;

 private:
  struct Step {
    std::uint64_t node;
    NodeWork work;
  };
  const Ref<Context> context_;
  std::vector<Step> steps_;
};

}  // namespace clcuda::ptx::driver
