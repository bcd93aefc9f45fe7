// SPDX-License-Identifier: Apache-2.0
// Unified shared memory, and buffer addresses: functions that programs get by name.
#include "api/random_calls/call.h"
#include "api/usm_test.h"

namespace test {
namespace {

using SetDevicePointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);
constexpr cl_mem_info kDeviceAddress = 0x5001;  // the headers of 2023 lack these

const UsmFunctions& usm(Arguments& any) {
  static const UsmFunctions functions(any.platform());
  return functions;
}

std::size_t size_of_allocation() {
  // At least as many bytes as kernels may write (as for SVM in Caller).
  return Arguments::one_of<std::size_t>({0, 4096, 4096, 65536, 65536, ~std::size_t{0}});
}
cl_uint alignment() { return Arguments::one_of<cl_uint>({0, 0, 1, 64, 128, 3, 4096}); }

std::vector<cl_mem_properties_intel> properties(Arguments& any) {
  return any.properties<cl_mem_properties_intel>({CL_MEM_ALLOC_FLAGS_INTEL}, {0, 1, 2, 4, 6, 5});
}

cl_int made(Arguments& any, cl_context context, void* memory, cl_int error) {
  EXPECT_EQ(memory != nullptr, error == CL_SUCCESS) << error_name(error);
  any.add_unified(context, memory);
  return error;
}

// Occasionally a pointer that cannot be freed with this function.
cl_int free_some(Arguments& any, cl_int(CL_API_CALL* function)(cl_context, void*)) {
  if (Arguments::once_in(4))
    return function(any.handle<cl_context>(), Arguments::once_in(2) ? nullptr : any.host());
  const auto [context, memory] = any.take_unified();
  return context ? function(context, memory) : CL_SUCCESS;
}

const Call kCalls[] = {
    {"clHostMemAllocINTEL",
     [](Arguments& any) {
       const cl_context context = any.handle<cl_context>();
       const auto list = properties(any);
       cl_int error = 1;
       void* const memory = usm(any).host_alloc(context, Arguments::once_in(2) ? nullptr : list.data(),
                                                size_of_allocation(), alignment(), &error);
       return made(any, context, memory, error);
     }},
    {"clDeviceMemAllocINTEL",
     [](Arguments& any) {
       const cl_context context = any.handle<cl_context>();
       const auto list = properties(any);
       cl_int error = 1;
       void* const memory = usm(any).device_alloc(context, any.handle<cl_device_id>(),
                                                  Arguments::once_in(2) ? nullptr : list.data(),
                                                  size_of_allocation(), alignment(), &error);
       return made(any, context, memory, error);
     }},
    {"clSharedMemAllocINTEL",
     [](Arguments& any) {
       const cl_context context = any.handle<cl_context>();
       const cl_device_id device = Arguments::once_in(3) ? nullptr : any.handle<cl_device_id>();
       const auto list = properties(any);
       cl_int error = 1;
       void* const memory =
           usm(any).shared_alloc(context, device, Arguments::once_in(2) ? nullptr : list.data(),
                                 size_of_allocation(), alignment(), &error);
       return made(any, context, memory, error);
     }},
    {"clMemFreeINTEL", [](Arguments& any) { return free_some(any, usm(any).free); }},
    {"clMemBlockingFreeINTEL",
     [](Arguments& any) {
       any.settle();
       return free_some(any, usm(any).blocking_free);
     }},
    {"clGetMemAllocInfoINTEL",
     [](Arguments& any) {
       std::size_t needed = 0;
       return usm(any).info(
           any.handle<cl_context>(), any.shared(),
           Arguments::once_in(9) ? any.query() : CL_MEM_ALLOC_TYPE_INTEL + Arguments::number() % 7,
           Arguments::size(), any.answer(), Arguments::once_in(3) ? nullptr : &needed);
     }},
    {"clSetKernelArgMemPointerINTEL",
     [](Arguments& any) {
       return usm(any).set_argument(any.handle<cl_kernel>(), Arguments::number() % 6,
                                    any.shared_for_kernel());
     }},
    {"clEnqueueMemFillINTEL",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return usm(any).fill(any.handle<cl_command_queue>(), any.shared(), Arguments::value(),
                              Arguments::one_of<std::size_t>({0, 1, 2, 3, 4, 16, 128, 256}),
                              Arguments::small_size(), count, waits, event);
       });
     }},
    {"clEnqueueMemcpyINTEL",
     [](Arguments& any) {
       const cl_bool blocking = any.blocking();
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return usm(any).copy(any.handle<cl_command_queue>(), blocking, any.shared(), any.shared(),
                              Arguments::small_size(), count, waits, event);
       });
     }},
    {"clEnqueueMigrateMemINTEL",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return usm(any).migrate(any.handle<cl_command_queue>(), any.shared(), Arguments::size(),
                                 Arguments::flags({1, 2}), count, waits, event);
       });
     }},
    {"clEnqueueMemAdviseINTEL",
     [](Arguments& any) {
       return any.enqueue([&](cl_uint count, const cl_event* waits, cl_event* event) {
         return usm(any).advise(any.handle<cl_command_queue>(), any.shared(), Arguments::size(),
                                Arguments::once_in(3) ? Arguments::number() : 0, count, waits, event);
       });
     }},
    {"clSetKernelArgDevicePointerEXT",
     [](Arguments& any) {
       static const auto function = reinterpret_cast<SetDevicePointer>(
           clGetExtensionFunctionAddressForPlatform(any.platform(), "clSetKernelArgDevicePointerEXT"));
       std::array<cl_ulong, 8> addresses{};
       if (!Arguments::once_in(3))
         clGetMemObjectInfo(any.handle<cl_mem>(), kDeviceAddress, sizeof addresses, addresses.data(),
                            nullptr);
       return function(any.handle<cl_kernel>(), Arguments::number() % 6,
                       Arguments::once_in(6) ? Arguments::size() : addresses[0] + Arguments::below(9));
     }},
};

}  // namespace

std::span<const Call> pointer_calls() { return kCalls; }

}  // namespace test
