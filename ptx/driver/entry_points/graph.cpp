// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/graph.h"

#include <algorithm>
#include <span>
#include <utility>

#include "ptx/driver/entry.h"
#include "ptx/driver/launch_command.h"
#include "ptx/driver/lookup.h"

namespace clcuda::ptx::driver {
namespace {

KernelWork kernel_work(const CUDA_KERNEL_NODE_PARAMS& wanted) {
  KernelWork work{.function = object_of<Function>(wanted.func),
                  .shape = {{wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ},
                            {wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ},
                            wanted.sharedMemBytes},
                  .parameters = {}};
  require(is_launchable(*work.function, work.shape));
  const KernelDescription& kernel = work.function->description();
  work.parameters.resize(kernel.parameter_bytes);
  copy_parameters(work.parameters.data(), kernel, wanted.kernelParams, wanted.extra);
  return work;
}

void add_node(CUgraphNode* out, CUgraph graph_handle, const CUgraphNode* dependencies, std::size_t count,
              NodeWork work) {
  CUgraphNode& node = required(out);
  const Ref<Graph> graph = object_of<Graph>(graph_handle);
  require(dependencies || !count);
  for (const CUgraphNode before : std::span(dependencies, count))
    require(std::ranges::find(graph->nodes, number(before)) != graph->nodes.end());
  graph->nodes.reserve(graph->nodes.size() + 1);
  graph->nodes.push_back(
      handles<GraphNode>().add(Ref<GraphNode>::adopt(new GraphNode(graph->context(), std::move(work)))));
  node = handle_from<CUgraphNode>(graph->nodes.back());
}

// The node keeps its kind.
template <class Work>
void set_work(CUgraphExec handle, CUgraphNode node, Work work) {
  const Ref<ExecutableGraph> graph = object_of<ExecutableGraph>(handle);
  NodeWork& present = graph->work_of(number(node));
  require(std::holds_alternative<Work>(present));
  present = std::move(work);
}

}  // namespace

CUresult cuGraphCreate(CUgraph* handle, unsigned flags) {
  return entry([&] {
    CUgraph& out = required(handle);
    require(flags == 0);
    out = handle_from<CUgraph>(handles<Graph>().add(Ref<Graph>::adopt(new Graph(current_context()))));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphDestroy(CUgraph handle) {
  return entry([&] {
    const Ref<Graph> graph = handles<Graph>().remove(number(handle));
    require(static_cast<bool>(graph), CUDA_ERROR_INVALID_VALUE);
    for (const std::uint64_t node : graph->nodes) handles<GraphNode>().remove(node);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                   std::size_t count, CUevent event) {
  return entry([&] {
    add_node(node, graph, dependencies, count, object_of<Event>(event));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              std::size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return entry([&] {
    add_node(node, graph, dependencies, count, kernel_work(required(parameters)));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphInstantiate(CUgraphExec* handle, CUgraph graph, unsigned long long flags) {
  return entry([&] {
    CUgraphExec& out = required(handle);
    require(flags == 0, CUDA_ERROR_NOT_SUPPORTED);
    out = handle_from<CUgraphExec>(handles<ExecutableGraph>().add(
        Ref<ExecutableGraph>::adopt(new ExecutableGraph(*object_of<Graph>(graph)))));
    return CUDA_SUCCESS;
  });
}

// What was launched is executed all the same.
CUresult cuGraphExecDestroy(CUgraphExec handle) {
  return entry([&] {
    require(static_cast<bool>(handles<ExecutableGraph>().remove(number(handle))), CUDA_ERROR_INVALID_VALUE);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec handle, CUgraphNode node, CUevent event) {
  return entry([&] {
    set_work(handle, node, object_of<Event>(event));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec handle, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return entry([&] {
    set_work(handle, node, kernel_work(required(parameters)));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream) {
  return entry([&] {
    object_of<ExecutableGraph>(handle)->launch(*stream_of(stream));
    return CUDA_SUCCESS;
  });
}

}  // namespace clcuda::ptx::driver
