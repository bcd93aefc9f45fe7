// SPDX-License-Identifier: Apache-2.0
// Additions of OpenCL 3.1 to 3.0 that are not single functions, and CLCUDA_VERSION=3.0, which disables them. (Functions are tested in
// clGetKernelSuggestedLocalWorkSize.cpp, clSetKernelArg.cpp, clCompileProgram.cpp; device code in printf.cpp, inclusive_scopes.cpp.)
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>

#include "support/device_info.h"
#include "support/own_process.h"
#include "support/programs.h"

namespace {

constexpr cl_version k30 = CL_MAKE_VERSION(3, 0, 0), k31 = CL_MAKE_VERSION(3, 1, 0);

// The versions that a program sees: of the language, whether CL_VERSION_3_1 is defined as 310, and of the device.
constexpr char kVersions[] = R"(
#ifndef __OPENCL_C_VERSION__
#define __OPENCL_C_VERSION__ -1
#endif
#if CL_VERSION_3_1 == 310 && __OPENCL_VERSION__ >= CL_VERSION_3_1
#define KNOWS_3_1 1
#else
#define KNOWS_3_1 0
#endif
#if __OPENCL_C_VERSION__ >= 310 && !KNOWS_3_1
#error
#endif
int3 versions(void);
#ifndef ELSEWHERE
int3 versions(void) { return (int3)(__OPENCL_C_VERSION__, KNOWS_3_1, __OPENCL_VERSION__); }
#endif
kernel void tell(global int* out) {
  if (get_global_id(0) == get_global_offset(0)) vstore3(versions(), 0, out);
})";

class OpenCl31 : public test::Programs {
 protected:
  std::vector<cl_version> language_versions() const {
    std::vector<cl_version> versions;
    for (const auto& entry : test::device_list<cl_name_version>(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
      EXPECT_STREQ("OpenCL C", entry.name);
      versions.push_back(entry.version);
    }
    return versions;
  }
  bool has_language(cl_version version) const {
    return std::ranges::count(language_versions(), version) == 1;
  }
  // The values that the kernel writes. If `general`, the launch has an offset and a smaller last work-group, which needs another variant of
  // the code.
  std::vector<cl_int> told(cl_program program, bool general = false) const {
    const test::Kernel kernel = make_kernel(program, "tell");
    const test::Buffer out = make_buffer(3 * sizeof(cl_int));
    set_arguments(kernel, out);
    const std::size_t offset = general ? 3 : 0, global = general ? 70 : 64, local = 32;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr));
    return contents<cl_int>(out, 3);
  }
  void expect_versions(const std::string& version, cl_version number) const {
    cl_platform_id platform = test::device_info<cl_platform_id>(device, CL_DEVICE_PLATFORM);
    std::array<char, 256> text{};
    CL_EXPECT(CL_SUCCESS,
              clGetPlatformInfo(platform, CL_PLATFORM_VERSION, text.size(), text.data(), nullptr));
    EXPECT_TRUE(std::string(text.data()).starts_with(version)) << text.data();
    EXPECT_EQ(text.data(), test::device_text(device, CL_DEVICE_VERSION));
    cl_version of_platform = 0;
    CL_EXPECT(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof of_platform,
                                            &of_platform, nullptr));
    EXPECT_EQ(number, of_platform);
    EXPECT_EQ(number, test::device_info<cl_version>(device, CL_DEVICE_NUMERIC_VERSION));
  }
};

TEST_F(OpenCl31, PlatformsAndDevicesSayIt) { expect_versions("OpenCL 3.1 ", k31); }

