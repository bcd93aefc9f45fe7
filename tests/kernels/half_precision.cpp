// SPDX-License-Identifier: Apache-2.0
// cl_khr_fp16: device queries about half, half as a kernel argument, literals and operators.
#include <CL/cl_ext.h>

#include "support/opencl.h"
#include "values.h"

namespace {

using namespace clcuda::test;
using test::Buffer;
using test::Kernel;
using test::Program;

class HalfPrecision : public test::OpenCL {};

TEST_F(HalfPrecision, DeviceSaysWhatItOffers) {
  cl_device_fp_config config = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_HALF_FP_CONFIG, sizeof config, &config, nullptr));
  const cl_device_fp_config required = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  EXPECT_EQ(config & required, required);
  for (const cl_device_info width :
       {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF}) {
    cl_uint elements = 0;
    CL_OK(clGetDeviceInfo(device, width, sizeof elements, &elements, nullptr));
    EXPECT_GT(elements, 0u);
  }
}

TEST_F(HalfPrecision, IsAnArgumentInEveryWidth) {
  std::string source, parameters, stores;
  std::size_t total = 0;
  for (const int width : kWidths) {
    const std::string n = width == 1 ? "" : std::to_string(width), name = "a" + std::to_string(width);
    parameters += "half" + n + " " + name + ", ";
    stores += "  " +
              (width == 1 ? "out[0] = " + name
                          : "vstore" + n + "(" + name + ", 0, out + " + std::to_string(total) + ")") +
              ";\n";
    total += static_cast<std::size_t>(width);
  }
  source = "#ifndef cl_khr_fp16\n#error no half\n#endif\nkernel void k(" + parameters +
           "global half* out) {\n" + stores + "}\n";
  Program program = build(source);
  Kernel kernel = make_kernel(program, "k");
  const auto values = test::random_values<std::uint16_t>(total);
  std::size_t first = 0;
  cl_uint index = 0;
  for (const int width : kWidths) {
    std::array<std::uint16_t, 16> vector{};
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), width, vector.begin());
    CL_OK(clSetKernelArg(kernel, index++, 2 * static_cast<unsigned>(places_of(width)), vector.data()));
    first += static_cast<std::size_t>(width);
  }
  Buffer out = make_buffer(2 * total);
  set_argument(kernel, index, out);
  const std::size_t one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<std::uint16_t>(out, total), values);
}

// Each result is rounded once: sums and products of halves are exact in float, or lose too little to matter, and so do quotients.
TEST_F(HalfPrecision, OperatorsRoundOnce) {
  Program program = build(R"(
    #pragma OPENCL FP_CONTRACT OFF
    kernel void k(global const half* a, global const half* b, global half* out) {
      size_t i = get_global_id(0), n = get_global_size(0);
      out[i] = a[i] + b[i];
      out[n + i] = a[i] - b[i];
      out[2 * n + i] = a[i] * b[i];
      out[3 * n + i] = a[i] / b[i];
      out[4 * n + i] = -a[i] * 1.5h;
      out[5 * n + i] = a[i] < b[i] ? 0x1p-24h : 65504.0h;
    })");
  Kernel kernel = make_kernel(program, "k");
  const std::size_t count = 4096;
  const auto a = test_values<Half>(count, test::random_engine());
  auto b = a;
  std::shuffle(b.begin(), b.end(), test::random_engine());
  Buffer first = make_buffer(a), second = make_buffer(b), out = make_buffer(2 * 6 * count);
  set_arguments(kernel, first, second, out);
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
  const auto results = contents<Half>(out, 6 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
    const float exact[] = {x + y, x - y, x * y, x / y, -x * 1.5f, x < y ? 0x1p-24f : 65504.0f};
    for (std::size_t k = 0; k < 6; ++k) {
      const auto expected = static_cast<Half>(exact[k]), result = results[k * count + i];
      EXPECT_TRUE(bits_of(expected) == bits_of(result) || (expected != expected && result != result))
          << "operator " << k << " on " << x << " and " << y << ": " << static_cast<float>(result);
    }
  }
}

}  // namespace
