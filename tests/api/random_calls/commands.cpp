// SPDX-License-Identifier: Apache-2.0
// Commands for a queue.
#include "api/random_calls/call.h"
#include "api/random_calls/callbacks.h"

namespace test {
namespace {

void CL_CALLBACK no_native(void*) {}

const Call kCalls[] = {
    {"clEnqueueNDRangeKernel",
     [](Arguments& any) {
       const std::size_t* const offset = Arguments::once_in(2) ? nullptr : any.sizes(kOrigin);
       const std::size_t* const global = any.range();
       const std::size_t* const local = Arguments::once_in(2) ? nullptr : any.sizes(kRegion);
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueNDRangeKernel(any.handle<cl_command_queue>(), any.handle<cl_kernel>(),
                                       Arguments::number() % 5, offset, global, local, count, waits, event);
       });
     }},
    {"clEnqueueTask",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueTask(any.handle<cl_command_queue>(), any.handle<cl_kernel>(), count, waits, event);
       });
     }},
    {"clEnqueueNativeKernel",
     [](Arguments& any) {
       const auto memories = any.handles<cl_mem>();
       std::array<void*, 4> arguments{};
       std::array<const void*, 4> places{&arguments[0], &arguments[1], &arguments[3], any.host()};
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueNativeKernel(any.handle<cl_command_queue>(), no_native, arguments.data(),
                                      Arguments::one_of<std::size_t>({0, 4, 8, 32}),
                                      static_cast<cl_uint>(memories.size()),
                                      memories.empty() ? nullptr : memories.data(),
                                      memories.empty() ? nullptr : places.data(), count, waits, event);
       });
     }},
    {"clEnqueueReadBuffer",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueReadBuffer(any.handle<cl_command_queue>(), any.handle<cl_mem>(), blocking,
                                    Arguments::size(), Arguments::size(), any.host(), count, waits, event);
       });
     }},
    {"clEnqueueWriteBuffer",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueWriteBuffer(any.handle<cl_command_queue>(), any.handle<cl_mem>(), blocking,
                                     Arguments::size(), Arguments::size(), any.host(), count, waits, event);
       });
     }},
    {"clEnqueueReadBufferRect",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       const std::size_t *const from = any.sizes(kOrigin), *const region = any.sizes(kRegion);
       const std::array<std::size_t, 3> to{Arguments::below(9), Arguments::below(9), Arguments::below(9)};
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueReadBufferRect(any.handle<cl_command_queue>(), any.handle<cl_mem>(), blocking, from,
                                        to.data(), region, Arguments::size(), Arguments::size(),
                                        Arguments::size(), Arguments::size(), any.host(), count, waits,
                                        event);
       });
     }},
    {"clEnqueueWriteBufferRect",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       const std::size_t *const to = any.sizes(kOrigin), *const region = any.sizes(kRegion);
       const std::array<std::size_t, 3> from{Arguments::below(9), Arguments::below(9), Arguments::below(9)};
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueWriteBufferRect(any.handle<cl_command_queue>(), any.handle<cl_mem>(), blocking, to,
                                         from.data(), region, Arguments::size(), Arguments::size(),
                                         Arguments::size(), Arguments::size(), any.host(), count, waits,
                                         event);
       });
     }},
    {"clEnqueueCopyBuffer",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueCopyBuffer(any.handle<cl_command_queue>(), any.handle<cl_mem>(),
                                    any.handle<cl_mem>(), Arguments::size(), Arguments::size(),
                                    Arguments::size(), count, waits, event);
       });
     }},
    {"clEnqueueCopyBufferRect",
     [](Arguments& any) {
       const std::size_t *const from = any.sizes(kOrigin), *const to = any.sizes(kOrigin),
                                *const region = any.sizes(kRegion);
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueCopyBufferRect(
             any.handle<cl_command_queue>(), any.handle<cl_mem>(), any.handle<cl_mem>(), from, to, region,
             Arguments::size(), Arguments::size(), Arguments::size(), Arguments::size(), count, waits, event);
       });
     }},
    {"clEnqueueFillBuffer",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueFillBuffer(any.handle<cl_command_queue>(), any.handle<cl_mem>(), Arguments::value(),
                                    Arguments::one_of<std::size_t>({0, 1, 2, 3, 4, 16, 128, 256}),
                                    Arguments::size(), Arguments::size(), count, waits, event);
       });
     }},
    {"clEnqueueMapBuffer",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         cl_int error = 1;
         const cl_command_queue queue = any.handle<cl_command_queue>();
         const cl_mem memory = any.handle<cl_mem>();
         void* const mapped =
             clEnqueueMapBuffer(queue, memory, blocking,
                                Arguments::flags({CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}),
                                Arguments::size(), Arguments::size(), count, waits, event, &error);
         EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
         if (mapped && !Arguments::once_in(4))
           clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr);
         return error;
       });
     }},
    {"clEnqueueMapImage",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         cl_int error = 1;
         std::size_t row = 0, slice = 0;
         const cl_command_queue queue = any.handle<cl_command_queue>();
         const cl_mem memory = any.handle<cl_mem>();
         void* const mapped = clEnqueueMapImage(
             queue, memory, blocking,
             Arguments::flags({CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}),
             any.sizes(kOrigin), any.sizes(kRegion), Arguments::once_in(20) ? nullptr : &row,
             Arguments::once_in(9) ? nullptr : &slice, count, waits, event, &error);
         EXPECT_EQ(mapped != nullptr, error == CL_SUCCESS);
         if (mapped && !Arguments::once_in(4))
           clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr);
         return error;
       });
     }},
    {"clEnqueueUnmapMemObject",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueUnmapMemObject(any.handle<cl_command_queue>(), any.handle<cl_mem>(), any.host(),
                                        count, waits, event);
       });
     }},
    {"clEnqueueReadImage",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueReadImage(any.handle<cl_command_queue>(), any.handle<cl_mem>(), blocking,
                                   any.sizes(kOrigin), any.sizes(kRegion), Arguments::size(),
                                   Arguments::size(), any.host(), count, waits, event);
       });
     }},
    {"clEnqueueWriteImage",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueWriteImage(any.handle<cl_command_queue>(), any.handle<cl_mem>(), blocking,
                                    any.sizes(kOrigin), any.sizes(kRegion), Arguments::size(),
                                    Arguments::size(), any.host(), count, waits, event);
       });
     }},
    {"clEnqueueCopyImage",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueCopyImage(any.handle<cl_command_queue>(), any.handle<cl_mem>(), any.handle<cl_mem>(),
                                   any.sizes(kOrigin), any.sizes(kOrigin), any.sizes(kRegion), count, waits,
                                   event);
       });
     }},
    {"clEnqueueCopyImageToBuffer",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueCopyImageToBuffer(any.handle<cl_command_queue>(), any.handle<cl_mem>(),
                                           any.handle<cl_mem>(), any.sizes(kOrigin), any.sizes(kRegion),
                                           Arguments::size(), count, waits, event);
       });
     }},
    {"clEnqueueCopyBufferToImage",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueCopyBufferToImage(any.handle<cl_command_queue>(), any.handle<cl_mem>(),
                                           any.handle<cl_mem>(), Arguments::size(), any.sizes(kOrigin),
                                           any.sizes(kRegion), count, waits, event);
       });
     }},
    {"clEnqueueFillImage",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueFillImage(any.handle<cl_command_queue>(), any.handle<cl_mem>(), Arguments::value(),
                                   any.sizes(kOrigin), any.sizes(kRegion), count, waits, event);
       });
     }},
    {"clEnqueueMigrateMemObjects",
     [](Arguments& any) {
       const auto memories = any.handles<cl_mem>();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueMigrateMemObjects(any.handle<cl_command_queue>(),
                                           static_cast<cl_uint>(memories.size()), memories.data(),
                                           Arguments::flags({1, 2}), count, waits, event);
       });
     }},
    {"clEnqueueMarkerWithWaitList",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueMarkerWithWaitList(any.handle<cl_command_queue>(), count, waits, event);
       });
     }},
    {"clEnqueueBarrierWithWaitList",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueBarrierWithWaitList(any.handle<cl_command_queue>(), count, waits, event);
       });
     }},
    {"clEnqueueMarker",
     [](Arguments& any) {
       cl_event event = nullptr;
       const cl_int code =
           clEnqueueMarker(any.handle<cl_command_queue>(), Arguments::once_in(9) ? nullptr : &event);
       any.add(event);
       return code;
     }},
    {"clEnqueueBarrier", [](Arguments& any) { return clEnqueueBarrier(any.handle<cl_command_queue>()); }},
    {"clEnqueueWaitForEvents",
     [](Arguments& any) {
       const auto events = any.handles<cl_event>();
       return clEnqueueWaitForEvents(any.handle<cl_command_queue>(), static_cast<cl_uint>(events.size()),
                                     events.data());
     }},
    {"clEnqueueSVMFree",
     [](Arguments& any) {
       void* pointers[] = {Arguments::once_in(3) ? any.take_shared() : nullptr, nullptr};
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueSVMFree(any.handle<cl_command_queue>(), static_cast<cl_uint>(Arguments::below(3)),
                                 Arguments::once_in(9) ? nullptr : pointers,
                                 Arguments::once_in(2) ? nullptr : free_shared, nullptr, count, waits, event);
       });
     }},
    {"clEnqueueSVMMemcpy",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueSVMMemcpy(any.handle<cl_command_queue>(), blocking, any.shared(), any.shared(),
                                   Arguments::small_size(), count, waits, event);
       });
     }},
    {"clEnqueueSVMMemFill",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueSVMMemFill(any.handle<cl_command_queue>(), any.shared(), Arguments::value(),
                                    Arguments::one_of<std::size_t>({0, 1, 2, 3, 4, 16, 128, 256}),
                                    Arguments::small_size(), count, waits, event);
       });
     }},
    {"clEnqueueSVMMap",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueSVMMap(any.handle<cl_command_queue>(), blocking,
                                Arguments::flags({CL_MAP_READ, CL_MAP_WRITE}), any.shared(),
                                Arguments::small_size(), count, waits, event);
       });
     }},
    {"clEnqueueSVMUnmap",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueSVMUnmap(any.handle<cl_command_queue>(), any.shared(), count, waits, event);
       });
     }},
    {"clEnqueueSVMMigrateMem",
     [](Arguments& any) {
       const void* pointers[] = {any.shared(), any.shared()};
       const std::size_t sizes[] = {Arguments::size(), Arguments::size()};
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return clEnqueueSVMMigrateMem(
             any.handle<cl_command_queue>(), static_cast<cl_uint>(Arguments::below(3)), pointers,
             Arguments::once_in(2) ? nullptr : sizes, Arguments::flags({1, 2}), count, waits, event);
       });
     }},
};

}  // namespace

std::span<const Call> commands() { return kCalls; }

}  // namespace test
