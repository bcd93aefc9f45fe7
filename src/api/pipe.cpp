// SPDX-License-Identifier: Apache-2.0
#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/known_values.h"
#include "api/reporting.h"
#include "runtime/memory/buffer.h"

namespace clcuda::api {
namespace {

// Section 5.4.1: no properties; a packet size that the device supports, and at least one packet.
cl_mem create_pipe(cl_context handle, cl_mem_flags flags, const PipeShape& shape,
                   const cl_pipe_properties* properties) {
  Context& context = object_of<Context>(handle);
  require(!properties, CL_INVALID_VALUE, "a pipe has no properties");
  // Section 5.4.1: no other flags than these, which are the default.
  constexpr cl_mem_flags kDefault = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  require_flags(flags, kDefault, CL_INVALID_VALUE, "a flag that pipes do not have");
  require(shape.packet_size > 0 && shape.packet_size <= kMaxPacketSize, CL_INVALID_PIPE_SIZE,
          "a packet's size is 0 or beyond CL_DEVICE_PIPE_MAX_PACKET_SIZE");
  require(shape.max_packets > 0, CL_INVALID_PIPE_SIZE, "a pipe for no packets");
  return reporting(context, [&] { return handle_of(*new Buffer(context, flags ? flags : kDefault, shape)); });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint max_packets, const cl_pipe_properties* properties, cl_int* error) {
  return created<Shortage::of_memory_objects>(
      error, context, [&] { return create_pipe(context, flags, {packet_size, max_packets}, properties); });
}

// Section 5.4.2.
cl_int CL_API_CALL clGetPipeInfo(cl_mem handle, cl_pipe_info name, size_t size, void* value,
                                 size_t* size_ret) {
  return guarded(handle, [&] {
    const Buffer& pipe = object_of<Buffer>(handle);
    require(pipe.pipe().has_value(), CL_INVALID_MEM_OBJECT, "not a pipe");
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_PIPE_PACKET_SIZE:
        return out.write<cl_uint>(pipe.pipe()->packet_size);
      case CL_PIPE_MAX_PACKETS:
        return out.write<cl_uint>(pipe.pipe()->max_packets);
      case CL_PIPE_PROPERTIES:
        return out.bytes(nullptr, 0);
      default:
        return out.unknown();
    }
  });
}
