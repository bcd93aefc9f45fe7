// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "opencl.h"

// Results of device queries.
//
//   if (!test::device_info<cl_bool>(device, CL_DEVICE_PIPE_SUPPORT)) GTEST_SKIP() << "no pipes";
//   if (test::offers(device, "cl_khr_fp16")) …
namespace test {

template <class T>
T device_info(cl_device_id device, cl_device_info name) {
  T value{};
  CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, sizeof value, &value, nullptr));
  return value;
}

template <class T>
std::vector<T> device_list(cl_device_id device, cl_device_info name) {
  std::size_t size = 0;
  CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, 0, nullptr, &size));
  std::vector<T> values(size / sizeof(T));
  CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, name, size, values.data(), nullptr));
  return values;
}

std::string device_text(cl_device_id device, cl_device_info name);
bool offers(cl_device_id device, const std::string& extension);

}  // namespace test
