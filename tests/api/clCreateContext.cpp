// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "support/opencl.h"
#include "support/own_process.h"

namespace {

class CreateContext : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  }
  cl_int create(const cl_context_properties* properties, cl_uint count, const cl_device_id* list) const {
    cl_int error = 1;
    const test::Context made = clCreateContext(properties, count, list, nullptr, nullptr, &error);
    EXPECT_EQ(error == CL_SUCCESS, made.get() != nullptr);
    return error;
  }
  cl_int create_from_type(const cl_context_properties* properties, cl_device_type type) const {
    cl_int error = 1;
    const test::Context made = clCreateContextFromType(properties, type, nullptr, nullptr, &error);
    EXPECT_EQ(error == CL_SUCCESS, made.get() != nullptr);
    return error;
  }
  cl_context_properties named() const { return reinterpret_cast<cl_context_properties>(platform); }
  cl_platform_id platform = nullptr;
};

TEST_F(CreateContext, TakesPlatformAndSync) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, named(), CL_CONTEXT_INTEROP_USER_SYNC,
                                              CL_TRUE, 0};
  cl_int error = 1;
  const test::Context made = clCreateContext(properties, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  cl_context_properties kept[8];
  size_t size = 0;
  CL_OK(clGetContextInfo(made, CL_CONTEXT_PROPERTIES, sizeof kept, kept, &size));
  ASSERT_EQ(sizeof properties, size);
  EXPECT_TRUE(std::equal(std::begin(properties), std::end(properties), kept));
}

TEST_F(CreateContext, HasItsDevicesWithoutRepetition) {
  std::vector<cl_device_id> twice = test::devices();
  twice.insert(twice.end(), test::devices().begin(), test::devices().end());
  const test::Context made =
      clCreateContext(nullptr, static_cast<cl_uint>(twice.size()), twice.data(), nullptr, nullptr, nullptr);
  cl_uint count = 0, references = 0;
  CL_OK(clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr));
  CL_OK(clGetContextInfo(made, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  ASSERT_EQ(test::devices().size(), count);
  EXPECT_EQ(1u, references);
  std::vector<cl_device_id> kept(count);
  CL_OK(clGetContextInfo(made, CL_CONTEXT_DEVICES, count * sizeof(cl_device_id), kept.data(), nullptr));
  EXPECT_EQ(test::devices(), kept);
  size_t size = 1;
  CL_OK(clGetContextInfo(made, CL_CONTEXT_PROPERTIES, 0, nullptr, &size));
  EXPECT_EQ(0u, size);
}

TEST_F(CreateContext, RefusesBadProperties) {
  const cl_context_properties unknown[] = {0x7777, 1, 0};
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, named(), CL_CONTEXT_PLATFORM, named(), 0};
  const cl_context_properties synchronized[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE,
                                                CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
  const cl_context_properties no_boolean[] = {CL_CONTEXT_INTEROP_USER_SYNC, 5, 0};
  const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 0, 0};
  CL_EXPECT(CL_INVALID_PROPERTY, create(unknown, 1, &device));
  CL_EXPECT(CL_INVALID_PROPERTY, create(twice, 1, &device));
  CL_EXPECT(CL_INVALID_PROPERTY, create(synchronized, 1, &device));
  CL_EXPECT(CL_INVALID_PROPERTY, create(no_boolean, 1, &device));
  CL_EXPECT(CL_INVALID_PLATFORM, create(no_platform, 1, &device));
}

