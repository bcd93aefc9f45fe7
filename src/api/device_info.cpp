// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_clcuda.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/sub_device.h"
#include "api/version.h"
#include "builtins/launch_record.h"
#include "compiler/spirv/reader.h"
#include "runtime/image/image_limits.h"
#include "runtime/memory/buffer.h"
#include "runtime/memory/svm.h"
#include "runtime/platform/device.h"
#include "runtime/platform/device_features.h"
#include "runtime/platform/device_type.h"
#include "runtime/platform/platform.h"
#include "runtime/program/printf_buffer.h"

namespace clcuda::api {
namespace {

// The queries of table 5 of the specification, in groups. Each function returns nothing for names that are not in its group.
using Answer = std::optional<InfoWriter::Written>;

// Queries of cl_nv_device_attribute_query that the headers of 2023 lack.
constexpr cl_device_info kAsyncEngineCountNv = 0x4007, kPciBusIdNv = 0x4008, kPciSlotIdNv = 0x4009,
                         kPciDomainIdNv = 0x400A;

// cl_khr_kernel_clock, which they lack as well.
constexpr cl_device_info kKernelClockCapabilities = 0x1076;
constexpr cl_bitfield kClockOfDevice = 1 << 0, kClockOfWorkGroup = 1 << 1, kClockOfSubGroup = 1 << 2;

// cl_khr_spirv_queries.
constexpr cl_device_info kSpirvExtendedInstructionSets = 0x12B9, kSpirvExtensions = 0x12BA,
                         kSpirvCapabilities = 0x12BB;

// The part of each work-group's local memory that collective functions use (builtins/work_group_slots.ll).
constexpr std::size_t kCollectiveLocalMemory = 64 * sizeof(cl_ulong);
// cl_ext_float_atomics: load and store, add, min and max in global memory; and, 16 bits higher, in local memory.
constexpr cl_device_info kSingleFpAtomics = 0x4231, kDoubleFpAtomics = 0x4232, kHalfFpAtomics = 0x4233;
constexpr cl_bitfield kAllFpAtomics = 0x70007;

// The PCI vendor id of the processor that the executor runs on.
cl_uint host_vendor_id() {
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd")) return 0x1022;
  return 0x8086;
#else
  return 0x13B5;
#endif
}

std::string driver_version(const Device& device) {
  int version = 0;
  if (device.driver().cuDriverGetVersion(&version) != CUDA_SUCCESS) return CLCUDA_VERSION;
  return fmt::format("{}, CUDA {}.{}", CLCUDA_VERSION, version / 1000, version % 1000 / 10);
}

Answer identity(const Device& device, cl_device_info name, InfoWriter& out) {
  const bool cpu = device.platform().is_cpu();
  switch (name) {
    case CL_DEVICE_TYPE:
      return out.write<cl_device_type>(type_of(device.platform()));
    case CL_DEVICE_VENDOR_ID:
      return out.write<cl_uint>(cpu ? host_vendor_id() : 0x10DE);
    case CL_DEVICE_VENDOR:
      return out.string(cpu ? "clcuda" : "NVIDIA Corporation");
    case CL_DEVICE_NAME:
      return out.string(device.name());
    case CL_DEVICE_PLATFORM:
      return out.write<cl_platform_id>(handle_of(device.platform()));
    case CL_DRIVER_VERSION:
      return out.string(driver_version(device));
    case CL_DEVICE_PROFILE:
      return out.string("FULL_PROFILE");
    case CL_DEVICE_VERSION:
      return out.string(version_text());
    case CL_DEVICE_NUMERIC_VERSION:
      return out.write<cl_version>(opencl_version());
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return out.string("v0000-01-01-00");  // none passed: no suite has this date
    case CL_DEVICE_OPENCL_C_VERSION:
      // A newer version may be reported here only if all its optional features are supported.
      return out.string("OpenCL C 1.2 clcuda " CLCUDA_VERSION);
    case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR:
      return out.write<cl_version>(CL_MAKE_VERSION(1, 2, 0));
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
      return out.array(opencl_c_versions(device));
    case CL_DEVICE_OPENCL_C_FEATURES:
      return out.array(opencl_c_features(device));
    case CL_DEVICE_EXTENSIONS:
      return out.string(names_of(device_extensions(device)));
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return out.array(device_extensions(device));
    case CL_DEVICE_REFERENCE_COUNT:
      return out.write<cl_uint>(device.parent() ? device.api_count() : 1);
    case CL_DEVICE_AVAILABLE:
      return out.write<cl_bool>(!device.lost());
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
      return out.write<cl_bool>(CL_TRUE);
    default:
      return {};
  }
}

Answer execution(const Device& device, cl_device_info name, InfoWriter& out) {
  switch (name) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return out.write<cl_uint>(device.compute_units());
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return out.write<cl_uint>(
          static_cast<cl_uint>(device.attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000));
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return out.write<cl_uint>(3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return out.array(
          std::array{static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)),
                     static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)),
                     // Layers beyond CUDA's limit are folded into y (builtins/launch_record.h).
                     static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y))});
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return out.write<size_t>(
          static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)));
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return out.write<size_t>(static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)));
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return out.write<size_t>(4096 - sizeof(clcuda_launch_record));
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return out.write<cl_device_exec_capabilities>(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return out.write<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                    CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return out.write<size_t>(device.platform().is_cpu() ? 1 : 1000);
    case CL_DEVICE_BUILT_IN_KERNELS:
      return out.string("");
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
      return out.bytes(nullptr, 0);
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:  // as several launches
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
      return out.write<cl_bool>(CL_TRUE);
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return out.write<size_t>(PrintfBuffer::kMost);
    default:
      return {};
  }
}

