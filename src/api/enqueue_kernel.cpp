// SPDX-License-Identifier: Apache-2.0
#include "api/enqueue.h"
#include "runtime/commands/launch_kernel.h"
#include "runtime/commands/synchronize.h"

namespace clcuda::api {
namespace {

NDRange checked_range(cl_uint dimensions, const size_t* offset, const size_t* global) {
  require(dimensions >= 1 && dimensions <= 3, CL_INVALID_WORK_DIMENSION, "1 to 3 dimensions");
  NDRange range{.dimensions = dimensions};
  for (cl_uint d = 0; d < dimensions; ++d) {
    // Since version 2.1 a range without work-items is a command that does nothing.
    range.global[d] = global ? global[d] : 0;
    range.offset[d] = offset ? offset[d] : 0;
    size_t end = 0;
    require(!__builtin_add_overflow(range.offset[d], range.global[d], &end), CL_INVALID_GLOBAL_OFFSET, "offset + size is not a size_t");
  }
  return range;
}

void launch(cl_command_type type, cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint dimensions, const size_t* offset,
            const size_t* global, const size_t* local, cl_uint wait_count, const cl_event* waits, cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  Kernel& kernel = object_of<Kernel>(kernel_handle);
  require(&kernel.context() == &queue.context(), CL_INVALID_CONTEXT, "the queue and the kernel are of different contexts");
  const NDRange range = checked_range(dimensions, offset, global);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  if (range.empty()) return enqueue(queue, new Synchronize(queue, type, false, false), std::move(list), event);
  Launch launch = prepare_launch(queue, kernel, range, local);
  if (!event && list.empty() &&
      queue.record_directly(kernel.name(), [&](cuda::Stream& stream) { record_launch(queue, stream, launch); }))
    return;
  enqueue(queue, new LaunchKernel(queue, type, kernel, std::move(launch)), std::move(list), event);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                                          const size_t* global, const size_t* local, cl_uint wait_count, const cl_event* waits,
                                          cl_event* event) {
  return guarded(
      [&] { launch(CL_COMMAND_NDRANGE_KERNEL, queue, kernel, dimensions, offset, global, local, wait_count, waits, event); });
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return guarded([&] {
    const size_t one = 1;
    launch(CL_COMMAND_TASK, queue, kernel, 1, nullptr, &one, &one, wait_count, waits, event);
  });
}
