// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "support/own_process.h"
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

// A process reads once which version of OpenCL and which extensions its devices have. A binary is for those of its maker, also where it is
// translated again: for a launch with an offset, and to be linked.
constexpr char kTellsLanguage[] =
    "#ifdef cl_intel_subgroups\n"
    "#define SAY(x) intel_sub_group_shuffle(x, 0)\n"
    "#else\n"
    "#define SAY(x) -(x)\n"
    "#endif\n"
    "kernel void k(global int* a) { a[get_global_id(0)] = SAY(__OPENCL_VERSION__); }";

TEST_F(ProgramWithBinary, DISABLED_OfAnotherLanguage) {
  std::ofstream file(std::getenv("TEST_FILE"), std::ios::binary);
  for (const test::Program& program :
       {build(kTellsLanguage, "-cl-std=CL3.0"), compiled(kTellsLanguage, "-cl-std=CL3.0")}) {
    const std::vector<unsigned char> bytes = binary(program);
    const size_t size = bytes.size();
    file.write(reinterpret_cast<const char*>(&size), sizeof size);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
  }
}

TEST_F(ProgramWithBinary, KeepsTheLanguageOfItsMaker) {
  const std::string name = testing::TempDir() + "binary_of_another_language";
  const std::map<std::string, std::string> settings{
      {"TEST_FILE", name}, {"CLCUDA_VERSION", "3.0"}, {"CLCUDA_INTEL_SUBGROUPS", "1"}};
  for (const auto& [variable, value] : settings) setenv(variable.c_str(), value.c_str(), 1);
  test::run_alone("ProgramWithBinary.DISABLED_OfAnotherLanguage");
  for (const auto& [variable, value] : settings) unsetenv(variable.c_str());
  std::ifstream file(name, std::ios::binary);
  for (const bool is_object : {false, true}) {
    size_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeof size);
    std::vector<unsigned char> bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    ASSERT_TRUE(file.good());
    const Made made = load(bytes);
    CL_OK(made.error);
    CL_OK(clBuildProgram(made.program, 1, &device, "", nullptr, nullptr));
    const test::Kernel kernel = make_kernel(made.program, "k");
    const test::Buffer buffer = make_buffer(std::vector<cl_int>(2));
    set_arguments(kernel, buffer);
    for (const size_t offset : {size_t{0}, size_t{1}}) {
      const size_t one = 1;
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
    }
    EXPECT_EQ((std::vector<cl_int>{300, 300}), contents<cl_int>(buffer, 2)) << is_object;
  }
  std::remove(name.c_str());
}

TEST_F(ProgramWithBinary, CannotBeCompiled) {
  const Made made = load(binary(build("kernel void k() {}")));
  CL_EXPECT(CL_INVALID_OPERATION,
            clCompileProgram(made.program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace
