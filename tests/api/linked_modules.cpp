// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules as compiled objects, libraries and binaries, alone and together with OpenCL C.
#include <algorithm>

#include "support/spirv.h"

namespace {

using Values = std::vector<cl_uint>;

class LinkedModules : public test::ModulePrograms {
 protected:
  // Objects that need each other: a kernel in SPIR-V with a function in OpenCL C, and vice versa.
  test::Program kernel_of_module() const { return compile_il(test::module("imports")); }
  test::Program function_of_source() const { return compiled("uint from_source(uint x) { return x + 40; }"); }
  test::Program kernel_of_source() const {
    return compiled(
        "uint from_module(uint);\n"
        "kernel void use(global uint* a) { size_t i = get_global_id(0); a[i] = from_module(a[i]); }\n");
  }
  test::Program function_of_module() const { return compile_il(test::module("exports")); }
  test::Program reloaded(cl_program program) const { return create_with_binary(binary(program)); }
};

TEST_F(LinkedModules, CallFunctionsOfSources) {
  const test::Program kernel = kernel_of_module(), function = function_of_source();
  EXPECT_EQ(Values{42}, run<cl_uint>(linked({kernel, function}), "use", {2}));
  EXPECT_EQ(Values{42}, run<cl_uint>(linked({function, kernel}), "use", {2}));
}

TEST_F(LinkedModules, AreCalledBySources) {
  const test::Program program = linked({kernel_of_source(), function_of_module()});
  EXPECT_EQ((Values{10, 15}), run<cl_uint>(program, "use", {2, 3}));
  EXPECT_EQ((Values{2, 15}), run<cl_uint>(program, "use", {2, 3}, 1));
}

TEST_F(LinkedModules, WithValuesOfTheirOwn) {
  const test::Program function = create_with_il(test::module("exports"));
  CL_OK(specialize(function, 0, cl_uint{1000}));
  CL_OK(clCompileProgram(function, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(Values{2000}, run<cl_uint>(linked({kernel_of_source(), function}), "use", {2}));
}

TEST_F(LinkedModules, AreLibraries) {
  const test::Program library = linked({function_of_module()}, "-create-library");
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_LIBRARY), binary_type(library));
  EXPECT_EQ(Values{10}, run<cl_uint>(linked({kernel_of_source(), library}), "use", {2}));
  const test::Program mixed = linked({function_of_module(), function_of_source()}, "-create-library");
  EXPECT_EQ(Values{42}, run<cl_uint>(linked({kernel_of_module(), mixed}), "use", {2}));
}

// SPIR-V's entry points and what modules export have names of their own: a module imports the function, not the kernel.
TEST_F(LinkedModules, CallKernelsOfOtherModules) {
  const test::Program kernel = compile_il(test::module("exported_kernel")),
                      caller = compile_il(test::module("kernel_calls")),
                      source = compiled("void add_five(global uint* a) { *a += 5; }");
  for (const auto& programs : {std::vector<cl_program>{kernel, caller, source},
                               {caller, kernel, source},
                               {source, caller, kernel}}) {
    const test::Program program = linked(programs);
    EXPECT_EQ(Values{8}, run<cl_uint>(program, "add_seven", {1}));
    EXPECT_EQ(Values{15}, run<cl_uint>(program, "twice", {1}));
    EXPECT_EQ(Values{6}, run<cl_uint>(program, "add_five", {1}));
  }
}

TEST_F(LinkedModules, ShareLocalMemory) {
  const test::Program owner = compile_il(test::module("local_export")),
                      user = compile_il(test::module("local_import"));
  EXPECT_EQ(Values{43}, run<cl_uint>(linked({owner, user}), "use", {42}));
  EXPECT_EQ(Values{43}, run<cl_uint>(linked({user, owner}), "use", {42}));
}

TEST_F(LinkedModules, NeedWhatTheyImport) {
  const test::Program kernel = kernel_of_module();
  const cl_program input = kernel;
  cl_int error = 1;
  const test::Program program = clLinkProgram(context, 1, &device, "", 1, &input, nullptr, nullptr, &error);
  CL_EXPECT(CL_LINK_PROGRAM_FAILURE, error);
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("from_source"));
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, build_error(create_with_il(test::module("imports"))));
}

