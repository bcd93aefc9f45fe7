// SPDX-License-Identifier: Apache-2.0
// Waits, callbacks, releases.
#include "api/random_calls/call.h"
#include "api/random_calls/callbacks.h"

namespace test {
namespace {

const Call kCalls[] = {
    {"clFinish",
     [](Arguments& any) {
       any.settle();
       return clFinish(any.handle<cl_command_queue>());
     }},
    {"clFlush", [](Arguments& any) { return clFlush(any.handle<cl_command_queue>()); }},
    {"clWaitForEvents",
     [](Arguments& any) {
       any.settle();
       const auto events = any.handles<cl_event>();
       return clWaitForEvents(static_cast<cl_uint>(events.size()), events.data());
     }},
    {"clSetUserEventStatus",
     [](Arguments& any) {
       return clSetUserEventStatus(any.handle<cl_event>(),
                                   Arguments::one_of<cl_int>({CL_COMPLETE, -1, 1, -999999, 77}));
     }},
    {"clSetEventCallback",
     [](Arguments& any) {
       return clSetEventCallback(any.handle<cl_event>(),
                                 Arguments::one_of<cl_int>({CL_COMPLETE, CL_RUNNING, 2, 3, -1, 9}),
                                 after_event, nullptr);
     }},
    {"clSetMemObjectDestructorCallback",
     [](Arguments& any) {
       return clSetMemObjectDestructorCallback(any.handle<cl_mem>(), after_release, nullptr);
     }},
    {"clSetContextDestructorCallback",
     [](Arguments& any) {
       return clSetContextDestructorCallback(any.handle<cl_context>(), after_context, nullptr);
     }},
    {"clSetDefaultDeviceCommandQueue",
     [](Arguments& any) {
       return clSetDefaultDeviceCommandQueue(any.handle<cl_context>(), any.handle<cl_device_id>(),
                                             any.handle<cl_command_queue>());
     }},
    {"clSetCommandQueueProperty",
     [](Arguments& any) {
       cl_command_queue_properties before = 0;
       return clSetCommandQueueProperty(any.handle<cl_command_queue>(),
                                        Arguments::flags({CL_QUEUE_PROFILING_ENABLE}), CL_TRUE, &before);
     }},
    {"clUnloadPlatformCompiler",
     [](Arguments& any) { return clUnloadPlatformCompiler(any.handle<cl_platform_id>()); }},
    {"clRetainContext", [](Arguments& any) { return any.retain<cl_context>(clRetainContext); }},
    {"clRetainCommandQueue",
     [](Arguments& any) { return any.retain<cl_command_queue>(clRetainCommandQueue); }},
    {"clRetainMemObject", [](Arguments& any) { return any.retain<cl_mem>(clRetainMemObject); }},
    {"clRetainSampler", [](Arguments& any) { return any.retain<cl_sampler>(clRetainSampler); }},
    {"clRetainProgram", [](Arguments& any) { return any.retain<cl_program>(clRetainProgram); }},
    {"clRetainKernel", [](Arguments& any) { return any.retain<cl_kernel>(clRetainKernel); }},
    {"clRetainEvent", [](Arguments& any) { return any.retain<cl_event>(clRetainEvent); }},
    {"clReleaseEvent", [](Arguments& any) { return any.release<cl_event>(clReleaseEvent); }},
    {"clReleaseMemObject", [](Arguments& any) { return any.release<cl_mem>(clReleaseMemObject); }},
    {"clReleaseKernel", [](Arguments& any) { return any.release<cl_kernel>(clReleaseKernel); }},
    {"clReleaseProgram", [](Arguments& any) { return any.release<cl_program>(clReleaseProgram); }},
    {"clReleaseSampler", [](Arguments& any) { return any.release<cl_sampler>(clReleaseSampler); }},
    {"clRetainDevice", [](Arguments& any) { return any.retain<cl_device_id>(clRetainDevice); }},
    {"clReleaseContext", [](Arguments& any) { return any.release_context(); }},
    {"clReleaseDevice", [](Arguments& any) { return any.release_device(); }},
    {"clReleaseCommandQueue",
     [](Arguments& any) { return any.release<cl_command_queue>(clReleaseCommandQueue); }},
};

}  // namespace

std::span<const Call> synchronizations() { return kCalls; }

}  // namespace test
