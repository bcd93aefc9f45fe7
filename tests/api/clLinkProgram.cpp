// SPDX-License-Identifier: Apache-2.0
#include "support/programs.h"

namespace {

class LinkProgram : public test::Programs {
 protected:
  struct Made {
    test::Program program;
    cl_int error = 1;
  };
  Made link(const std::vector<cl_program>& inputs, const char* options = "") const {
    Made made;
    made.program = clLinkProgram(context, 1, &device, options, static_cast<cl_uint>(inputs.size()),
                                 inputs.data(), nullptr, nullptr, &made.error);
    return made;
  }
};

TEST_F(LinkProgram, JoinsObjects) {
  const test::Program a = compiled("int twice(int a); kernel void k(global int* a) { a[0] = twice(a[0]); }");
  const test::Program b = compiled("int twice(int a) { return 2 * a; }");
  const Made made = link({a, b});
  CL_OK(made.error);
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), binary_type(made.program));
  EXPECT_NE(nullptr, make_kernel(made.program, "k").get());
  // What a link made is not built again.
  CL_EXPECT(CL_INVALID_OPERATION, clBuildProgram(made.program, 1, &device, "", nullptr, nullptr));
}

TEST_F(LinkProgram, MakesLibraries) {
  const Made library = link({compiled("int twice(int a) { return 2 * a; }")}, "-create-library");
  CL_OK(library.error);
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_LIBRARY), binary_type(library.program));
  const Made made = link(
      {compiled("int twice(int a); kernel void k(global int* a) { a[0] = twice(a[0]); }"), library.program});
  CL_EXPECT(CL_SUCCESS, made.error);
  EXPECT_NE(nullptr, make_kernel(made.program, "k").get());
}

TEST_F(LinkProgram, AFailedLinkGivesTheProgramAndItsLog) {
  const Made made =
      link({compiled("int missing(int a); kernel void k(global int* a) { a[0] = missing(a[0]); }")});
  CL_EXPECT(CL_LINK_PROGRAM_FAILURE, made.error);
  ASSERT_NE(nullptr, made.program.get());
  EXPECT_EQ(CL_BUILD_ERROR, status(made.program));
  EXPECT_NE(std::string::npos, info(made.program, CL_PROGRAM_BUILD_LOG).find("missing"));
}

TEST_F(LinkProgram, RefusesBadArguments) {
  const test::Program object = compiled("kernel void k() {}");
  const cl_program inputs[] = {object};
  int user = 0;
  cl_int error = 1;
  const auto refused = [&](cl_int code, const Made& made) {
    EXPECT_EQ(test::error_name(code), test::error_name(made.error));
    EXPECT_EQ(nullptr, made.program.get());
  };
  refused(CL_INVALID_LINKER_OPTIONS, link({object}, "-no-such-option"));
  refused(CL_INVALID_OPERATION, link({create("kernel void k() {}")}));
  refused(CL_INVALID_OPERATION, link({object, create("int a;")}));
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, &device, "", 0, inputs, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, &device, "", 1, nullptr, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, nullptr, "", 1, inputs, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, &device, "", 1, inputs, nullptr, &user, &error));
  EXPECT_EQ(CL_INVALID_VALUE, error);
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(nullptr, clLinkProgram(other, 1, &device, "", 1, inputs, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_PROGRAM, error);
  const cl_device_id no_device = nullptr;
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, &no_device, "", 1, inputs, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_DEVICE, error);
}

}  // namespace
