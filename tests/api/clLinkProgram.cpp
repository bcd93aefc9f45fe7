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
  // A linked program cannot be built again.
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

// Whether the last work-group may be smaller depends on the compile options of the kernel.
TEST_F(LinkProgram, SmallerGroupsForKernelsOfOpenCLC3) {
  const char* source = "kernel void k(global uint* out) { out[get_global_id(0)] = get_local_size(0); }";
  constexpr std::size_t kItems = 20, kGroup = 16;
  for (const char* options :
       {"-cl-std=CL3.0", "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"}) {
    const Made made = link({compiled(source, options)});
    CL_OK(made.error);
    const test::Kernel kernel = make_kernel(made.program, "k");
    const test::Buffer out = make_buffer(std::vector<cl_uint>(kItems));
    set_arguments(kernel, out);
    const bool allowed = options == std::string("-cl-std=CL3.0");
    CL_EXPECT(allowed ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &kGroup, 0, nullptr, nullptr))
        << options;
    if (!allowed) continue;
    std::vector<cl_uint> wanted(kItems, kGroup);
    std::fill(wanted.begin() + kGroup, wanted.end(), kItems - kGroup);
    EXPECT_EQ(wanted, contents<cl_uint>(out, kItems));
  }
}

// Sections 5.8.6.3 and 5.8.7: -cl-denorms-are-zero applies to the units that were compiled or linked with it, and to units of a library
// only if the library was created with -enable-link-options.
TEST_F(LinkProgram, SubnormalNumbersOfEachUnit) {
  const auto unit = [&](const std::string& name, const char* options) {
    return compiled("float " + name + "(float x, float y) { return x * y; }", options);
  };
  const char* flush = "-cl-denorms-are-zero";
  const auto results = [&](const std::vector<cl_program>& units, const char* options, const char* of_kernel) {
    std::vector<cl_program> all = units;
    const test::Program kernels = compiled(
        "float plain(float, float); float flushed(float, float); float library(float, float); float "
        "open(float, "
        "float);\n"
        "kernel void k(global float* p) { p[2] = plain(p[0], p[1]); p[3] = flushed(p[0], p[1]);\n"
        "  p[4] = library(p[0], p[1]); p[5] = open(p[0], p[1]); p[6] = p[0] * p[1]; }",
        of_kernel);
    all.push_back(kernels);
    const Made made = link(all, options);
    CL_EXPECT(CL_SUCCESS, made.error);
    const test::Kernel kernel = make_kernel(made.program, "k");
    const test::Buffer memory = make_buffer(std::vector<float>{0x1p-100F, 0x1p-30F, 1, 1, 1, 1, 1});
    set_arguments(kernel, memory);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    const auto values = contents<float>(memory, 7);
    return std::vector<float>(values.begin() + 2, values.end());
  };
  const test::Program plain = unit("plain", ""), flushed = unit("flushed", flush);
  const Made library = link({unit("library", "")}, "-create-library"),
             open = link({unit("open", "")}, "-create-library -enable-link-options");
  CL_OK(library.error);
  CL_OK(open.error);
  const std::vector<cl_program> units = {plain, flushed, library.program, open.program};
  const float kept = 0x1p-130F;
  EXPECT_EQ((std::vector<float>{kept, 0, kept, kept, kept}), results(units, "", ""));
  EXPECT_EQ((std::vector<float>{kept, 0, kept, kept, 0}), results(units, "", flush));
  EXPECT_EQ((std::vector<float>{0, 0, kept, 0, 0}), results(units, flush, ""));
  EXPECT_EQ((std::vector<float>{0, 0, kept, 0, 0}), results(units, "-cl-fast-relaxed-math", ""));
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
  EXPECT_EQ(CL_INVALID_CONTEXT, error);
  const cl_device_id no_device = nullptr;
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, &no_device, "", 1, inputs, nullptr, nullptr, &error));
  EXPECT_EQ(CL_INVALID_DEVICE, error);
}

}  // namespace
