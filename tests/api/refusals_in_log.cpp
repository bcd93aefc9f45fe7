// SPDX-License-Identifier: Apache-2.0
// Log messages about failed calls: the function, the object, the name of the error code, and of an unknown query, property or flag.
#include <CL/cl_ext.h>

#include <cstdio>

#include "support/log.h"

namespace {

class RefusalsInLog : public test::Log {
 protected:
  // The line, without its end, that a call leaves in the log.
  template <class Call>
  static std::string line_of(Call call) {
    const std::string log = log_of(call);
    const std::string prefix = "clcuda info: ";
    EXPECT_TRUE(log.starts_with(prefix)) << log;
    return log.substr(std::min(prefix.size(), log.size()), log.find('\n') - prefix.size());
  }
  static std::string text(const void* handle) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "%p", handle);
    return text;
  }
};

TEST_F(RefusalsInLog, NameTheQuery) {
  EXPECT_EQ(line_of([&] { clGetDeviceInfo(device, CL_CONTEXT_DEVICES, 0, nullptr, nullptr); }),
            "clGetDeviceInfo of device " + text(device) +
                " refused with -30 (CL_INVALID_VALUE): unknown query CL_CONTEXT_DEVICES (0x1081)");
  EXPECT_EQ(line_of([&] { clGetContextInfo(context, 0x0777, 0, nullptr, nullptr); }),
            "clGetContextInfo of context " + text(context) +
                " refused with -30 (CL_INVALID_VALUE): unknown query 0x0777");
}

TEST_F(RefusalsInLog, NameTheQueryThatHasNoRoom) {
  char byte = 0;
  EXPECT_EQ(
      line_of([&] { clGetDeviceInfo(device, CL_DEVICE_TYPE, 1, &byte, nullptr); }),
      "clGetDeviceInfo of device " + text(device) +
          " refused with -30 (CL_INVALID_VALUE): param_value_size is too small for CL_DEVICE_TYPE (0x1000): "
          "1 of 8 bytes");
}

TEST_F(RefusalsInLog, NameTheFlag) {
  EXPECT_EQ(
      line_of(
          [&] { clCreateBuffer(context, cl_mem_flags{1} << 40 | CL_MEM_READ_ONLY, 4, nullptr, nullptr); }),
      "clCreateBuffer of context " + text(context) +
          " refused with -30 (CL_INVALID_VALUE): an unknown memory flag in 0x10000000004: 0x10000000000");
}

TEST_F(RefusalsInLog, NameTheProperty) {
  const cl_context_properties list[] = {CL_DEVICE_TYPE, 1, 0};
  EXPECT_EQ(line_of([&] { clCreateContext(list, 1, &device, nullptr, nullptr, nullptr); }),
            "clCreateContext refused with -64 (CL_INVALID_PROPERTY): an unknown context property: "
            "CL_DEVICE_TYPE (0x1000)");
  const cl_queue_properties others[] = {CL_CONTEXT_DEVICES, 1, 0};
  EXPECT_EQ(line_of([&] { clCreateCommandQueueWithProperties(context, device, others, nullptr); }),
            "clCreateCommandQueueWithProperties of context " + text(context) +
                " refused with -30 (CL_INVALID_VALUE): an unknown or repeated queue property: "
                "CL_CONTEXT_DEVICES (0x1081)");
}

// Entry points that share their implementation are logged with their own names.
TEST_F(RefusalsInLog, NameTheFunctionThatEnqueues) {
  const test::Buffer buffer = clCreateBuffer(context, 0, 4, nullptr, nullptr);
  char byte = 0;
  EXPECT_EQ(line_of([&] {
              clEnqueueReadBuffer(queue, buffer, CL_TRUE, 3, 4, &byte, 0, nullptr, nullptr);
            }).substr(0, 60 + text(queue).size()),
            ("clEnqueueReadBuffer of queue " + text(queue) + " refused with -30 (CL_INVALID_VALUE): ")
                .substr(0, 60 + text(queue).size()));
}

// Successful calls are not logged.
TEST_F(RefusalsInLog, AreAllThatIsSaid) {
  testing::internal::CaptureStderr();
  cl_uint units = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
