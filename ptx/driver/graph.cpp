// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/graph.h"

#include <algorithm>
#include <memory>

#include "ptx/driver/event_commands.h"
#include "ptx/driver/launch_command.h"

namespace clcuda::ptx::driver {
namespace {

// A node's work for a stream.
struct Prepared {
  std::unique_ptr<Command> command;
  Ref<Event> event;  // null for a kernel
  Ref<EventRecord> record;
};

struct Prepare {
  Stream& stream;
  Prepared operator()(const Ref<Event>& event) const {
    Ref<EventRecord> record = new_record(*event, stream);
    return {std::make_unique<RecordCommand>(record), event, record};
  }
  Prepared operator()(const KernelWork& work) const {
    require(&work.function->context() == &stream.context(), CUDA_ERROR_INVALID_HANDLE);
    auto command = std::make_unique<LaunchCommand>(stream, work.function, work.shape);
    std::ranges::copy(work.parameters, command->parameters());
    return {std::move(command), {}, {}};
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

// All that can fail for want of memory is made first.
void ExecutableGraph::launch(Stream& stream) const {
  std::vector<Prepared> prepared;
  for (const Step& step : steps_) prepared.push_back(std::visit(Prepare{stream}, step.work));
  for (Prepared& work : prepared) {
    stream.enqueue(std::move(work.command));
    if (work.event) work.event->set_latest(std::move(work.record));
  }
}

}  // namespace clcuda::ptx::driver
