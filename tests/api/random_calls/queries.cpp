// SPDX-License-Identifier: Apache-2.0
// Queries of every object.
#include "api/random_calls/call.h"

namespace test {
namespace {

// A query of any object, with a size that is too small, sufficient, or 0.
template <class Handle>
cl_int query(Arguments& any,
             cl_int(CL_API_CALL* function)(Handle, cl_uint, std::size_t, void*, std::size_t*)) {
  std::size_t needed = 0;
  return function(any.handle<Handle>(), Arguments::query(), Arguments::size(), any.answer(),
                  Arguments::once_in(3) ? nullptr : &needed);
}

const Call kCalls[] = {
    {"clGetDeviceIDs",
     [](Arguments& any) {
       cl_uint count = 0;
       return clGetDeviceIDs(
           any.handle<cl_platform_id>(),
           Arguments::flags({CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_DEFAULT}),
           Arguments::number() % 9, static_cast<cl_device_id*>(any.answer()),
           Arguments::once_in(3) ? nullptr : &count);
     }},
    {"clGetDeviceAndHostTimer",
     [](Arguments& any) {
       cl_ulong device = 0, host = 0;
       return clGetDeviceAndHostTimer(any.handle<cl_device_id>(), Arguments::once_in(9) ? nullptr : &device,
                                      Arguments::once_in(9) ? nullptr : &host);
     }},
    {"clGetHostTimer",
     [](Arguments& any) {
       cl_ulong host = 0;
       return clGetHostTimer(any.handle<cl_device_id>(), Arguments::once_in(9) ? nullptr : &host);
     }},
    {"clGetPlatformInfo", [](Arguments& any) { return query(any, clGetPlatformInfo); }},
    {"clGetDeviceInfo", [](Arguments& any) { return query(any, clGetDeviceInfo); }},
    {"clGetContextInfo", [](Arguments& any) { return query(any, clGetContextInfo); }},
    {"clGetCommandQueueInfo", [](Arguments& any) { return query(any, clGetCommandQueueInfo); }},
    {"clGetMemObjectInfo", [](Arguments& any) { return query(any, clGetMemObjectInfo); }},
    {"clGetImageInfo", [](Arguments& any) { return query(any, clGetImageInfo); }},
    {"clGetPipeInfo", [](Arguments& any) { return query(any, clGetPipeInfo); }},
    {"clGetSamplerInfo", [](Arguments& any) { return query(any, clGetSamplerInfo); }},
    {"clGetProgramInfo", [](Arguments& any) { return query(any, clGetProgramInfo); }},
    {"clGetKernelInfo", [](Arguments& any) { return query(any, clGetKernelInfo); }},
    {"clGetEventInfo", [](Arguments& any) { return query(any, clGetEventInfo); }},
    {"clGetEventProfilingInfo", [](Arguments& any) { return query(any, clGetEventProfilingInfo); }},
    {"clGetProgramBuildInfo",
     [](Arguments& any) {
       return clGetProgramBuildInfo(any.handle<cl_program>(), any.handle<cl_device_id>(), Arguments::query(),
                                    Arguments::size(), any.answer(), nullptr);
     }},
    {"clGetKernelArgInfo",
     [](Arguments& any) {
       return clGetKernelArgInfo(any.handle<cl_kernel>(), Arguments::number(), Arguments::query(),
                                 Arguments::size(), any.answer(), nullptr);
     }},
    {"clGetKernelWorkGroupInfo",
     [](Arguments& any) {
       return clGetKernelWorkGroupInfo(any.handle<cl_kernel>(), any.handle<cl_device_id>(),
                                       Arguments::query(), Arguments::size(), any.answer(), nullptr);
     }},
    {"clGetKernelSubGroupInfo",
     [](Arguments& any) {
       return clGetKernelSubGroupInfo(
           any.handle<cl_kernel>(), any.handle<cl_device_id>(), Arguments::query(),
           Arguments::one_of<std::size_t>({0, 4, 8, 16, 24, 32}), Arguments::value(),
           Arguments::one_of<std::size_t>({0, 4, 8, 16, 24, 32}), any.answer(), nullptr);
     }},
    {"clGetKernelSuggestedLocalWorkSize",
     [](Arguments& any) {
       static const auto function = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
           clGetExtensionFunctionAddressForPlatform(any.platform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
       if (!function) return CL_SUCCESS;
       return function(any.handle<cl_command_queue>(), any.handle<cl_kernel>(), Arguments::number() % 5,
                       Arguments::once_in(2) ? nullptr : any.sizes(kOrigin), any.range(),
                       static_cast<std::size_t*>(any.answer()));
     }},
    {"clGetSupportedImageFormats",
     [](Arguments& any) {
       cl_uint count = 0;
       return clGetSupportedImageFormats(any.handle<cl_context>(), Arguments::memory_flags(false),
                                         CL_MEM_OBJECT_BUFFER + Arguments::number() % 9,
                                         Arguments::number() % 40,
                                         static_cast<cl_image_format*>(any.answer()), &count);
     }},
};

}  // namespace

std::span<const Call> queries() { return kCalls; }

}  // namespace test