// A function of the program's own is its own, whatever its name: those that import it get it, and the others the library's.
TEST_F(LinkedModules, NamesThatTheLibraryHas) {
  const test::Program import = compile_il(test::module("imports_clz")),
                      own = compile_il(test::module("exports_clz")),
                      source = compiled("kernel void by_source(global uint* a) { *a = clz(*a); }");
  EXPECT_EQ(Values{29}, run<cl_uint>(linked({import}), "use", {4}));
  for (const auto& programs : {std::vector<cl_program>{import, own, source}, {source, own, import}}) {
    const test::Program program = linked(programs);
    EXPECT_EQ(Values{20}, run<cl_uint>(program, "use", {4}));
    EXPECT_EQ(Values{29}, run<cl_uint>(program, "by_source", {4}));
  }
}

// The same among sources, where the version of the language does not have the function.
TEST_F(LinkedModules, DeclaredFunctionsWithNamesThatTheLibraryHas) {
  const char* declaration = "__attribute__((overloadable)) int ctz(int x);\n";
  const test::Program caller = compiled(
      declaration + std::string("kernel void use(global uint* a) { *a = ctz((int)*a); }"), "-cl-std=CL1.2");
  const test::Program own =
      compiled(declaration + std::string("__attribute__((overloadable)) int ctz(int x) { return x + 100; }"),
               "-cl-std=CL1.2");
  EXPECT_EQ(Values{108}, run<cl_uint>(linked({caller, own}), "use", {8}));
  EXPECT_EQ(Values{108}, run<cl_uint>(linked({own, caller}), "use", {8}));
  EXPECT_EQ(Values{3}, run<cl_uint>(linked({caller}), "use", {8}));
}

// Linked from binaries of each type, which contain the modules.
TEST_F(LinkedModules, ComeFromBinaries) {
  const test::Program kernel = reloaded(kernel_of_source()), function = reloaded(function_of_module());
  EXPECT_EQ(Values{10}, run<cl_uint>(linked({kernel, function}), "use", {2}));
  const test::Program library = reloaded(linked({function_of_module()}, "-create-library"));
  EXPECT_EQ(Values{10}, run<cl_uint>(linked({kernel_of_source(), library}), "use", {2}));
  const test::Program executable = reloaded(linked({kernel_of_source(), function_of_module()}));
  CL_OK(build_error(executable));
  EXPECT_EQ((Values{10, 15}), run<cl_uint>(executable, "use", {2, 3}));
  EXPECT_EQ((Values{2, 15}), run<cl_uint>(executable, "use", {2, 3}, 1));
}

TEST_F(LinkedModules, BinariesHaveTheWordsAndNoBitcode) {
  const std::string module = test::module("scale");
  const test::Program program = create_with_il(module);
  CL_OK(build_error(program));
  const std::vector<unsigned char> built = binary(program), object = binary(compile_il(module));
  for (const std::vector<unsigned char>* bytes : {&built, &object}) {
    const std::string text(bytes->begin(), bytes->end());
    EXPECT_NE(std::string::npos, text.find(module));
    EXPECT_EQ(std::string::npos, text.find("BC\xC0\xDE"));
  }
  const test::Program loaded = create_with_binary(built);
  std::size_t size = 1;
  CL_OK(clGetProgramInfo(loaded, CL_PROGRAM_IL, 0, nullptr, &size));
  EXPECT_EQ(0u, size);
  CL_OK(build_error(loaded, ""));
  EXPECT_EQ(built, binary(loaded));
}

}  // namespace
