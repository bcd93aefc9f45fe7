// SPDX-License-Identifier: Apache-2.0
#include "support/programs.h"

namespace {

class KernelInfo : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    program = build(
        "kernel __attribute__((reqd_work_group_size(8, 4, 2))) void k(global const int* restrict a, constant "
        "float4* b, local char* c,\n"
        "  unsigned int d, volatile global uint* e) { local int fixed[16]; fixed[get_local_id(0)] = d; e[0] "
        "= fixed[0] + a[0] + (int)b[0].x + c[0]; }\n"
        "kernel void plain() {}\n",
        "-cl-kernel-arg-info");
    kernel = make_kernel(program, "k");
    plain = make_kernel(program, "plain");
  }
  template <class T>
  T argument(cl_uint index, cl_kernel_arg_info name) const {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr));
    return value;
  }
  std::string argument_text(cl_uint index, cl_kernel_arg_info name) const {
    char text[100] = {};
    CL_EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, index, name, sizeof text, text, nullptr));
    return text;
  }
  template <class T>
  T group(cl_kernel of, cl_kernel_work_group_info name) const {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(of, device, name, sizeof value, &value, nullptr));
    return value;
  }
  test::Program program;
  test::Kernel kernel, plain;
};

TEST_F(KernelInfo, Arguments) {
  EXPECT_EQ(cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_GLOBAL),
            argument<cl_kernel_arg_address_qualifier>(0, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_CONSTANT),
            argument<cl_kernel_arg_address_qualifier>(1, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_LOCAL),
            argument<cl_kernel_arg_address_qualifier>(2, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_PRIVATE),
            argument<cl_kernel_arg_address_qualifier>(3, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_type_qualifier(CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT),
            argument<cl_kernel_arg_type_qualifier>(0, CL_KERNEL_ARG_TYPE_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_type_qualifier(CL_KERNEL_ARG_TYPE_CONST),
            argument<cl_kernel_arg_type_qualifier>(1, CL_KERNEL_ARG_TYPE_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_type_qualifier(CL_KERNEL_ARG_TYPE_NONE),
            argument<cl_kernel_arg_type_qualifier>(3, CL_KERNEL_ARG_TYPE_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_type_qualifier(CL_KERNEL_ARG_TYPE_VOLATILE),
            argument<cl_kernel_arg_type_qualifier>(4, CL_KERNEL_ARG_TYPE_QUALIFIER));
  EXPECT_EQ(cl_kernel_arg_access_qualifier(CL_KERNEL_ARG_ACCESS_NONE),
            argument<cl_kernel_arg_access_qualifier>(0, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  EXPECT_EQ("int*", argument_text(0, CL_KERNEL_ARG_TYPE_NAME));
  EXPECT_EQ("float4*", argument_text(1, CL_KERNEL_ARG_TYPE_NAME));
  EXPECT_EQ("uint", argument_text(3, CL_KERNEL_ARG_TYPE_NAME));
  EXPECT_EQ("d", argument_text(3, CL_KERNEL_ARG_NAME));
}

// The type's name has no qualifiers (section 5.9.4), neither the pointer's nor those of what it points to.
TEST_F(KernelInfo, TypesWithInnerQualifiers) {
  const test::Program inner = build(
      "struct S { int a; };\n"
      "kernel void of_pointers(global int* global* a, global struct S* global* b, global const float4* c) "
      "{}\n",
      "-cl-kernel-arg-info -cl-std=CL3.0");
  const test::Kernel of_pointers = make_kernel(inner, "of_pointers");
  const char* const expected[] = {"int**", "struct S**", "float4*"};
  for (cl_uint i = 0; i < 3; ++i) {
    char text[100] = {};
    CL_OK(clGetKernelArgInfo(of_pointers, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, nullptr));
    EXPECT_STREQ(expected[i], text);
  }
}

TEST_F(KernelInfo, WorkGroups) {
  struct Sizes {
    size_t size[3];
  };
  const auto required = group<Sizes>(kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  EXPECT_EQ(8u, required.size[0]);
  EXPECT_EQ(4u, required.size[1]);
  EXPECT_EQ(2u, required.size[2]);
  EXPECT_EQ(0u, group<Sizes>(plain, CL_KERNEL_COMPILE_WORK_GROUP_SIZE).size[0]);
  size_t most = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, nullptr));
  EXPECT_LE(group<size_t>(plain, CL_KERNEL_WORK_GROUP_SIZE), most);
  EXPECT_GE(group<size_t>(kernel, CL_KERNEL_WORK_GROUP_SIZE), 64u);
  EXPECT_GE(group<size_t>(plain, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), 1u);
  group<cl_ulong>(plain, CL_KERNEL_PRIVATE_MEM_SIZE);
}

TEST_F(KernelInfo, LocalMemoryCountsArguments) {
  const auto before = group<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE);
  EXPECT_GE(before, 64u);
  CL_OK(clSetKernelArg(kernel, 2, 1000, nullptr));
  EXPECT_GE(group<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE), before + 1000);
}

TEST_F(KernelInfo, Attributes) {
  char text[100] = {};
  CL_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr));
  EXPECT_STREQ("reqd_work_group_size(8,4,2)", text);
  CL_OK(clGetKernelInfo(plain, CL_KERNEL_ATTRIBUTES, sizeof text, text, nullptr));
  EXPECT_STREQ("", text);
}

