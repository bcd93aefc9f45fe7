// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "support/spirv.h"

namespace {

using Values = std::vector<cl_ulong>;

class SpecializationConstant : public test::ModulePrograms {
 protected:
  // The values that the kernel of constants.spvasm writes.
  Values constants(cl_program program) const {
    CL_EXPECT(CL_SUCCESS, build_error(program));
    const test::Kernel kernel = make_kernel(program, "constants");
    const test::Buffer out = make_buffer(Values(10, 77));
    set_arguments(kernel, out);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return contents<cl_ulong>(out, 10);
  }
  cl_uint scaled(cl_program program, cl_uint value) const {
    return run<cl_uint>(program, "scale", {value})[0];
  }

  const Values defaults = {0,          8, 16, 32, 64, 0x3800, 0x3E800000, std::bit_cast<cl_ulong>(0.125),
                           32ull * 32, 1};
};

TEST_F(SpecializationConstant, HasADefault) {
  EXPECT_EQ(defaults, constants(create_with_il(test::module("constants"))));
}

TEST_F(SpecializationConstant, OfEachType) {
  const test::Program program = create_with_il(test::module("constants"));
  CL_EXPECT(CL_SUCCESS, specialize(program, 1, cl_uchar{1}));
  CL_EXPECT(CL_SUCCESS, specialize(program, 8, cl_uchar{0xF1}));
  CL_EXPECT(CL_SUCCESS, specialize(program, 16, cl_ushort{0xF234}));
  CL_EXPECT(CL_SUCCESS, specialize(program, 32, cl_uint{0xF2345678}));
  CL_EXPECT(CL_SUCCESS, specialize(program, 64, cl_ulong{0xFEDCBA9876543210}));
  CL_EXPECT(CL_SUCCESS, specialize(program, 116, cl_half{0x3C01}));
  CL_EXPECT(CL_SUCCESS, specialize(program, 132, -1.5f));
  CL_EXPECT(CL_SUCCESS, specialize(program, 164, 1e300));
  const Values expected = {1,
                           0xF1,
                           0xF234,
                           0xF2345678,
                           0xFEDCBA9876543210,
                           0x3C01,
                           std::bit_cast<cl_uint>(-1.5f),
                           std::bit_cast<cl_ulong>(1e300),
                           cl_uint(0xF2345678) * cl_uint(0xF2345678),
                           0xFEDCBA9876543210};
  EXPECT_EQ(expected, constants(program));
}

TEST_F(SpecializationConstant, OfABooleanIsAnyByte) {
  for (const cl_uchar value : {0, 1, 2, 128, 255}) {
    const test::Program program = create_with_il(test::module("constants"));
    CL_OK(specialize(program, 1, value));
    Values expected = defaults;
    expected[0] = value ? 1 : 0;
    expected[9] = value ? 64 : 1;
    EXPECT_EQ(expected, constants(program)) << int{value};
  }
}

// Constants that are not set keep their defaults; of several values for one constant the last is used.
TEST_F(SpecializationConstant, LastValueCounts) {
  const test::Program program = create_with_il(test::module("constants"));
  for (const cl_uint value : {5u, 9u, 7u}) CL_OK(specialize(program, 32, value));
  Values expected = defaults;
  expected[3] = 7;
  expected[8] = 49;
  EXPECT_EQ(expected, constants(program));
}

// A value takes effect with the next build.
TEST_F(SpecializationConstant, CountsForTheNextBuild) {
  const test::Program program = build_il(test::module("scale"));
  EXPECT_EQ(6u, scaled(program, 2));
  CL_OK(specialize(program, 7, cl_uint{10}));
  EXPECT_EQ(6u, scaled(program, 2));
  CL_OK(build_error(program));
  EXPECT_EQ(20u, scaled(program, 2));
  CL_OK(build_error(program));
  EXPECT_EQ(20u, scaled(program, 2));
}

// A value affects only the program for which it was set.
TEST_F(SpecializationConstant, IsTheProgramsOwn) {
  const test::Program one = create_with_il(test::module("scale")),
                      other = create_with_il(test::module("scale"));
  CL_OK(specialize(one, 7, cl_uint{100}));
  CL_OK(build_error(one));
  CL_OK(build_error(other));
  EXPECT_EQ(200u, scaled(one, 2));
  EXPECT_EQ(6u, scaled(other, 2));
}

TEST_F(SpecializationConstant, CountsForCompiledObjects) {
  const test::Program object = create_with_il(test::module("scale"));
  CL_OK(specialize(object, 7, cl_uint{8}));
  CL_OK(clCompileProgram(object, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  CL_OK(specialize(object, 7, cl_uint{9}));
  EXPECT_EQ(16u, scaled(linked({object}), 2));
}

// A binary keeps the values with which it was built, also when a launch needs another variant, which is compiled from the module again.
TEST_F(SpecializationConstant, StaysInBinaries) {
  const test::Program program = create_with_il(test::module("scale"));
  CL_OK(specialize(program, 7, cl_uint{8}));
  CL_OK(build_error(program));
  const test::Program loaded = create_with_binary(binary(program));
  CL_OK(build_error(loaded));
  EXPECT_EQ(16u, scaled(loaded, 2));
  const std::vector<cl_uint> expected = {2, 16, 16};
  EXPECT_EQ(expected, run<cl_uint>(loaded, "scale", {2, 2, 2}, 1));
  CL_EXPECT(CL_INVALID_PROGRAM, specialize(loaded, 7, cl_uint{9}));
}

TEST_F(SpecializationConstant, RefusesOtherPrograms) {
  const cl_uint value = 1;
  CL_EXPECT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(nullptr, 7, sizeof value, &value));
  CL_EXPECT(CL_INVALID_PROGRAM, specialize(create("kernel void k() {}"), 7, value));
  CL_EXPECT(CL_INVALID_PROGRAM, specialize(build("kernel void k() {}"), 7, value));
  CL_EXPECT(CL_INVALID_PROGRAM, specialize(linked({compile_il(test::module("scale"))}), 7, value));
}

TEST_F(SpecializationConstant, RefusesConstantsThatAreNotThere) {
  const test::Program program = create_with_il(test::module("scale"));
  CL_EXPECT(CL_INVALID_SPEC_ID, specialize(program, 0, cl_uint{1}));
  CL_EXPECT(CL_INVALID_SPEC_ID, specialize(program, 0xFFFFFFFF, cl_uint{1}));
  CL_EXPECT(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(program, 8, 0, nullptr));
  CL_EXPECT(CL_INVALID_SPEC_ID, specialize(create_with_il(test::module("imports")), 7, cl_uint{1}));
}

TEST_F(SpecializationConstant, RefusesOtherSizes) {
  const test::Program program = create_with_il(test::module("constants"));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 1, cl_uint{1}));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 8, cl_ushort{1}));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 16, cl_uint{1}));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 32, cl_ulong{1}));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 64, cl_uint{1}));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 116, 1.0f));
  CL_EXPECT(CL_INVALID_VALUE, specialize(program, 132, 1.0));
  const cl_uint value = 1;
  CL_EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 32, 0, &value));
  CL_EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 32, sizeof value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 32, ~std::size_t{0}, &value));
  // None of the rejected values was stored.
  EXPECT_EQ(defaults, constants(program));
}

}  // namespace
