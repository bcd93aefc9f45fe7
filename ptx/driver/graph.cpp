// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/graph.h"

#include <algorithm>
#include <memory>

#include "ptx/driver/event_commands.h"
#include "ptx/driver/launch_command.h"

namespace clcuda::ptx::driver {
namespace {

// Puts a node's work at the stream's end.
struct Enqueue {
  Stream& stream;
  void operator()(const Ref<Event>& event) const { record(*event, stream); }
  void operator()(const KernelWork& work) const {
    require(&work.function->context() == &stream.context(), CUDA_ERROR_INVALID_HANDLE);
    auto command = std::make_unique<LaunchCommand>(stream, work.function, work.shape);
    std::ranges::copy(work.parameters, command->parameters());
    stream.enqueue(std::move(command));
  }
};

}  // namespace

ExecutableGraph::ExecutableGraph(const Graph& graph) : context_(&graph.context()) {
  for (const std::uint64_t node : graph.nodes)
    steps_.push_back({node, handles<GraphNode>().get(node)->work()});
}

NodeWork& ExecutableGraph::work_of(std::uint64_t node) {
  const auto step = std::ranges::find(steps_, node, &Step::node);
  require(step != steps_.end());
  return step->work;
}

void ExecutableGraph::launch(Stream& stream) const {
  for (const Step& step : steps_) std::visit(Enqueue{stream}, step.work);
}

}  // namespace clcuda::ptx::driver
