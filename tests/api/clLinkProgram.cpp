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

// Each pair is one name with two types: values would be taken for others, and data be executed.
TEST_F(LinkProgram, OneNameIsOneThing) {
  const std::string kernel = "kernel void k(global int* a) { a[0] = use(a[1]); } ";
  const std::pair<const char*, const char*> pairs[] = {
      {"float f(int a);", "int f(int a) { return a; }"},
      {"int f(int a);", "int f(float a) { return a; }"},
      {"int f(int a);", "int f(int a, int b) { return a + b; }"},
      {"int f(int a);", "constant int f = 3;"},
      {"extern constant int v;", "constant float v = 3;"},
      {"extern constant int v;", "constant long v = 3;"},
      {"extern constant int v;", "constant int v[3] = {1, 2, 3};"},
      {"typedef struct { int x, y; } S; extern constant S s;",
       "typedef struct { int x; } S; constant S s = {1};"},
      {"extern constant int v;", "global int v;"}};
  for (const auto& [declared, defined] : pairs) {
    const std::string text = declared;
    const std::string use = text.find("f(") != text.npos   ? "f(a)"
                            : text.find("S;") != text.npos ? "s.x"
                                                           : "v + a";
    const test::Program user = compiled(text + " int use(int a) { return " + use + "; } " + kernel,
                                        "-cl-std=CL3.0"),
                        definer = compiled(defined, "-cl-std=CL3.0");
    for (const std::vector<cl_program>& inputs : {std::vector<cl_program>{user, definer}, {definer, user}}) {
      const Made made = link(inputs);
      CL_EXPECT(CL_LINK_PROGRAM_FAILURE, made.error) << declared << " " << defined;
      EXPECT_NE(std::string::npos, info(made.program, CL_PROGRAM_BUILD_LOG).find("different types"))
          << declared;
    }
  }
}

// What may be declared with less than the definition tells, and what LLVM has other types for.
TEST_F(LinkProgram, DeclarationsMayTellLess) {
  const std::pair<const char*, const char*> pairs[] = {
      {"extern constant int v[];", "constant int v[] = {4, 5, 6};"},
      {"typedef union { float f; int v; } U; extern constant U u;",
       "typedef union { float f; int v; } U; constant U u = {.v = 5};"},
      {"typedef struct { char c; int v; } S; extern constant S s;",
       "typedef struct { char c; int v; } T; constant T s = {1, 5};"},
      {"typedef struct { int v; } P; int f(P p);",
       "typedef struct { int w; } Q; int f(Q q) { return q.w + 1; }"},
      {"int f(global int* p);", "int f(global int* restrict p) { return *p; }"}};
  const char* uses[] = {"v[1]", "u.v", "s.v", "f((P){4})", "f(a)"};
  for (std::size_t i = 0; i < std::size(pairs); ++i) {
    const Made made = link(
        {compiled(pairs[i].first + std::string(" kernel void k(global int* a) { a[0] = ") + uses[i] + "; }",
                  "-cl-std=CL3.0"),
         compiled(pairs[i].second, "-cl-std=CL3.0")});
    CL_EXPECT(CL_SUCCESS, made.error) << pairs[i].second;
    if (made.error != CL_SUCCESS) continue;
    const test::Kernel kernel = make_kernel(made.program, "k");
    const test::Buffer out = make_buffer(std::vector<cl_int>{5});
    set_arguments(kernel, out);
    const std::size_t one = 1;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<cl_int>(out, 1)[0], 5) << pairs[i].second;
  }
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