// Section 4.2.
TEST_F(OpenCl31, TheLanguagesOfItArePresent) {
  constexpr cl_version kRequired[] = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                      CL_MAKE_VERSION(1, 2, 0), k30, k31};
  for (const cl_version required : kRequired)
    EXPECT_TRUE(has_language(required)) << CL_VERSION_MAJOR(required) << "." << CL_VERSION_MINOR(required);
  // A version above 2.0 could be reported here only if the device had all of that version's optional features.
  EXPECT_TRUE(test::device_text(device, CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 1.2 "));
}

// Section 4.2.1: no version of the conformance suite has been passed officially.
TEST_F(OpenCl31, NoConformanceIsClaimed) {
  EXPECT_EQ("v0000-01-01-00", test::device_text(device, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED));
}

// Section 4.2.4.
TEST_F(OpenCl31, TheExtensionsThatItRequiresAreNamed) {
  for (const char* required :
       {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "cl_khr_spirv_queries",
        "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle",
        "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"})
    EXPECT_TRUE(test::offers(device, required)) << required;
}

// Section 4.2: queries that were part of extensions, by the values of their core names.
TEST_F(OpenCl31, TheQueriesOfItAnswer) {
  constexpr cl_device_info kMaxWorkGroupSizes = 0x1005, kUuid = 0x106A, kDriverUuid = 0x106B,
                           kLuidValid = 0x106C, kLuid = 0x106D, kNodeMask = 0x106E,
                           kDotProductCapabilities = 0x1073, kDotProducts8Bit = 0x1074,
                           kDotProductsPacked = 0x1075, kSpirvSets = 0x12B9, kSpirvCapabilities = 0x12BB;
  const auto sizes = test::device_list<std::size_t>(device, kMaxWorkGroupSizes);
  EXPECT_EQ(test::device_list<std::size_t>(device, CL_DEVICE_MAX_WORK_ITEM_SIZES), sizes);
  EXPECT_EQ(test::device_info<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), sizes.size());
  EXPECT_GE(test::device_info<cl_uint>(device, CL_DEVICE_MAX_NUM_SUB_GROUPS), 1u);
  using Bytes = std::vector<cl_uchar>;
  EXPECT_EQ(16u, test::device_list<cl_uchar>(device, kUuid).size());
  EXPECT_NE(Bytes(16), test::device_list<cl_uchar>(device, kUuid));
  EXPECT_EQ(16u, test::device_list<cl_uchar>(device, kDriverUuid).size());
  EXPECT_NE(Bytes(16), test::device_list<cl_uchar>(device, kDriverUuid));
  EXPECT_EQ(CL_FALSE, test::device_info<cl_bool>(device, kLuidValid));
  EXPECT_EQ(8u, test::device_list<cl_uchar>(device, kLuid).size());
  EXPECT_EQ(1u, test::device_list<cl_uint>(device, kNodeMask).size());
  constexpr cl_bitfield kPacked = 1, kVectors = 2;
  EXPECT_EQ(kPacked | kVectors, test::device_info<cl_bitfield>(device, kDotProductCapabilities));
  for (const cl_device_info name : {kDotProducts8Bit, kDotProductsPacked}) {
    const auto flags = test::device_list<cl_bool>(device, name);
    EXPECT_EQ(6u, flags.size());
    for (const cl_bool flag : flags) EXPECT_LE(flag, cl_bool{CL_TRUE});
  }
  EXPECT_FALSE(test::device_list<const char*>(device, kSpirvSets).empty());
  EXPECT_FALSE(test::device_list<cl_uint>(device, kSpirvCapabilities).empty());
}

TEST_F(OpenCl31, ProgramsSeeTheirVersion) {
  using Told = std::vector<cl_int>;
  for (const bool general : {false, true}) {
    EXPECT_EQ((Told{310, 1, 310}), told(build(kVersions, "-cl-std=CL3.1"), general));
    EXPECT_EQ((Told{310, 1, 310}), told(build(kVersions, "-Werror -cl-std=CL1.2 -cl-std=CL3.1"), general));
    EXPECT_EQ((Told{300, 1, 310}), told(build(kVersions, "-cl-std=CL3.0")));
    EXPECT_EQ((Told{120, 1, 310}), told(build(kVersions, "")));
    EXPECT_EQ((Told{-1, 1, 310}), told(build(kVersions, "-cl-std=CLC++2021")));
  }
}

