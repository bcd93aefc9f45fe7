// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "runtime/platform/device.h"
#include "runtime/program/kernel.h"

namespace clcuda::api {
namespace {

// Section 5.9.4: the device of queries that depend on it; one that the kernel is built for, and null only if there is just one.
Device& device_of(const Kernel& kernel, cl_device_id handle) {
  if (!handle) {
    require(kernel.has_one_device(), CL_INVALID_DEVICE, "device is null and the kernel has more than one");
    return kernel.first_device();
  }
  Device& device = object_of<Device>(handle);
  require(kernel.find(device) != nullptr, CL_INVALID_DEVICE, "the kernel is not built for the device");
  return device;
}

std::array<size_t, 3> sizes(const std::array<std::uint32_t, 3>& size) { return {size[0], size[1], size[2]}; }

cl_ulong local_memory(const Kernel& kernel, const cuda::Function& function) {
  return static_cast<cl_ulong>(function.attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)) +
         kernel.dynamic_local_size();
}

cl_kernel_arg_address_qualifier address_qualifier(const compiler::ArgumentInfo& info) {
  switch (info.address) {
    case compiler::AddressQualifier::global:
      return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case compiler::AddressQualifier::local:
      return CL_KERNEL_ARG_ADDRESS_LOCAL;
    case compiler::AddressQualifier::constant:
      return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case compiler::AddressQualifier::private_:
      break;
  }
  return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_kernel_arg_access_qualifier access_qualifier(const compiler::ArgumentInfo& info) {
  switch (info.access) {
    case compiler::AccessQualifier::read_only:
      return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    case compiler::AccessQualifier::write_only:
      return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    case compiler::AccessQualifier::read_write:
      return CL_KERNEL_ARG_ACCESS_READ_WRITE;
    case compiler::AccessQualifier::none:
      break;
  }
  return CL_KERNEL_ARG_ACCESS_NONE;
}

cl_kernel_arg_type_qualifier type_qualifier(const compiler::ArgumentInfo& info) {
  cl_kernel_arg_type_qualifier qualifier = CL_KERNEL_ARG_TYPE_NONE;
  if (info.is_const) qualifier |= CL_KERNEL_ARG_TYPE_CONST;
  if (info.is_restrict) qualifier |= CL_KERNEL_ARG_TYPE_RESTRICT;
  if (info.is_volatile) qualifier |= CL_KERNEL_ARG_TYPE_VOLATILE;
  if (info.is_pipe) qualifier |= CL_KERNEL_ARG_TYPE_PIPE;
  return qualifier;
}

// Sub-groups are the warps of a block; all but the last are full.
struct SubGroups {
  const compiler::KernelInfo& info;  // of the kernel on the device
  size_t size, most;
};

SubGroups sub_groups(const Kernel& kernel, Device& device) {
  const KernelFunction& code = kernel.on(device).function(compiler::Variant::uniform);
  cuda::Current current(device.context());
  const auto size = static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
  const auto items = static_cast<size_t>(code.function.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  return {*code.info, size, std::max<size_t>(items / size, 1)};
}

// Work-items of a local size that is given as the input of a query, one to three values.
size_t items_of(const void* input, size_t input_size) {
  std::array<size_t, 3> local{1, 1, 1};
  require(input, CL_INVALID_VALUE, "input_value is null");
  require(
      input_size == sizeof(size_t) || input_size == 2 * sizeof(size_t) || input_size == 3 * sizeof(size_t),
      CL_INVALID_VALUE, "input_value_size is not that of one to three sizes");
  std::memcpy(local.data(), input, input_size);
  size_t items = 0;
  require(!__builtin_mul_overflow(local[0], local[1], &items) &&
              !__builtin_mul_overflow(items, local[2], &items) && items > 0,
          CL_INVALID_VALUE, "not a local size");
  return items;
}

// The one-dimensional local size with exactly so many sub-groups, written in as many dimensions as the caller has room for; zeros if there
// is none.
InfoWriter::Written write_local_size(const SubGroups& groups, const void* input, size_t input_size,
                                     size_t size, const void* value, InfoWriter& out) {
  require(input && input_size == sizeof(size_t), CL_INVALID_VALUE, "the input is one size_t");
  require(!value || size == sizeof(size_t) || size == 2 * sizeof(size_t) || size == 3 * sizeof(size_t),
          CL_INVALID_VALUE, "param_value_size is not that of one to three sizes");
  size_t count = 0;
  std::memcpy(&count, input, sizeof count);
  const auto& required = groups.info.required_work_group_size;
  const std::uint32_t required_count = groups.info.required_sub_group_count;
  std::array<size_t, 3> local{};
  const bool fits = count > 0 && count <= groups.most && (!required_count || required_count == count) &&
                    (!required[0] || (required[0] == count * groups.size && required[1] * required[2] == 1));
  if (fits) local = {count * groups.size, 1, 1};
  return out.bytes(local.data(), value ? size : sizeof local);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clGetKernelInfo(cl_kernel handle, cl_kernel_info name, size_t size, void* value,
                                   size_t* size_ret) {
  return guarded(handle, [&] {
    const Kernel& kernel = object_of<Kernel>(handle);
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_KERNEL_FUNCTION_NAME:
        return out.string(kernel.name());
      case CL_KERNEL_NUM_ARGS:
        return out.write<cl_uint>(static_cast<cl_uint>(kernel.info().arguments.size()));
      case CL_KERNEL_REFERENCE_COUNT:
        return out.write<cl_uint>(kernel.api_count());
      case CL_KERNEL_CONTEXT:
        return out.write<cl_context>(handle_of(kernel.context()));
      case CL_KERNEL_PROGRAM:
        return out.write<cl_program>(handle_of(kernel.program()));
      case CL_KERNEL_ATTRIBUTES:
        // Section 5.9.3: attributes are reported for programs created from source; here also for linked programs.
        return out.string(kernel.program().origin() == Program::Origin::source ||
                                  kernel.program().origin() == Program::Origin::linked
                              ? kernel.info().attributes
                              : std::string());
      default:
        return out.unknown();
    }
  });
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device_handle,
                                            cl_kernel_work_group_info name, size_t size, void* value,
                                            size_t* size_ret) {
  return guarded(handle, [&] {
    const Kernel& kernel = object_of<Kernel>(handle);
    Device& device = device_of(kernel, device_handle);
    const KernelFunction& code = kernel.on(device).function(compiler::Variant::uniform);
    cuda::Current current(device.context());
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_KERNEL_WORK_GROUP_SIZE:
        return out.write<size_t>(
            static_cast<size_t>(code.function.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)));
      case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return out.array(sizes(code.info->required_work_group_size));
      case CL_KERNEL_LOCAL_MEM_SIZE:
        return out.write<cl_ulong>(local_memory(kernel, code.function));
      case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return out.write<size_t>(static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)));
      case CL_KERNEL_PRIVATE_MEM_SIZE:
      case CL_KERNEL_SPILL_MEM_SIZE_INTEL:  // the driver reports spills and private arrays as one number
        return out.write<cl_ulong>(
            static_cast<cl_ulong>(code.function.attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)));
      default:
        // Including CL_KERNEL_GLOBAL_WORK_SIZE, which is for built-in kernels and custom devices.
        return out.unknown();
    }
  });
}

