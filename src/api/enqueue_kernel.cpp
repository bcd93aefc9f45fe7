// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_ext.h>

#include <algorithm>

#include "api/enqueue.h"
#include "runtime/commands/launch_kernel.h"
#include "runtime/commands/native_kernel.h"
#include "runtime/extension_definitions.h"

namespace clcuda::api {
namespace {

// Section 5.10: one to three dimensions, in each of which offset + size fits into a size_t.
NDRange checked_range(cl_uint dimensions, const size_t* offset, const size_t* global) {
  require(dimensions >= 1 && dimensions <= 3, CL_INVALID_WORK_DIMENSION, "1 to 3 dimensions");
  NDRange range{.dimensions = dimensions};
  for (cl_uint d = 0; d < dimensions; ++d) {
    // Since version 2.1 a range without work-items is a command that does nothing.
    range.global[d] = global ? global[d] : 0;
    range.offset[d] = offset ? offset[d] : 0;
    size_t end = 0;
    require(!__builtin_add_overflow(range.offset[d], range.global[d], &end), CL_INVALID_GLOBAL_OFFSET,
            "offset + size is not a size_t");
  }
  return range;
}

// Section 5.10: checked for a range without work-items, too.
void check_work_group(cl_uint dimensions, const size_t* local) {
  require(!local || std::find(local, local + dimensions, 0) == local + dimensions, CL_INVALID_WORK_GROUP_SIZE,
          "a work-group of size 0");
}

// Section 5.10. prepare_launch() checks what depends on the device (arguments that are not set, local sizes that it does not support);
// check_empty_launch() does for a range without work-items, for which the section lists the same errors.
void launch(cl_command_type type, cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint dimensions,
            const size_t* offset, const size_t* global, const size_t* local, cl_uint wait_count,
            const cl_event* waits, cl_event* event) {
  CommandQueue& queue = object_of<CommandQueue>(queue_handle);
  Kernel& kernel = object_of<Kernel>(kernel_handle);
  require(&kernel.context() == &queue.context(), CL_INVALID_CONTEXT,
          "the queue and the kernel are of different contexts");
  const NDRange range = checked_range(dimensions, offset, global);
  check_work_group(dimensions, local);
  WaitList list = wait_list(queue.context(), wait_count, waits);
  if (range.empty()) {
    check_empty_launch(queue, kernel, range, local);
    return enqueue(queue, new Command(queue, type), std::move(list), event);
  }
  Launch launch = prepare_launch(queue, kernel, range, local);
  if (!event && list.empty() && !launch.needs_host() &&
      queue.record_directly({.type = type, .kernel = kernel.name(), .range = &launch.range},
                            launch.arguments.uses, [&](cuda::Stream& stream, cuda::Timing* timing) {
                              emit_launch(queue, stream, launch, launch.arguments.uses, timing);
                            }))
    return;
  enqueue(queue, new LaunchKernel(queue, type, kernel, std::move(launch)), std::move(list), event);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                          const size_t* offset, const size_t* global, const size_t* local,
                                          cl_uint wait_count, const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    launch(CL_COMMAND_NDRANGE_KERNEL, queue, kernel, dimensions, offset, global, local, wait_count, waits,
           event);
  });
}

// Section 5.9.4: as for a launch, but of at least one work-item.
CLCUDA_EXPORT cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue_handle,
                                                                   cl_kernel kernel_handle,
                                                                   cl_uint dimensions, const size_t* offset,
                                                                   const size_t* global, size_t* local) {
  return guarded(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    const Kernel& kernel = object_of<Kernel>(kernel_handle);
    require(&kernel.context() == &queue.context(), CL_INVALID_CONTEXT,
            "the queue and the kernel are of different contexts");
    const NDRange range = checked_range(dimensions, offset, global);
    require(!range.empty(), CL_INVALID_GLOBAL_WORK_SIZE, "a range without work-items has no work-groups");
    require(local, CL_INVALID_VALUE, "suggested_local_work_size is null");
    // The specification lists no error for work-group sizes, so a size that the kernel requires is suggested even if it does not divide the
    // range.
    const auto& required = kernel.on(queue.device()).info().required_work_group_size;
    if (required[0]) {
      (void)kernel.capture_arguments();
      std::ranges::copy_n(required.begin(), dimensions, local);
      return;
    }
    std::ranges::copy_n(prepare_launch(queue, kernel, range, nullptr).range.local.begin(), dimensions, local);
  });
}

// cl_khr_suggested_local_work_size.
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                        cl_uint dimensions, const size_t* offset,
                                                        const size_t* global, size_t* local) {
  return clGetKernelSuggestedLocalWorkSize(queue, kernel, dimensions, offset, global, local);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                 const cl_event* waits, cl_event* event) {
  return enqueued(queue, [&] {
    const size_t one = 1;
    launch(CL_COMMAND_TASK, queue, kernel, 1, nullptr, &one, &one, wait_count, waits, event);
  });
}

// Section 5.10: a function; arguments with their size; memory objects with their places in the arguments.
cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue_handle, void(CL_CALLBACK* function)(void*),
                                         void* arguments, size_t size, cl_uint count, const cl_mem* memories,
                                         const void** places, cl_uint wait_count, const cl_event* waits,
                                         cl_event* event) {
  return enqueued(queue_handle, [&] {
    CommandQueue& queue = object_of<CommandQueue>(queue_handle);
    require(function, CL_INVALID_VALUE, "no function");
    require((arguments != nullptr) == (size > 0), CL_INVALID_VALUE,
            "arguments without a size, or a size without arguments");
    require(arguments || count == 0, CL_INVALID_VALUE, "memory objects without arguments to name them");
    require((count > 0) == (memories != nullptr) && (count > 0) == (places != nullptr), CL_INVALID_VALUE,
            "a count of memory objects without their lists, or the other way round");
    WaitList list = wait_list(queue.context(), wait_count, waits);
    const auto* first = static_cast<const std::byte*>(arguments);
    std::vector<MemoryUse> buffers;
    for (cl_uint i = 0; i < count; ++i) {
      const auto place =
          reinterpret_cast<std::uintptr_t>(places[i]) - reinterpret_cast<std::uintptr_t>(arguments);
      require(size >= sizeof(void*) && place <= size - sizeof(void*), CL_INVALID_VALUE,
              "a memory object's place is not in the arguments");
      // A null handle stays a null pointer.
      if (memories[i]) buffers.emplace_back(buffer_of(queue, memories[i]), Access::write, place);
    }
    enqueue(queue, new NativeKernel(queue, function, {first, first + size}, std::move(buffers)),
            std::move(list), event);
  });
}
