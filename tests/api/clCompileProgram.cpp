// SPDX-License-Identifier: Apache-2.0
#include "support/programs.h"

namespace {

class CompileProgram : public test::Programs {};

TEST_F(CompileProgram, UsesEmbeddedHeaders) {
  const test::Program header = create("#define VALUE 7\nint helper(int a);\n");
  const test::Program program =
      create("#include <dir/values.h>\nkernel void k(global int* a) { a[0] = helper(VALUE); }");
  const cl_program headers[] = {header};
  const char* names[] = {"dir/values.h"};
  CL_OK(clCompileProgram(program, 1, &device, "", 1, headers, names, nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT), binary_type(program));
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateKernel(program, "k", &error));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

// Section 5.8.5: any name, and the first of two headers of one name.
TEST_F(CompileProgram, HeadersMayHaveAnyName) {
  const test::Program two = create("#define VALUE 2\n"), three = create("#define VALUE 3\n");
  for (const char* name : {".here", "x", "a b", "../up.h", "/absolute/path.h"}) {
    const test::Program program =
        create("#include \"" + std::string(name) + "\"\n#if VALUE != 2\n#error not the first\n#endif\n");
    const cl_program headers[] = {two, three};
    const char* names[] = {name, name};
    CL_EXPECT(CL_SUCCESS, clCompileProgram(program, 1, &device, "", 2, headers, names, nullptr, nullptr))
        << name;
  }
  // They lie in a file system.
  const test::Program program = create("#include \"d/a.h\"\n");
  const cl_program headers[] = {two, three};
  const char* names[] = {"d", "d/a.h"};
  CL_EXPECT(CL_COMPILE_PROGRAM_FAILURE,
            clCompileProgram(program, 1, &device, "", 2, headers, names, nullptr, nullptr));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("both a header and a folder"));
}

TEST_F(CompileProgram, TellsWhatIsWrong) {
  const test::Program program = create("#include <missing.h>\n");
  CL_EXPECT(CL_COMPILE_PROGRAM_FAILURE,
            clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("missing.h"));
}

TEST_F(CompileProgram, RefusesBadArguments) {
  const test::Program program = create("kernel void k() {}");
  const test::Program header = create("");
  const cl_program headers[] = {header}, no_headers[] = {nullptr};
  const char* names[] = {"a.h"};
  const char* no_names[] = {nullptr};
  int user = 0;
  const auto refused = [&](cl_int code, const char* options, cl_uint count, const cl_program* list,
                           const char** include) {
    CL_EXPECT(code, clCompileProgram(program, 1, &device, options, count, list, include, nullptr, nullptr));
  };
  refused(CL_INVALID_COMPILER_OPTIONS, "-no-such-option", 0, nullptr, nullptr);
  refused(CL_INVALID_VALUE, "", 1, nullptr, names);
  refused(CL_INVALID_VALUE, "", 1, headers, nullptr);
  refused(CL_INVALID_VALUE, "", 0, headers, names);
  refused(CL_INVALID_VALUE, "", 1, headers, no_names);
  refused(CL_INVALID_PROGRAM, "", 1, no_headers, names);
  const test::Context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const char* text = "";
  const test::Program foreign = clCreateProgramWithSource(other, 1, &text, nullptr, nullptr);
  refused(CL_INVALID_CONTEXT, "", 1, foreign.list(), names);
  // A header must be a program with source, not with a binary.
  const std::vector<unsigned char> bytes = binary(compiled("int f();"));
  const unsigned char* place = bytes.data();
  const size_t size = bytes.size();
  cl_int error = 1;
  const test::Program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &place, nullptr, &error);
  CL_OK(error);
  refused(CL_INVALID_PROGRAM, "", 1, loaded.list(), names);
  CL_EXPECT(CL_INVALID_VALUE,
            clCompileProgram(program, 0, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE,
            clCompileProgram(program, 1, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, &user));
  const cl_device_id no_device = nullptr;
  CL_EXPECT(CL_INVALID_DEVICE,
            clCompileProgram(program, 1, &no_device, "", 0, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace
