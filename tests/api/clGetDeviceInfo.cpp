// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_ext.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

class DeviceInfo : public test::OpenCL {
 protected:
  template <class T>
  T value(cl_device_info name) const {
    T found{};
    size_t size = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, sizeof found, &found, &size));
    EXPECT_EQ(sizeof found, size);
    return found;
  }
  template <class T>
  std::vector<T> values(cl_device_info name) const {
    size_t size = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, 0, nullptr, &size));
    EXPECT_EQ(0u, size % sizeof(T));
    std::vector<T> found(size / sizeof(T));
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, size, found.data(), nullptr));
    return found;
  }
  std::string text(cl_device_info name) const {
    const std::vector<char> found = values<char>(name);
    return found.empty() ? "" : std::string(found.begin(), found.end() - 1);
  }
  std::vector<std::string> extensions() const {
    std::istringstream words(text(CL_DEVICE_EXTENSIONS));
    return {std::istream_iterator<std::string>(words), {}};
  }
};

// Table 5 of the specification, full profile.
TEST_F(DeviceInfo, MeetsTheFullProfile) {
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_EQ(3u, value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  EXPECT_EQ(3u, values<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES).size());
  EXPECT_GE(value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE), 1u);
  const auto memory = value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
            std::max<cl_ulong>(std::min<cl_ulong>(1 << 30, memory / 4), 32 << 20));
  EXPECT_GE(value<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 64u << 10);
  EXPECT_GE(value<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), 32u << 10);
  EXPECT_GE(value<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE), 1u << 20);
  EXPECT_EQ(CL_TRUE, value<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE));
  EXPECT_EQ(CL_TRUE, value<cl_bool>(CL_DEVICE_LINKER_AVAILABLE));
  EXPECT_TRUE(value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
  EXPECT_TRUE(value<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
              CL_QUEUE_PROFILING_ENABLE);
  const auto single = value<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG);
  EXPECT_EQ(cl_device_fp_config(CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
            single & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
  const auto memory_orders = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_TRUE(memory_orders & CL_DEVICE_ATOMIC_ORDER_RELAXED);
  EXPECT_TRUE(memory_orders & CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP);
  const auto fences = value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  EXPECT_TRUE(fences & CL_DEVICE_ATOMIC_ORDER_ACQ_REL);
}

TEST_F(DeviceInfo, NamesVersions) {
  EXPECT_EQ(0u, text(CL_DEVICE_VERSION).find("OpenCL 3.0 "));
  EXPECT_EQ(0u, text(CL_DEVICE_OPENCL_C_VERSION).find("OpenCL C 1.2 "));
  EXPECT_EQ("FULL_PROFILE", text(CL_DEVICE_PROFILE));
  EXPECT_FALSE(text(CL_DEVICE_NAME).empty());
  EXPECT_FALSE(text(CL_DRIVER_VERSION).empty());
  std::vector<cl_version> versions;
  for (const cl_name_version& entry : values<cl_name_version>(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    EXPECT_STREQ("OpenCL C", entry.name);
    versions.push_back(entry.version);
  }
  for (const cl_version wanted : {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                  CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(3, 0, 0)})
    EXPECT_NE(versions.end(), std::find(versions.begin(), versions.end(), wanted));
}

TEST_F(DeviceInfo, ExtensionsAreTheSameInBothForms) {
  std::vector<std::string> names;
  for (const cl_name_version& entry : values<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    names.emplace_back(entry.name);
  EXPECT_EQ(extensions(), names);
  for (const char* required : {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
                               "cl_khr_local_int32_extended_atomics"})
    EXPECT_NE(names.end(), std::find(names.begin(), names.end(), required)) << required;
}

// What a query reports, a program sees as a macro.
TEST_F(DeviceInfo, ReportsWhatTheCompilerDefines) {
  std::string source;
  for (const cl_name_version& feature : values<cl_name_version>(CL_DEVICE_OPENCL_C_FEATURES))
    source += "#ifndef " + std::string(feature.name) + "\n#error " + feature.name + "\n#endif\n";
  const std::vector<std::string> host_only = {"cl_khr_icd",
                                              "cl_khr_extended_versioning",
                                              "cl_khr_device_uuid",
                                              "cl_khr_create_command_queue",
                                              "cl_khr_pci_bus_info",
                                              "cl_nv_device_attribute_query",
                                              "cl_nv_compiler_options",
                                              "cl_khr_suggested_local_work_size",
                                              "cl_ext_image_requirements_info",
                                              "cl_ext_image_from_buffer",
                                              "cl_ext_cxx_for_opencl"};
  for (const std::string& extension : extensions())
    if (std::find(host_only.begin(), host_only.end(), extension) == host_only.end())
      source += "#ifndef " + extension + "\n#error " + extension + "\n#endif\n";
  build(source + "kernel void k() {}");
}

TEST_F(DeviceInfo, DevicesHaveUuidsOfTheirOwn) {
  std::vector<std::vector<cl_uchar>> uuids;
  for (cl_device_id each : test::devices()) {
    std::vector<cl_uchar> uuid(CL_UUID_SIZE_KHR);
    CL_OK(clGetDeviceInfo(each, CL_DEVICE_UUID_KHR, uuid.size(), uuid.data(), nullptr));
    EXPECT_EQ(uuids.end(), std::find(uuids.begin(), uuids.end(), uuid));
    uuids.push_back(uuid);
  }
}

// CLCUDA_MEMORY, which a process reads once.
TEST_F(DeviceInfo, DISABLED_OffersAHundredMegabytes) {
  constexpr cl_ulong kAll = 100 << 20;
  EXPECT_EQ(kAll, value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE));
  EXPECT_EQ(kAll, value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreateBuffer(context, 0, kAll + 1, nullptr, &error));
  CL_EXPECT(CL_INVALID_BUFFER_SIZE, error);
  make_buffer(kAll);
}

TEST(DeviceInfoAlone, OffersNoMoreMemoryThanItIsTold) {
  setenv("CLCUDA_MEMORY", "100", 1);
  test::run_alone("DeviceInfo.DISABLED_OffersAHundredMegabytes");
  unsetenv("CLCUDA_MEMORY");
}

TEST_F(DeviceInfo, RefusesBadQueries) {
  cl_uint number = 0;
  CL_EXPECT(CL_INVALID_VALUE,
            clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof number - 1, &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x7777, sizeof number, &number, nullptr));
  CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, 0, nullptr, nullptr));
}

}  // namespace
