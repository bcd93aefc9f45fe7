// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_ext.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

std::string text_of(cl_platform_id platform, cl_platform_info name) {
  size_t size = 0;
  CL_EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, name, 0, nullptr, &size));
  std::string text(size, '\0');
  CL_EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, name, size, text.data(), nullptr));
  EXPECT_EQ('\0', text.back());
  text.pop_back();
  return text;
}

class Platforms : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  }
  cl_platform_id platform = nullptr;
};

TEST_F(Platforms, TellsOfItself) {
  EXPECT_EQ("FULL_PROFILE", text_of(platform, CL_PLATFORM_PROFILE));
  EXPECT_EQ(0u, text_of(platform, CL_PLATFORM_VERSION).find("OpenCL 3."));
  EXPECT_EQ(0u, text_of(platform, CL_PLATFORM_NAME).find("clcuda"));
  EXPECT_FALSE(text_of(platform, CL_PLATFORM_VENDOR).empty());
  EXPECT_EQ("CLCUDA", text_of(platform, CL_PLATFORM_ICD_SUFFIX_KHR));
  cl_ulong resolution = 0;
  CL_OK(clGetPlatformInfo(platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution, &resolution,
                          nullptr));
  EXPECT_GT(resolution, 0u);
  cl_version version = 0;
  CL_OK(clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, nullptr));
  EXPECT_EQ(3u, CL_VERSION_MAJOR(version));
}

TEST_F(Platforms, ExtensionsAreTheSameInBothForms) {
  size_t size = 0;
  CL_OK(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &size));
  std::vector<cl_name_version> entries(size / sizeof(cl_name_version));
  CL_OK(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, size, entries.data(), nullptr));
  std::string names;
  for (const cl_name_version& entry : entries) names += (names.empty() ? "" : " ") + std::string(entry.name);
  EXPECT_EQ(names, text_of(platform, CL_PLATFORM_EXTENSIONS));
}

// Section 4.1: the platform reports the extensions that all its devices support, except those that depend on an initialized device, because
// a loader queries the platform before devices are initialized.
TEST_F(Platforms, ReportWhatAllDevicesHave) {
  cl_uint count = 0;
  CL_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  std::vector<cl_device_id> all(count);
  CL_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr));
  std::map<std::string, cl_uint> devices_with;
  for (cl_device_id device : all) {
    size_t size = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size));
    std::vector<cl_name_version> entries(size / sizeof(cl_name_version));
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, entries.data(), nullptr));
    for (const cl_name_version& entry : entries) ++devices_with[entry.name];
  }
  std::istringstream words(text_of(platform, CL_PLATFORM_EXTENSIONS));
  const std::set<std::string> platforms{std::istream_iterator<std::string>(words), {}};
  for (const auto& [name, with] : devices_with)
    if (with == count && !name.starts_with("cl_arm_import_memory"))
      EXPECT_TRUE(platforms.contains(name)) << name;
}

// Calls clIcdGetPlatformIDsKHR like a loader; clGetPlatformIDs itself is the loader's.
TEST_F(Platforms, AreListed) {
  void* const library = dlopen(test::library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(nullptr, library) << dlerror();
  const auto lookup =
      reinterpret_cast<void* (*)(const char*)>(dlsym(library, "clGetExtensionFunctionAddress"));
  const auto list = reinterpret_cast<decltype(&clGetPlatformIDs)>(lookup("clIcdGetPlatformIDsKHR"));
  ASSERT_NE(nullptr, list);
  cl_uint count = 0;
  CL_OK(list(0, nullptr, &count));
  std::vector<cl_platform_id> found(count + 1, nullptr);
  CL_OK(list(count + 1, found.data(), nullptr));
  EXPECT_NE(found.end(), std::find(found.begin(), found.end(), platform));
  EXPECT_EQ(nullptr, found.back());
  CL_EXPECT(CL_INVALID_VALUE, list(0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, list(0, found.data(), &count));
  dlclose(library);
}

TEST_F(Platforms, RefusesBadQueries) {
  char text[4];
  CL_EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x1234, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_DEVICE_NAME, 0, nullptr, nullptr));
}

TEST_F(Platforms, UnloadsTheCompiler) { CL_EXPECT(CL_SUCCESS, clUnloadPlatformCompiler(platform)); }

TEST_F(Platforms, FindsExtensionFunctionsByName) {
  EXPECT_NE(nullptr,
            clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandQueueWithPropertiesKHR"));
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunction"));
}

}  // namespace