Answer memory(const Device& device, cl_device_info name, InfoWriter& out) {
  switch (name) {
    case CL_DEVICE_ADDRESS_BITS:
      return out.write<cl_uint>(64);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:  // one buffer may have it all
      return out.write<cl_ulong>(device.memory_size());
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return out.write<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return out.write<cl_uint>(device.platform().is_cpu() ? 64 : 128);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return out.write<cl_ulong>(static_cast<cl_ulong>(device.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)));
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return out.write<cl_ulong>(64 << 10);
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return out.write<cl_uint>(128);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return out.write<cl_device_local_mem_type>(device.platform().is_cpu() ? CL_GLOBAL : CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return out.write<cl_ulong>(device.local_memory_size() - kCollectiveLocalMemory);
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
      return out.write<cl_bool>(device.attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED) ? CL_TRUE : CL_FALSE);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return out.write<cl_bool>(device.attribute(CU_DEVICE_ATTRIBUTE_INTEGRATED) ? CL_TRUE : CL_FALSE);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return out.write<cl_uint>(sizeof(cl_long16) * 8);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
      return out.write<cl_uint>(sizeof(cl_long16));
    case CL_DEVICE_SVM_CAPABILITIES:
      return out.write<cl_device_svm_capabilities>(svm_capabilities(device));
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
      return out.write<cl_uint>(0);
    default:
      return {};
  }
}

// cl_intel_unified_shared_memory.
Answer unified_memory(const Device& device, cl_device_info name, InfoWriter& out) {
  using Capabilities = cl_device_unified_shared_memory_capabilities_intel;
  switch (name) {
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
      return out.write<Capabilities>(usm_capabilities(device).host);
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
      return out.write<Capabilities>(usm_capabilities(device).device);
    case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
      return out.write<Capabilities>(usm_capabilities(device).single_device_shared);
    case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
      return out.write<Capabilities>(usm_capabilities(device).cross_device_shared);
    case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
      return out.write<Capabilities>(usm_capabilities(device).shared_system);
    default:
      return {};
  }
}

Answer arithmetic(cl_device_info name, InfoWriter& out) {
  constexpr cl_device_fp_config kIeee = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                        CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
  switch (name) {
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return out.write<cl_device_fp_config>(kIeee | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
    case CL_DEVICE_HALF_FP_CONFIG:
      return out.write<cl_device_fp_config>(kIeee);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
      return out.write<cl_uint>(1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:  // arithmetic on two at once
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
      return out.write<cl_uint>(2);
    default:
      return {};
  }
}

// Optional features of OpenCL C.
Answer language(const Device& device, cl_device_info name, InfoWriter& out) {
  // dp4a covers every combination of signs. Its sum wraps; saturation takes another instruction.
  constexpr cl_device_integer_dot_product_acceleration_properties_khr kDotProducts{
      CL_TRUE, CL_TRUE, CL_TRUE, CL_FALSE, CL_FALSE, CL_FALSE};
  switch (name) {
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_PIPE_SUPPORT:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:  // sub-groups are warps
      return out.write<cl_bool>(CL_TRUE);
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
      return out.write<cl_uint>(
          static_cast<cl_uint>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) /
                               device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)));
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
      return out.write<size_t>(static_cast<size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)));
    case CL_DEVICE_MAX_PIPE_ARGS:
      return out.write<cl_uint>(16);
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
      return out.write<cl_uint>(kMaxPacketSize);
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:  // limited by the pipe's size only
      return out.write<cl_uint>(1024);
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:  // they are ordinary device memory
      return out.write<size_t>(size_t{1} << 20);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
      return out.write<cl_device_integer_dot_product_capabilities_khr>(
          CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
          CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
      return out.write<cl_device_integer_dot_product_acceleration_properties_khr>(kDotProducts);
    case kSingleFpAtomics:
    case kDoubleFpAtomics:
    case kHalfFpAtomics:
      return out.write<cl_bitfield>(kAllFpAtomics);
    case CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:
      // The version of -cl-std=CLC++; a cl_version cannot represent 2021.
      return out.write<cl_version>(CL_MAKE_VERSION(1, 0, 0));
    case kKernelClockCapabilities:
      return out.write<cl_bitfield>(kClockOfDevice | kClockOfWorkGroup | kClockOfSubGroup);
    default:
      return {};
  }
}