// Sections 5.9.4 and 5.8.6.6: argument information is available only with -cl-kernel-arg-info. An invalid index is reported first.
TEST_F(KernelInfo, OfArgumentsIsToldOnlyWhereAskedFor) {
  constexpr char kSource[] = "kernel void k(global int* a) { a[0] = 1; }";
  const auto answer = [this](cl_program of, cl_uint index = 0) {
    const test::Kernel made = make_kernel(of, "k");
    char name[10] = {};
    const cl_int error = clGetKernelArgInfo(made, index, CL_KERNEL_ARG_NAME, sizeof name, name, nullptr);
    EXPECT_STREQ(error == CL_SUCCESS ? "a" : "", name);
    return error;
  };
  const auto linked = [&](cl_program compiled) {
    cl_int error = CL_SUCCESS;
    test::Program made = clLinkProgram(context, 1, &device, "", 1, &compiled, nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  };
  const auto reloaded = [&](cl_program built) {
    const std::vector<unsigned char> bytes = binary(built);
    const unsigned char* data = bytes.data();
    const std::size_t size = bytes.size();
    cl_int error = CL_SUCCESS;
    test::Program made = clCreateProgramWithBinary(context, 1, &device, &size, &data, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(made, 1, &device, "", nullptr, nullptr));
    return made;
  };
  for (const char* options : {"", "-cl-kernel-arg-info"}) {
    SCOPED_TRACE(options);
    const cl_int expected = *options ? CL_SUCCESS : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    const test::Program built = build(kSource, options);
    CL_EXPECT(expected, answer(built));
    CL_EXPECT(CL_INVALID_ARG_INDEX, answer(built, 1));
    CL_EXPECT(expected, answer(linked(compiled(kSource, options))));
    CL_EXPECT(expected, answer(reloaded(built)));
  }
}

TEST_F(KernelInfo, RefusesBadQueries) {
  size_t sizes[3] = {};
  cl_uint number = 0;
  CL_EXPECT(CL_INVALID_VALUE, clGetKernelInfo(kernel, 0x7777, sizeof number, &number, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 1, &number, nullptr));
  CL_EXPECT(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 5, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0x7777, 0, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, 0x7777, 0, nullptr, nullptr));
  // CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels and custom devices only.
  CL_EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE,
                                                       sizeof sizes, sizes, nullptr));
  CL_EXPECT(CL_INVALID_VALUE,
            clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 1, sizes, nullptr));
  const auto no_device = reinterpret_cast<cl_device_id>(kernel.get());
  CL_EXPECT(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(kernel, no_device, CL_KERNEL_WORK_GROUP_SIZE,
                                                        sizeof sizes, sizes, nullptr));
  // The device may be null if the kernel has one device only.
  CL_EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof sizes,
                                                 sizes, nullptr));
}

}  // namespace