TEST_F(CreateContext, RefusesBadDevices) {
  const cl_device_id with_null[] = {device, nullptr};
  CL_EXPECT(CL_INVALID_DEVICE, create(nullptr, 2, with_null));
  CL_EXPECT(CL_INVALID_VALUE, create(nullptr, 1, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, create(nullptr, 0, with_null));
  cl_int error = 1;
  int user = 0;
  EXPECT_EQ(nullptr, clCreateContext(nullptr, 1, &device, nullptr, &user, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
}

TEST_F(CreateContext, FromType) {
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, named(), 0};
  CL_EXPECT(CL_SUCCESS, create_from_type(properties, type));
  CL_EXPECT(CL_SUCCESS, create_from_type(properties, CL_DEVICE_TYPE_ALL));
  CL_EXPECT(CL_SUCCESS, create_from_type(properties, CL_DEVICE_TYPE_DEFAULT));
  CL_EXPECT(CL_DEVICE_NOT_FOUND, create_from_type(properties, CL_DEVICE_TYPE_ACCELERATOR));
  CL_EXPECT(CL_INVALID_DEVICE_TYPE, create_from_type(properties, 1 << 20));
  const cl_context_properties unknown[] = {CL_CONTEXT_PLATFORM, named(), 0x7777, 1, 0};
  CL_EXPECT(CL_INVALID_PROPERTY, create_from_type(unknown, type));
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, named(), CL_CONTEXT_PLATFORM, named(), 0};
  CL_EXPECT(CL_INVALID_PROPERTY, create_from_type(twice, type));
  // The ICD loader calls the implementation through the platform's dispatch table, so a foreign platform needs a valid one.
  void* words[16] = {};
  std::copy_n(reinterpret_cast<void**>(platform), 2, words);
  const cl_context_properties foreign[] = {CL_CONTEXT_PLATFORM,
                                           reinterpret_cast<cl_context_properties>(words), 0};
  CL_EXPECT(CL_INVALID_PLATFORM, create_from_type(foreign, type));
  cl_int error = 1;
  int user = 0;
  EXPECT_EQ(nullptr, clCreateContextFromType(properties, type, nullptr, &user, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
}

// A context cannot have devices of two platforms. GPUs and CPU devices belong to different platforms. (Without a GPU there is one platform
// only.)
TEST_F(CreateContext, DISABLED_MixesNoPlatforms) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  CL_OK(clGetPlatformIDs(count, platforms.data(), nullptr));
  for (cl_platform_id other : platforms) {
    cl_device_id mixed[] = {device, nullptr};
    if (other == platform || clGetDeviceIDs(other, CL_DEVICE_TYPE_ALL, 1, &mixed[1], nullptr)) continue;
    CL_EXPECT(CL_INVALID_DEVICE, create(nullptr, 2, mixed));
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, named(), 0};
    CL_EXPECT(CL_INVALID_PLATFORM, create(properties, 1, &mixed[1]));
  }
}

TEST(CreateContextAlone, MixesNoPlatforms) {
  setenv("CLCUDA_DEVICES", "gpu,cpu", 1);
  test::run_alone("CreateContext.DISABLED_MixesNoPlatforms");
  unsetenv("CLCUDA_DEVICES");
}

TEST_F(CreateContext, CountsReferences) {
  test::Context made = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  CL_EXPECT(CL_SUCCESS, clRetainContext(made));
  cl_uint references = 0;
  CL_OK(clGetContextInfo(made, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  EXPECT_EQ(2u, references);
  CL_EXPECT(CL_SUCCESS, clReleaseContext(made));
  cl_uint number = 0;
  CL_EXPECT(CL_INVALID_VALUE, clGetContextInfo(made, 0x7777, sizeof number, &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, 1, &number, nullptr));
}

std::vector<int> called;
template <int Number>
void CL_CALLBACK note(cl_context, void*) {
  called.push_back(Number);
}

TEST_F(CreateContext, CallsDestructorCallbacksInReverse) {
  called.clear();
  test::Context made = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  CL_EXPECT(CL_SUCCESS, clSetContextDestructorCallback(made, note<1>, nullptr));
  CL_EXPECT(CL_SUCCESS, clSetContextDestructorCallback(made, note<2>, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetContextDestructorCallback(made, nullptr, nullptr));
  const char* source = "";
  // The program keeps its context alive.
  test::Program program = clCreateProgramWithSource(made, 1, &source, nullptr, nullptr);
  made.reset();
  EXPECT_TRUE(called.empty());
  program.reset();
  EXPECT_EQ((std::vector<int>{2, 1}), called);
}

// Section 4.4: the context is no longer valid in its destructor callback, and functions that get it fail.
void CL_CALLBACK use_after_end(cl_context context, void* codes) {
  auto& all = *static_cast<std::vector<cl_int>*>(codes);
  clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &all.emplace_back());
  clCreateUserEvent(context, &all.emplace_back());
  all.push_back(clRetainContext(context));
  all.push_back(clReleaseContext(context));
}

TEST_F(CreateContext, IsNoLongerValidInDestructorCallbacks) {
  std::vector<cl_int> codes;
  test::Context made = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  CL_OK(clSetContextDestructorCallback(made, use_after_end, &codes));
  made.reset();
  EXPECT_EQ(std::vector<cl_int>(4, CL_INVALID_CONTEXT), codes);
}

}  // namespace