// For compiled and linked programs and for binaries; the build options are kept as they were passed.
TEST_F(OpenCl31, ProgramsKeepTheirVersion) {
  const std::string options = "-D A=1  -cl-std=CL3.1 -cl-kernel-arg-info";
  const std::vector<cl_int> expected{310, 1, 310};
  const test::Program parts[] = {compiled(kVersions, "-cl-std=CL3.1 -DELSEWHERE"),
                                 compiled("#if __OPENCL_C_VERSION__ != 310\n#error\n#endif\n"
                                          "int3 versions(void); int3 versions(void) { return "
                                          "(int3)(__OPENCL_C_VERSION__, 1, __OPENCL_VERSION__); }",
                                          options.c_str())};
  EXPECT_EQ(options, info(parts[1], CL_PROGRAM_BUILD_OPTIONS));
  const cl_program handles[] = {parts[0], parts[1]};
  cl_int error = CL_SUCCESS;
  const test::Program linked = clLinkProgram(context, 1, &device, "", 2, handles, nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(expected, told(linked));
  EXPECT_EQ(expected, told(linked, true));

  const test::Program built = build(kVersions, options);
  EXPECT_EQ(options, info(built, CL_PROGRAM_BUILD_OPTIONS));
  for (const cl_program made : {built.get(), linked.get(), parts[1].get()}) {
    const std::vector<unsigned char> bytes = binary(made);
    const unsigned char* data = bytes.data();
    const std::size_t size = bytes.size();
    cl_int status = CL_SUCCESS;
    const test::Program loaded =
        clCreateProgramWithBinary(context, 1, &device, &size, &data, &status, &error);
    CL_OK(error);
    if (made == parts[1]) {
      const cl_program with_loaded[] = {parts[0], loaded};
      const test::Program again =
          clLinkProgram(context, 1, &device, "", 2, with_loaded, nullptr, nullptr, &error);
      CL_OK(error);
      EXPECT_EQ(expected, told(again));
      continue;
    }
    CL_OK(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
    EXPECT_EQ(expected, told(loaded));
    EXPECT_EQ(expected, told(loaded, true));  // translated again
  }
}

// Language options are ignored by a link, which has no source (section 5.8.6); unknown versions are rejected.
TEST_F(OpenCl31, UnknownVersionsAreRefusedAsBefore) {
  const test::Program program = create("kernel void k() {}");
  for (const char* unknown : {"-cl-std=CL3.2", "-cl-std=CL3.10", "-cl-std=CL3.1 -cl-std=CL31"})
    CL_EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 1, &device, unknown, nullptr, nullptr));
  CL_EXPECT(CL_INVALID_LINKER_OPTIONS, [&] {
    const cl_program object = program;
    CL_EXPECT(CL_SUCCESS, clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
    cl_int error = CL_SUCCESS;
    clLinkProgram(context, 1, &device, "-cl-std=CL3.1", 1, &object, nullptr, nullptr, &error);
    return error;
  }());
}

// In OpenCL C 3.1 these functions need no extension, and macros of unsupported features are not defined.
TEST_F(OpenCl31, FunctionsThatWereExtensionsNeedNone) {
  const test::Program program = build(R"(
#if __opencl_c_integer_dot_product_input_4x8bit_packed != 1 || __opencl_c_integer_dot_product_input_4x8bit != 1
#error
#endif
#if __opencl_c_subgroups != 1
#error
#endif
kernel void k(global const uint* a, global const uint* b, global uint* out) {
  size_t i = get_global_id(0);
  uint lane = get_sub_group_local_id();
  out[8 * i] = dot_4x8packed_uu_uint(a[i], b[i]);
  out[8 * i + 1] = dot_acc_sat(as_uchar4(a[i]), as_uchar4(b[i]), 4294960000u);
  out[8 * i + 2] = bitfield_insert(a[i], b[i], 5, 11);
  out[8 * i + 3] = bit_reverse(a[i]);
  out[8 * i + 4] = sub_group_shuffle(a[i], lane ^ 1);
  out[8 * i + 5] = sub_group_shuffle_down(a[i], 0);
  out[8 * i + 6] = sub_group_rotate(a[i], 1);
  out[8 * i + 7] = sub_group_broadcast((ushort4)(a[i]), 2).w;
})",
                                      "-cl-std=CL3.1 -Werror");
  constexpr std::size_t kItems = 32;
  const auto a = test::random_values<cl_uint>(kItems), b = test::random_values<cl_uint>(kItems);
  const test::Buffer a_buffer = make_buffer(a), b_buffer = make_buffer(b),
                     out = make_buffer(kItems * 8 * sizeof(cl_uint));
  const test::Kernel kernel = make_kernel(program, "k");
  set_arguments(kernel, a_buffer, b_buffer, out);
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &kItems, 0, nullptr, nullptr));
  const auto results = contents<cl_uint>(out, kItems * 8);
  for (std::size_t i = 0; i < kItems; ++i) {
    cl_uint dot = 0, reversed = 0;
    for (int byte = 0; byte < 32; byte += 8) dot += (a[i] >> byte & 0xff) * (b[i] >> byte & 0xff);
    for (int bit = 0; bit < 32; ++bit) reversed |= (a[i] >> bit & 1) << (31 - bit);
    constexpr cl_uint kField = 0x7ff << 5;
    const std::vector<cl_uint> expected{
        dot,
        static_cast<cl_uint>(std::min<cl_ulong>(cl_ulong{4294960000u} + dot, 0xffffffff)),
        (a[i] & ~kField) | (b[i] << 5 & kField),
        reversed,
        a[i ^ 1],
        a[i],
        a[(i + 1) % kItems],
        a[2] & 0xffff};
    EXPECT_EQ(expected, std::vector(results.begin() + static_cast<std::ptrdiff_t>(8 * i),
                                    results.begin() + static_cast<std::ptrdiff_t>(8 * i + 8)))
        << i;
  }
}