// Section 5.9.4: input values of the size that the query takes.
cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel handle, cl_device_id device_handle,
                                           cl_kernel_sub_group_info name, size_t input_size,
                                           const void* input, size_t size, void* value, size_t* size_ret) {
  return guarded(handle, [&] {
    const Kernel& kernel = object_of<Kernel>(handle);
    const SubGroups groups = sub_groups(kernel, device_of(kernel, device_handle));
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        items_of(input, input_size);
        return out.write<size_t>(groups.size);  // the value of get_max_sub_group_size()
      case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
        const size_t items = items_of(input, input_size);  // up to SIZE_MAX, so nothing is added to it
        return out.write<size_t>(items / groups.size + (items % groups.size != 0));
      }
      case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        return write_local_size(groups, input, input_size, size, value, out);
      case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return out.write<size_t>(groups.most);
      case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return out.write<size_t>(groups.info.required_sub_group_count);
      case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return out.write<size_t>(groups.info.required_sub_group_size);
      default:
        return out.unknown();
    }
  });
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info name, size_t input_size,
                                              const void* input, size_t size, void* value, size_t* size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, name, input_size, input, size, value, size_ret);
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size,
                                      void* value, size_t* size_ret) {
  return guarded(handle, [&] {
    const Kernel& kernel = object_of<Kernel>(handle);
    const auto& arguments = kernel.info().arguments;
    require(index < arguments.size(), CL_INVALID_ARG_INDEX, "the kernel has no such argument");
    // Section 5.9.4: only if the program was created from source, and built or compiled with -cl-kernel-arg-info. Binaries keep the
    // information.
    require(kernel.info().tells_arguments, CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
            "the kernel is not from OpenCL C or was built without -cl-kernel-arg-info");
    const compiler::ArgumentInfo& info = arguments[index];
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return out.write<cl_kernel_arg_address_qualifier>(address_qualifier(info));
      case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return out.write<cl_kernel_arg_access_qualifier>(access_qualifier(info));
      case CL_KERNEL_ARG_TYPE_NAME:
        return out.string(info.type_name);
      case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return out.write<cl_kernel_arg_type_qualifier>(type_qualifier(info));
      case CL_KERNEL_ARG_NAME:
        return out.string(info.name);
      default:
        return out.unknown();
    }
  });
}
