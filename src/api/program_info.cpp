// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "runtime/platform/device.h"
#include "runtime/program/program.h"

namespace clcuda::api {
namespace {

std::vector<std::string> binaries_of(const Program& program) {
  std::vector<std::string> binaries;
  for (const Device* device : program.devices()) binaries.push_back(program.binary(*device));
  return binaries;
}

InfoWriter::Written write_devices(const Program& program, InfoWriter& out) {
  std::vector<cl_device_id> devices;
  for (const Device* device : program.devices()) devices.push_back(handle_of(*device));
  return out.array(devices);
}

InfoWriter::Written write_binary_sizes(const Program& program, InfoWriter& out) {
  std::vector<size_t> sizes;
  for (const std::string& binary : binaries_of(program)) sizes.push_back(binary.size());
  return out.array(sizes);
}

// `value` is the application's array of pointers, to which the binaries are copied. Null pointers are skipped.
InfoWriter::Written write_binaries(const Program& program, size_t size, void* value, InfoWriter& out) {
  std::vector<unsigned char*> places(program.devices().size());
  const size_t needed = places.size() * sizeof(unsigned char*);
  if (value && size >= needed) {
    std::memcpy(static_cast<void*>(places.data()), value, needed);
    const std::vector<std::string> binaries = binaries_of(program);
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i]) std::memcpy(places[i], binaries[i].data(), binaries[i].size());
  }
  return out.array(places);
}

std::string joined_names(const Program& program) {
  std::string text;
  for (const std::string& name : program.kernel_names()) {
    if (!text.empty()) text += ';';
    text += name;
  }
  return text;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clGetProgramInfo(cl_program handle, cl_program_info name, size_t size, void* value,
                                    size_t* size_ret) {
  return guarded(handle, [&] {
    const Program& program = object_of<Program>(handle);
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_PROGRAM_REFERENCE_COUNT:
        return out.write<cl_uint>(program.api_count());
      case CL_PROGRAM_CONTEXT:
        return out.write<cl_context>(handle_of(program.context()));
      case CL_PROGRAM_NUM_DEVICES:
        return out.write<cl_uint>(static_cast<cl_uint>(program.devices().size()));
      case CL_PROGRAM_DEVICES:
        return write_devices(program, out);
      case CL_PROGRAM_SOURCE:
        return out.string(program.source());
      case CL_PROGRAM_IL:
        return out.array(program.module());
      case CL_PROGRAM_BINARY_SIZES:
        return write_binary_sizes(program, out);
      case CL_PROGRAM_BINARIES:
        return write_binaries(program, size, value, out);
      case CL_PROGRAM_NUM_KERNELS:
        return out.write<size_t>(program.kernel_names().size());
      case CL_PROGRAM_KERNEL_NAMES:
        return out.string(joined_names(program));
      case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
        return out.write<cl_bool>(program.has_initializer());
      case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return out.write<cl_bool>(program.has_finalizer());
      default:
        return out.unknown();
    }
  });
}

// Section 5.8.9: the device is one of the program's.
cl_int CL_API_CALL clGetProgramBuildInfo(cl_program handle, cl_device_id device_handle,
                                         cl_program_build_info name, size_t size, void* value,
                                         size_t* size_ret) {
  return guarded(handle, [&] {
    const Program& program = object_of<Program>(handle);
    const Device& device = object_of<Device>(device_handle);
    require(program.has(device), CL_INVALID_DEVICE, "the device is not one of the program's");
    const Program::BuildInfo info = program.build_info(device);
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_PROGRAM_BUILD_STATUS:
        return out.write<cl_build_status>(info.status);
      case CL_PROGRAM_BUILD_OPTIONS:
        return out.string(info.options);
      case CL_PROGRAM_BUILD_LOG:
        return out.string(info.log);
      case CL_PROGRAM_BINARY_TYPE:
        return out.write<cl_program_binary_type>(info.binary_type);
      case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return out.write<size_t>(info.global_variable_size);
      default:
        return out.unknown();
    }
  });
}
