// SPDX-License-Identifier: Apache-2.0
// A program in SPIR-V: created, specialized, built and run, and its module queried.
#include <vector>

#include "scenarios.h"
#include "support/spirv.h"

namespace faults {

void intermediate_language(World& world) {
  const std::string module = test::module("scale");
  const test::Program program = world.make("clCreateProgramWithIL", clCreateProgramWithIL, world.context(),
                                           module.data(), module.size());
  const cl_uint factor = 5;
  world.call("clSetProgramSpecializationConstant",
             clSetProgramSpecializationConstant(program, 7, sizeof factor, &factor));
  world.call("clBuildProgram", clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  std::string same(module.size(), '\0');
  world.call("clGetProgramInfo", clGetProgramInfo(program, CL_PROGRAM_IL, same.size(), same.data(), nullptr));
  world.expect("the module", module, same);
  const test::Kernel scale = world.kernel(program, "scale");
  const test::Queue queue = world.queue();
  constexpr std::size_t kCount = 300;
  std::vector<cl_uint> values(kCount, 3);
  const test::Buffer buffer = world.buffer(kCount * sizeof(cl_uint), 0, values.data());
  world.argument(scale, 0, buffer.get());
  world.call("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queue, scale, 1, nullptr, &kCount, nullptr, 0, nullptr, nullptr));
  world.call("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kCount * sizeof(cl_uint),
                                                        values.data(), 0, nullptr, nullptr));
  world.expect("what the kernel has scaled", std::vector<cl_uint>(kCount, 15), values);
}

}  // namespace faults
