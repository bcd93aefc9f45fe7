// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

// A program on the first device that runs on vectors: for tests of results of kernels.
namespace clcuda::test {

bool device_has_extension(const std::string& name);
bool device_has_feature(const std::string& name);  // __opencl_c_…
bool device_has_non_uniform_work_groups();
bool device_is_gpu();

struct Range {
  cl_uint dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1};

  std::size_t group_count(cl_uint dimension) const {
    return (global[dimension] + local[dimension] - 1) / local[dimension];
  }
  // The size of the work-group with these coordinates, which may be smaller at the end of the range.
  std::array<std::size_t, 3> group_size(const std::array<std::size_t, 3>& group) const;
  std::size_t total() const { return global[0] * global[1] * global[2]; }
  std::string text() const;
};

// An argument: bytes that are copied to the device and back.
struct Argument {
  template <class T>
  Argument(std::vector<T>& values)
      : data(values.data()), size(values.size() * sizeof(T)) {}  // NOLINT: reads as the vector
  void* data;
  std::size_t size;
};

class DeviceProgram {
 public:
  explicit DeviceProgram(const std::string& source, const std::string& options = "-cl-std=CL3.0");
  ~DeviceProgram();
  DeviceProgram(const DeviceProgram&) = delete;
  DeviceProgram& operator=(const DeviceProgram&) = delete;

  // Creates buffers for the arguments, launches the kernel once and reads everything back. Any error fails the test.
  void run(const char* kernel, const Range& range, std::initializer_list<Argument> arguments);

 private:
  cl_program program_ = nullptr;
};

}  // namespace clcuda::test
