// SPDX-License-Identifier: Apache-2.0
// SPV_INTEL_function_pointers: calls through pointers to functions.
#include <array>

#include "support/own_process.h"
#include "support/spirv.h"

namespace {

using Values = std::vector<cl_uint>;

class FunctionPointers : public test::ModulePrograms {
 protected:
  // Runs a kernel over the values from `offset` on, and expects what the model makes of each value and index.
  template <class Model>
  void expect(const char* kernel, Model model, std::size_t offset = 0) const {
    for (const char* options : {"", "-cl-opt-disable"}) {
      const test::Program program = build_il(test::module("function_pointers"), options);
      Values values = test::random_values<cl_uint>(500);
      const Values results = run(program, kernel, values, offset);
      for (std::size_t i = offset; i < values.size(); ++i)
        values[i] = model(values[i], static_cast<cl_uint>(i));
      EXPECT_EQ(values, results) << options;
    }
  }

  static cl_uint by_table(cl_uint function, cl_uint x, cl_uint id) {
    return std::array{x + 100, 3 * x, x + id * 1000}[function % 3];
  }
};

// With an offset, ids come from the launch.
TEST_F(FunctionPointers, Tables) {
  const auto model = [](cl_uint x, cl_uint id) {
    const cl_uint second = (x + 1) % 3;
    return by_table(x % 3, x, id) + by_table(second, by_table(second, x, id), id);
  };
  expect("from_table", model);
  expect("from_table", model, 37);
}

TEST_F(FunctionPointers, SelectedComparedAndCarried) {
  expect("selected", [](cl_uint value, cl_uint id) {
    cl_uint function = value & 1 ? 0 : 1, x = value;
    for (cl_uint n = x % 7; n != 0; --n) {
      x = by_table(function, x, id);
      if (function == 0)
        function = n % 3;
      else if (function != 2)
        function = 0;
    }
    return x;
  });
}

TEST_F(FunctionPointers, StructuresByValue) {
  expect("structures", [](cl_uint value, cl_uint) {
    const bool negates = value & 1, wanted = value & 2;
    const cl_uint number = negates ? (wanted ? 0 - value : value + 3) : value * (wanted ? 2 : 4);
    const cl_uint more = negates ? 2 - value % 50 : 2;
    return number + 2 + more * 10;
  });
}

TEST_F(FunctionPointers, Recursion) {
  expect("recursive", [](cl_uint value, cl_uint) {
    const cl_uint n = value % 10;
    return n * (n + 1) / 2;
  });
}

// Both kernels are of one program. What the launch of the second knows of ids, the functions get to know.
TEST_F(FunctionPointers, FromKernelToKernel) {
  const test::Program program = build_il(test::module("function_pointers"));
  const auto chosen = test::random_values<cl_ulong>(300);
  const test::Buffer pointers = make_buffer(chosen);
  const std::size_t items = chosen.size(), offset = 100, rest = items - offset;
  const test::Kernel store = make_kernel(program, "store"), call = make_kernel(program, "call");
  Values values = test::random_values<cl_uint>(items);
  const test::Buffer buffer = make_buffer(values);
  set_arguments(store, pointers);
  set_arguments(call, pointers, buffer);
  CL_OK(clEnqueueNDRangeKernel(queue, store, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  CL_OK(clEnqueueNDRangeKernel(queue, call, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  CL_OK(clEnqueueNDRangeKernel(queue, call, 1, &offset, &rest, nullptr, 0, nullptr, nullptr));
  for (cl_uint i = 0; i < items; ++i)
    for (std::size_t n = i < offset ? 1 : 2; n != 0; --n)
      values[i] = by_table(static_cast<cl_uint>(chosen[i] % 3), values[i], i);
  EXPECT_EQ(values, contents<cl_uint>(buffer, items));
}

// Only the function that the pointer leads to prints.
TEST_F(FunctionPointers, Printf) {
  const test::Program program = build_il(test::module("function_pointers"));
  testing::internal::CaptureStdout();
  (void)run(program, "prints", Values{7, 8, 9});
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(output == "7 at 0\n9 at 2\n" || output == "9 at 2\n7 at 0\n") << output;
}

// An address that is no function's ends the launch with an error. GPUs don't check addresses: there the kernel may never end.
class FunctionPointersFault : public test::ModulePrograms {
 protected:
  // The queue is not finished again, because that fails on a lost device.
  void TearDown() override {}
};
TEST_ALONE(FunctionPointersFault, CallOfWhatIsNoFunction) {
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  if (type & CL_DEVICE_TYPE_GPU) GTEST_SKIP() << "a GPU does not check where it jumps";
  const test::Program program = build_il(test::module("function_pointers"));
  const test::Kernel call = make_kernel(program, "call");
  const test::Buffer pointers = make_buffer(std::vector<cl_ulong>{reinterpret_cast<cl_ulong>(&clFinish)}),
                     buffer = make_buffer(Values{1});
  set_arguments(call, pointers, buffer);
  const std::size_t items = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, call, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  EXPECT_LT(clFinish(queue), 0);
}

TEST_F(FunctionPointers, RefusedByName) {
  const test::Program program = create_with_il(test::module("function_pointers_refused"));
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, build_error(program));
  const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
  for (const std::string function : {"waits", "calls_waits"})
    EXPECT_NE(std::string::npos, log.find("'" + function + "' cannot be called through a pointer")) << log;
  EXPECT_EQ(std::string::npos, log.find("'uses_argument'")) << log;
}

// The constant names its type instead of a function.
TEST_F(FunctionPointers, UnknownFunction) {
  std::string module = test::module("function_pointers");
  std::vector<cl_uint> words(module.size() / sizeof(cl_uint));
  std::memcpy(words.data(), module.data(), module.size());
  constexpr cl_uint kFunctionPointer = 4u << 16 | 5600;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    if (words[at] == kFunctionPointer) words[at + 3] = words[at + 1];
  std::memcpy(module.data(), words.data(), module.size());
  const test::Program program = create_with_il(module);
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, build_error(program));
  const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
  EXPECT_NE(std::string::npos, log.find("OpConstantFunctionPointerINTEL: it points to what is no function"))
      << log;
}

}  // namespace
