// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

// A program on the first device, run from vectors to vectors: for tests of what kernels compute.
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
  // Of the work-group with these coordinates: smaller at the far end of a range that does not divide.
  std::array<std::size_t, 3> group_size(const std::array<std::size_t, 3>& group) const;
  std::size_t total() const { return global[0] * global[1] * global[2]; }
  std::string text() const;
};

// One argument: bytes that go to the device and come back.
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

  // Buffers for the arguments, one launch, everything read back. Fails the test on any error.
  void run(const char* kernel, const Range& range, std::initializer_list<Argument> arguments);

 private:
  cl_program program_ = nullptr;
};

}  // namespace clcuda::test
