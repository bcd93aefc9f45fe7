// SPDX-License-Identifier: Apache-2.0
// Names that mean something to PTX, the driver, LLVM or the host's C library are a program's to use (OpenCL C has C99's identifiers).
#include "support/programs.h"

namespace {

// What PTX and the machine code's tools take for something else, or the driver knows, and some of everything else.
const char* const kNames[] = {"_",
                              "$",
                              "WARP_SZ",
                              "k_param_0",
                              "symbol$_",
                              "_1",
                              "x$",
                              "vprintf",
                              "malloc",
                              "free",
                              "memcpy",
                              "memset",
                              "strlen",
                              "abort",
                              "exit",
                              "assert",
                              "entry",
                              "func",
                              "reg",
                              "shared",
                              "visible",
                              "tid",
                              "ntid",
                              "laneid",
                              "clock",
                              "mov",
                              "add",
                              "ret",
                              "bra",
                              "exit_",
                              "pred",
                              "b32",
                              "f64",
                              "texref",
                              "branchtargets",
                              "r1",
                              "rd1",
                              "p1",
                              "SP",
                              "SPL",
                              "BB0_1",
                              "L__BB0_1",
                              "llvm",
                              "program",
                              "class",
                              "new",
                              "this",
                              "template",
                              "printk",
                              "stdout",
                              "sinf",
                              "powf",
                              "__assertfail",
                              "__cudaX",
                              "__nv_x",
                              "__local_depot0",
                              "__nv_reservedSMEM_offset_0_alias"};

class Names : public test::Programs {
 protected:
  void expect_result(cl_program program, const std::string& kernel, int wanted) const {
    const test::Buffer out = make_buffer(std::vector<int>{-1});
    const test::Kernel object = make_kernel(program, kernel.c_str());
    ASSERT_NE(object.get(), nullptr) << kernel;
    set_arguments(object, out);
    char name[100] = "";
    CL_OK(clGetKernelInfo(object, CL_KERNEL_FUNCTION_NAME, sizeof name, name, nullptr));
    EXPECT_EQ(name, kernel);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, object, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<int>(out, 1)[0], wanted) << kernel;
  }
};

TEST_F(Names, OfKernels) {
  std::string source;
  for (const char* name : kNames)
    source +=
        "kernel void " + std::string(name) + "(global int* out) { *out += 1 + sizeof \"" + name + "\"; }\n";
  const test::Program program = build(source);
  for (const std::string name : kNames) expect_result(program, name, static_cast<int>(name.size()) + 1);

  cl_uint count = 0;
  CL_OK(clCreateKernelsInProgram(program, 0, nullptr, &count));
  EXPECT_EQ(count, std::size(kNames));
}

TEST_F(Names, OfKernelsInLinkedPrograms) {
  const test::Program callee = compiled("kernel void WARP_SZ(global int* out) { *out += 3; }");
  const test::Program caller = compiled(
      "kernel void WARP_SZ(global int* out); kernel void free(global int* out) { WARP_SZ(out); *out += 4; }");
  const cl_program both[] = {caller, callee};
  cl_int error = 1;
  const test::Program linked = clLinkProgram(context, 1, &device, "", 2, both, nullptr, nullptr, &error);
  CL_OK(error);
  expect_result(linked, "WARP_SZ", 2);
  expect_result(linked, "free", 6);
}

TEST_F(Names, OfFunctionsAndVariables) {
  std::string source, calls;
  int wanted = -1;
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    const std::string name = kNames[i], number = std::to_string(i + 1);
    if (i % 3 == 0) {
      source += "__attribute__((noinline)) int " + name + "(int x) { return x + " + number + "; }\n";
      calls += "*out = " + name + "(*out);\n";
    } else if (i % 3 == 1) {
      source += "global int " + name + " = " + number + ";\n";
      calls += "*out += " + name + "; " + name + " += 2;\n";
    } else {
      source += "constant int " + name + "[] = {100, " + number + "};\n";
      calls += "*out += " + name + "[get_global_size(0)];\n";
    }
    wanted += static_cast<int>(i) + 1;
  }
  expect_result(build(source + "kernel void k(global int* out) {\n" + calls + "}"), "k", wanted);
}

// These were taken for functions of the library and of the compiler.
TEST_F(Names, ReservedOnesAreRefused) {
  for (const char* source :
       {"kernel void _Z3sinf(global float* p) { *p = sin(*p); }",
        "constant float _Z3sinf = 3; kernel void k(global float* p) { *p = sin(*p) + _Z3sinf; }",
        "kernel void __clcuda_initialize(global int* p) { *p = 1; }",
        "int __clcuda_task_size(int x) { return x; } kernel void k(global int* p) { *p = "
        "__clcuda_task_size(1); }",
        "int __clcuda_uniform_launch(int x) { return x; } kernel void k(global int* p) { *p = "
        "__clcuda_uniform_launch(1); }",
        "int __translate_sampler_initializer(int x) { return x; } kernel void k(global int* p) { *p = "
        "__translate_sampler_initializer(1); }"}) {
    cl_int error = 1;
    const test::Program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    CL_OK(error);
    CL_EXPECT(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr));
    EXPECT_NE(info(program, CL_PROGRAM_BUILD_LOG).find("is reserved"), std::string::npos)
        << source << "\n"
        << info(program, CL_PROGRAM_BUILD_LOG);
  }
}

}  // namespace