// "SPIR-V_1.1 SPIR-V_1.0"
std::string names_with_versions(const std::vector<cl_name_version>& languages) {
  std::string text;
  for (const cl_name_version& language : languages)
    text += fmt::format("{}{}_{}.{}", text.empty() ? "" : " ", language.name,
                        CL_VERSION_MAJOR(language.version), CL_VERSION_MINOR(language.version));
  return text;
}

// SPIR-V, as far as the reader supports it.
Answer spirv(const Device& device, cl_device_info name, InfoWriter& out) {
  switch (name) {
    case CL_DEVICE_IL_VERSION:
      return out.string(names_with_versions(intermediate_languages()));
    case CL_DEVICE_ILS_WITH_VERSION:
      return out.array(intermediate_languages());
    case kSpirvExtendedInstructionSets:
      return out.array(compiler::spirv::extended_instruction_sets());
    case kSpirvExtensions:
      return out.array(compiler::spirv::extensions(device.features()));
    case kSpirvCapabilities:
      return out.array(compiler::spirv::capabilities(device.features()));
    default:
      return {};
  }
}

// Device-side enqueue: all zero if it is not offered.
Answer device_queues(const Device& device, cl_device_info name, InfoWriter& out) {
  const bool offered = offers_device_enqueue(device);
  const auto number = [&](cl_uint value) { return out.write<cl_uint>(offered ? value : 0); };
  const auto bits = [&](cl_bitfield value) { return out.write<cl_bitfield>(offered ? value : 0); };
  switch (name) {
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      return bits(CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT);
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      return bits(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
      return number(kDeviceQueueSize);
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
      return number(64);  // any number works, but all share the memory for tasks
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
      return number(kLeastDeviceEvents);
    default:
      return {};
  }
}

Answer images(const Device& device, cl_device_info name, InfoWriter& out) {
  const ImageLimits limits = ImageLimits::of(device);
  switch (name) {
    case CL_DEVICE_IMAGE_SUPPORT:
      return out.write<cl_bool>(CL_TRUE);
    // An image or sampler argument is 8 bytes of parameters.
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
      return out.write<cl_uint>(128);
    case CL_DEVICE_MAX_SAMPLERS:
      return out.write<cl_uint>(32);
    // In texels, whatever their size.
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
      return out.write<cl_uint>(static_cast<cl_uint>(limits.row_alignment));
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      return out.write<cl_uint>(static_cast<cl_uint>(limits.base_alignment));
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
      return out.write<size_t>(limits.flat[0]);
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
      return out.write<size_t>(limits.flat[1]);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
      return out.write<size_t>(limits.volume[0]);
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
      return out.write<size_t>(limits.volume[1]);
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
      return out.write<size_t>(limits.volume[2]);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      return out.write<size_t>(limits.buffer);
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      return out.write<size_t>(limits.layers);
    default:
      return {};
  }
}

Answer partitions(const Device& device, cl_device_info name, InfoWriter& out) {
  switch (name) {
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
      return out.write<cl_uint>(most_sub_devices(device));
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return out.write<cl_device_affinity_domain>(0);
    case CL_DEVICE_PARENT_DEVICE:
      return out.write<cl_device_id>(device.parent() ? handle_of(*device.parent()) : nullptr);
    case CL_DEVICE_PARTITION_PROPERTIES:
      if (most_sub_devices(device) == 0) return out.write<cl_device_partition_property>(0);
      return out.array(std::array<cl_device_partition_property, 2>{CL_DEVICE_PARTITION_EQUALLY,
                                                                   CL_DEVICE_PARTITION_BY_COUNTS});
    case CL_DEVICE_PARTITION_TYPE:
      if (!device.parent()) return out.write<cl_device_partition_property>(0);
      return out.array(device.partition_type());
    default:
      return {};
  }
}

// All orders and scopes, since the PTX memory model has them.
Answer atomics(cl_device_info name, InfoWriter& out) {
  constexpr cl_device_atomic_capabilities kAll =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
      CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  switch (name) {
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
      return out.write<cl_device_atomic_capabilities>(kAll);
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:  // the scope work-item is for fences only
      return out.write<cl_device_atomic_capabilities>(kAll | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
    default:
      return {};
  }
}

Answer uuids(const Device& device, cl_device_info name, InfoWriter& out) {
  std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid{};
  static_assert(sizeof(CUuuid) == uuid.size());
  switch (name) {
    case CL_DEVICE_UUID_KHR:
      if (device.driver().cuDeviceGetUuid(reinterpret_cast<CUuuid*>(uuid.data()), device.ordinal()) !=
          CUDA_SUCCESS)
        return {};
      return out.array(uuid);
    case CL_DRIVER_UUID_KHR: {
      const std::string version = "clcuda " + driver_version(device);
      std::copy_n(version.data(), std::min(version.size(), uuid.size()),
                  reinterpret_cast<char*>(uuid.data()));
      return out.array(uuid);
    }
    case CL_DEVICE_LUID_VALID_KHR:
      return out.write<cl_bool>(CL_FALSE);  // LUIDs exist on Windows only
    case CL_DEVICE_LUID_KHR:
      return out.array(std::array<cl_uchar, CL_LUID_SIZE_KHR>{});
    case CL_DEVICE_NODE_MASK_KHR:
      return out.write<cl_uint>(0);
    default:
      return {};
  }
}

Answer cuda_interop(const Device& device, cl_device_info name, InfoWriter& out) {
  switch (name) {
    case CL_DEVICE_CUDA_DEVICE_CLCUDA:
      return out.write<int>(device.ordinal());
    case CL_DEVICE_CUDA_CONTEXT_CLCUDA:
      return out.write<CUcontext>(const_cast<Device&>(device).context().handle());
    default:
      return {};
  }
}

// cl_khr_pci_bus_info and cl_nv_device_attribute_query.
Answer gpu(const Device& device, cl_device_info name, InfoWriter& out) {
  const auto number = [&](CUdevice_attribute attribute) {
    return out.write<cl_uint>(static_cast<cl_uint>(device.attribute(attribute)));
  };
  const auto flag = [&](CUdevice_attribute attribute) {
    return out.write<cl_bool>(device.attribute(attribute) ? CL_TRUE : CL_FALSE);
  };
  if (device.platform().is_cpu()) return {};
  switch (name) {
    case CL_DEVICE_PCI_BUS_INFO_KHR:
      return out.write<cl_device_pci_bus_info_khr>(
          {static_cast<cl_uint>(device.attribute(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID)),
           static_cast<cl_uint>(device.attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)),
           static_cast<cl_uint>(device.attribute(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)), 0});
    case CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV:
      return number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    case CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV:
      return number(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    case CL_DEVICE_REGISTERS_PER_BLOCK_NV:
      return number(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    case CL_DEVICE_WARP_SIZE_NV:
      return number(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    case CL_DEVICE_GPU_OVERLAP_NV:
      return flag(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    case CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV:
      return flag(CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT);
    case CL_DEVICE_INTEGRATED_MEMORY_NV:
      return flag(CU_DEVICE_ATTRIBUTE_INTEGRATED);
    case kAsyncEngineCountNv:
      return number(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    case kPciBusIdNv:
      return number(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
    case kPciSlotIdNv:
      return number(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    case kPciDomainIdNv:
      return number(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
    default:
      return {};
  }
}

Answer answer(const Device& device, cl_device_info name, InfoWriter& out) {
  if (Answer found = identity(device, name, out)) return found;
  if (Answer found = execution(device, name, out)) return found;
  if (Answer found = memory(device, name, out)) return found;
  if (Answer found = unified_memory(device, name, out)) return found;
  if (Answer found = arithmetic(name, out)) return found;
  if (Answer found = language(device, name, out)) return found;
  if (Answer found = spirv(device, name, out)) return found;
  if (Answer found = device_queues(device, name, out)) return found;
  if (Answer found = images(device, name, out)) return found;
  if (Answer found = partitions(device, name, out)) return found;
  if (Answer found = atomics(name, out)) return found;
  if (Answer found = uuids(device, name, out)) return found;
  if (Answer found = cuda_interop(device, name, out)) return found;
  return gpu(device, name, out);
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id handle, cl_device_info name, size_t size, void* value,
                                   size_t* size_ret) {
  return guarded(handle, [&] {
    const Device& device = object_of<Device>(handle);
    InfoWriter out(name, size, value, size_ret);
    if (!answer(device, name, out)) out.unknown();
  });
}