// CLCUDA_VERSION=3.0 restores the behaviour of 3.0 for programs that fail with 3.1; a process reads it once.
TEST_F(OpenCl31, DISABLED_Is30) {
  expect_versions("OpenCL 3.0 ", k30);
  EXPECT_TRUE(has_language(k30));
  EXPECT_FALSE(has_language(k31));
  using Told = std::vector<cl_int>;
  EXPECT_EQ((Told{300, 0, 300}), told(build(kVersions, "-cl-std=CL3.0")));
  EXPECT_EQ((Told{120, 0, 300}), told(build(kVersions, "")));
  const test::Program program = create("kernel void k(local int* a) { a[0] = 1; }");
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "-cl-std=CL3.1", nullptr, nullptr));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("-cl-std=CL3.1"));
  CL_EXPECT(CL_COMPILE_PROGRAM_FAILURE,
            clCompileProgram(program, 1, &device, "-cl-std=CL3.1", 0, nullptr, nullptr, nullptr, nullptr));
  CL_OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr));
  const test::Kernel kernel = make_kernel(program, "k");
  CL_EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 0, nullptr));
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, 1, nullptr));
  // An extension of 3.0 that is core in 3.1 is still reported.
  EXPECT_TRUE(test::offers(device, "cl_khr_suggested_local_work_size"));
}

TEST_F(OpenCl31, DISABLED_IsAsEver) { expect_versions("OpenCL 3.1 ", k31); }

TEST(OpenCl31Alone, Gives30WhereAsked) {
  setenv("CLCUDA_VERSION", "3.0", 1);
  test::run_alone("OpenCl31.DISABLED_Is30");
  for (const char* other : {"", "3.1", "2.0", "3.00"}) {
    setenv("CLCUDA_VERSION", other, 1);
    test::run_alone("OpenCl31.DISABLED_IsAsEver");
  }
  unsetenv("CLCUDA_VERSION");
}

}  // namespace
