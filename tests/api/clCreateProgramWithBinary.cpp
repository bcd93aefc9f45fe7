// SPDX-License-Identifier: Apache-2.0
#include "support/programs.h"

namespace {

class ProgramWithBinary : public test::Programs {
 protected:
  struct Made {
    test::Program program;
    cl_int error = 1, status = 1;
  };
  Made load(const std::vector<unsigned char>& bytes) const {
    const unsigned char* place = bytes.data();
    const size_t size = bytes.size();
    Made made;
    made.program = clCreateProgramWithBinary(context, 1, &device, &size, &place, &made.status, &made.error);
    EXPECT_EQ(made.error == CL_SUCCESS, made.program.get() != nullptr);
    return made;
  }
};

TEST_F(ProgramWithBinary, BuildsAnExecutable) {
  const std::vector<unsigned char> bytes =
      binary(build("kernel void k(global int* a, int b) { a[0] = b; }", "-D A -cl-std=CL3.0"));
  ASSERT_FALSE(bytes.empty());
  const Made made = load(bytes);
  CL_OK(made.error);
  CL_EXPECT(CL_SUCCESS, made.status);
  EXPECT_EQ(CL_BUILD_NONE, status(made.program));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), binary_type(made.program));
  EXPECT_EQ("", program_text(made.program, CL_PROGRAM_SOURCE));
  CL_OK(clBuildProgram(made.program, 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ("-D A -cl-std=CL3.0", info(made.program, CL_PROGRAM_BUILD_OPTIONS));
  const test::Kernel kernel = make_kernel(made.program, "k");
  cl_uint arguments = 0;
  CL_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr));
  EXPECT_EQ(2u, arguments);
  EXPECT_EQ(bytes, binary(made.program));
}

TEST_F(ProgramWithBinary, BuildsACompiledObject) {
  const Made made = load(binary(compiled("kernel void k() {}")));
  CL_OK(made.error);
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT), binary_type(made.program));
  CL_OK(clBuildProgram(made.program, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), binary_type(made.program));
  EXPECT_NE(nullptr, make_kernel(made.program, "k").get());
}

TEST_F(ProgramWithBinary, RefusesADeviceThatIsGivenTwice) {
  const std::vector<unsigned char> bytes = binary(build("kernel void k() {}"));
  const unsigned char* places[] = {bytes.data(), bytes.data()};
  const size_t sizes[] = {bytes.size(), bytes.size()};
  const cl_device_id twice[] = {device, device};
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateProgramWithBinary(context, 2, twice, sizes, places, nullptr, &error));
  CL_EXPECT(CL_INVALID_DEVICE, error);
}

TEST_F(ProgramWithBinary, RefusesWhatIsDamaged) {
  const std::vector<unsigned char> good = binary(build("kernel void k() {}"));
  ASSERT_FALSE(good.empty());
  for (int i = 0; i < 50; ++i) {
    std::vector<unsigned char> bad = good;
    bad[test::random_engine()() % bad.size()] ^=
        static_cast<unsigned char>(1u << test::random_engine()() % 8);
    const Made made = load(bad);
    CL_EXPECT(CL_INVALID_BINARY, made.error);
    CL_EXPECT(CL_INVALID_BINARY, made.status);
  }
  for (const size_t size : {good.size() - 1, good.size() / 2, size_t{1}})
    CL_EXPECT(CL_INVALID_BINARY,
              load({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}).error);
  CL_EXPECT(CL_INVALID_BINARY, load(test::random_values(1000)).error);
}

TEST_F(ProgramWithBinary, RefusesBadArguments) {
  const std::vector<unsigned char> good = binary(build("kernel void k() {}"));
  const unsigned char* place = good.data();
  const unsigned char* nothing = nullptr;
  const size_t size = good.size(), zero = 0;
  const cl_device_id no_device = nullptr;
  cl_int error = 1, status = 1;
  const auto refused = [&](cl_int code, cl_uint count, const cl_device_id* list, const size_t* sizes,
                           const unsigned char** binaries) {
    EXPECT_EQ(nullptr, clCreateProgramWithBinary(context, count, list, sizes, binaries, &status, &error));
    EXPECT_EQ(test::error_name(code), test::error_name(error));
  };
  refused(CL_INVALID_VALUE, 0, &device, &size, &place);
  refused(CL_INVALID_VALUE, 1, nullptr, &size, &place);
  refused(CL_INVALID_VALUE, 1, &device, nullptr, &place);
  refused(CL_INVALID_VALUE, 1, &device, &size, nullptr);
  refused(CL_INVALID_VALUE, 1, &device, &zero, &place);
  EXPECT_EQ(CL_INVALID_VALUE, status);
  refused(CL_INVALID_VALUE, 1, &device, &size, &nothing);
  refused(CL_INVALID_DEVICE, 1, &no_device, &size, &place);
}

TEST_F(ProgramWithBinary, CannotBeCompiled) {
  const Made made = load(binary(build("kernel void k() {}")));
  CL_EXPECT(CL_INVALID_OPERATION,
            clCompileProgram(made.program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace
