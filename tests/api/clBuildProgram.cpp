// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>

#include "support/programs.h"

namespace {

using test::Programs;

class BuildProgram : public Programs {};

TEST_F(BuildProgram, GoesFromNoneToSuccess) {
  const test::Program program = create("kernel void k(global int* a) { a[0] = N; }");
  EXPECT_EQ(CL_BUILD_NONE, status(program));
  EXPECT_EQ("", info(program, CL_PROGRAM_BUILD_OPTIONS));
  EXPECT_EQ("", info(program, CL_PROGRAM_BUILD_LOG));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_NONE), binary_type(program));
  CL_OK(clBuildProgram(program, 0, nullptr, "-D N=3", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  EXPECT_EQ("-D N=3", info(program, CL_PROGRAM_BUILD_OPTIONS));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), binary_type(program));
}

TEST_F(BuildProgram, TellsWhatIsWrongAndWhere) {
  const test::Program program = create("kernel void k() {}\nkernel void broken() { int a = nothing; }\n");
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
  EXPECT_NE(std::string::npos, log.find("nothing")) << log;
  EXPECT_NE(std::string::npos, log.find(":2:")) << log;
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_NONE), binary_type(program));
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateKernel(program, "k", &error));
  EXPECT_EQ(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

// Inline assembly is copied into the PTX without a check; errors in it are found when the PTX is translated to machine code.
TEST_F(BuildProgram, TellsWhatIsWrongInAssembly) {
  const test::Program right =
      create("kernel void k(global uint* p) { uint x; __asm__(\"mov.u32 %0, 7;\" : \"=r\"(x)); p[0] = x; }");
  CL_EXPECT(CL_SUCCESS, clBuildProgram(right, 1, &device, "", nullptr, nullptr));
  const test::Program wrong =
      create("#warning beware\nkernel void k() { __asm__ volatile(\"nonsense.u32 7;\"); }");
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(wrong, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, status(wrong));
  const std::string log = info(wrong, CL_PROGRAM_BUILD_LOG);
  EXPECT_NE(std::string::npos, log.find("nonsense")) << log;
  EXPECT_NE(std::string::npos, log.find("beware")) << log;
}

TEST_F(BuildProgram, RefusesBadArguments) {
  const test::Program program = create("kernel void k() {}");
  int user = 0;
  CL_EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 1, nullptr, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 1, &device, "", nullptr, &user));
  const cl_device_id no_device = nullptr;
  CL_EXPECT(CL_INVALID_DEVICE, clBuildProgram(program, 1, &no_device, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_BUILD_OPTIONS,
            clBuildProgram(program, 1, &device, "-no-such-option", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
}

TEST_F(BuildProgram, IsRefusedWhileKernelsExist) {
  const test::Program program = create("kernel void k() {}");
  CL_OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  test::Kernel kernel = clCreateKernel(program, "k", nullptr);
  CL_EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  kernel.reset();
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
}

struct Told {
  std::mutex mutex;
  std::condition_variable changed;
  cl_program program = nullptr;
  static void CL_CALLBACK notify(cl_program program, void* user) {
    auto* told = static_cast<Told*>(user);
    const std::lock_guard lock(told->mutex);
    told->program = program;
    told->changed.notify_all();
  }
  cl_program wait() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(60), [&] { return program != nullptr; });
    return program;
  }
};

TEST_F(BuildProgram, TellsWhenItIsOver) {
  const test::Program good = create("kernel void k() {}");
  const test::Program bad = create("kernel void k() { + }");
  Told of_good, of_bad;
  CL_OK(clBuildProgram(good, 1, &device, "", Told::notify, &of_good));
  CL_OK(clBuildProgram(bad, 1, &device, "", Told::notify, &of_bad));
  EXPECT_EQ(good.get(), of_good.wait());
  EXPECT_EQ(bad.get(), of_bad.wait());
  EXPECT_EQ(CL_BUILD_SUCCESS, status(good));
  EXPECT_EQ(CL_BUILD_ERROR, status(bad));
}

TEST_F(BuildProgram, CanBeReleasedDuringTheBuild) {
  Told told;
  test::Program program = create("kernel void k() {}");
  CL_OK(clBuildProgram(program, 1, &device, "", Told::notify, &told));
  program.reset();
  EXPECT_NE(nullptr, told.wait());
}

// More callbacks than there are threads that build, each of which waits for another build.
TEST_F(BuildProgram, BeginsWhileCallbacksOfOthersWaitForIt) {
  constexpr int kCount = 20;
  struct Outer {
    test::Program inner;
    Told told;
    std::atomic<int>*missed, *called;
    static void CL_CALLBACK notify(cl_program, void* user) {
      auto& outer = *static_cast<Outer*>(user);
      const bool begun = clBuildProgram(outer.inner, 0, nullptr, "", Told::notify, &outer.told) == CL_SUCCESS;
      // One that is not built is enough to wait for.
      if (!begun || *outer.missed || outer.told.wait() != outer.inner.get()) ++*outer.missed;
      ++*outer.called;
      outer.called->notify_all();
    }
  };
  std::atomic<int> missed = 0, called = 0;
  std::vector<std::unique_ptr<Outer>> outers(kCount);
  std::vector<test::Program> programs;
  for (auto& outer : outers) {
    outer = std::make_unique<Outer>(create("kernel void inner() {}"));
    outer->missed = &missed, outer->called = &called;
    programs.push_back(create("kernel void k() {}"));
    CL_OK(clBuildProgram(programs.back(), 1, &device, "", Outer::notify, outer.get()));
  }
  for (int seen = called; seen < kCount; seen = called) called.wait(seen);
  EXPECT_EQ(0, missed);
}

// Section 5.8.2: invalid options are an error of the call itself, and the callback is not called.
TEST_F(BuildProgram, RefusesBadOptionsAtOnceEvenWithACallback) {
  const test::Program program = create("kernel void k() {}");
  Told never, told;
  CL_EXPECT(CL_INVALID_BUILD_OPTIONS,
            clBuildProgram(program, 1, &device, "-no-such-option", Told::notify, &never));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("-no-such-option"));
  CL_EXPECT(CL_INVALID_BUILD_OPTIONS,
            clBuildProgram(program, 1, &device, "-cl-nv-arch sm_999", Told::notify, &never));
  CL_EXPECT(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(program, 1, &device, "-no-such-option", 0, nullptr,
                                                          nullptr, Told::notify, &never));
  CL_OK(clBuildProgram(program, 1, &device, "", Told::notify, &told));
  EXPECT_EQ(program.get(), told.wait());
  EXPECT_EQ(nullptr, never.program);
}

TEST_F(BuildProgram, TakesTheOptionsOfTheSpecification) {
  const test::Program program = create("kernel void k(global float* a) { a[0] = sqrt(a[1]) * N + M; }");
  CL_EXPECT(CL_SUCCESS,
            clBuildProgram(
                program, 1, &device,
                "-D N=3 -DM=2 -w -Werror -g -cl-kernel-arg-info -cl-std=CL1.1 -cl-single-precision-constant "
                "-cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt -cl-strict-aliasing "
                "-cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-mad-enable -cl-no-signed-zeros "
                "-cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math",
                nullptr, nullptr));
  for (const char* options :
       {"-cl-opt-disable", "-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CL3.1",
        "-cl-nv-verbose -cl-nv-maxrregcount 32 -cl-nv-opt-level=1", "-cl-nv-maxrregcount=40"})
    CL_EXPECT(CL_SUCCESS,
              clBuildProgram(program, 1, &device, (std::string("-D N=1 -D M=2 ") + options).c_str(), nullptr,
                             nullptr));
}

TEST_F(BuildProgram, RefusesOptionsThatAreNone) {
  const test::Program program = create("kernel void k() {}");
  for (const char* options :
       {"-D", "-D 1=2", "-I", "-cl-std=CL9.9", "-cl-nv-maxrregcount", "-cl-nv-maxrregcount x",
        "-cl-nv-opt-level 9", "-cl-nv-arch sm_20", "-cl-nv-arch sm_9999", "-cl-nv-arch", "-create-library",
        "-x", "'open", "\"open", "word", "-cl-fast-relaxed-math2", "-cl-mad-enable=1"}) {
    CL_EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 1, &device, options, nullptr, nullptr))
        << options;
    EXPECT_EQ(CL_BUILD_ERROR, status(program)) << options;
  }
}

TEST_F(BuildProgram, WarningsAreToldOrRefused) {
  const test::Program program = create("#warning look here\nkernel void k() {}");
  CL_OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("look here"));
  CL_OK(clBuildProgram(program, 1, &device, "-w", nullptr, nullptr));
  EXPECT_EQ("", info(program, CL_PROGRAM_BUILD_LOG));
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "-Werror", nullptr, nullptr));
}

// C compilers only warned about these for decades; existing programs (ffmpeg's deshake filter, ufo-filters) contain
// them.
TEST_F(BuildProgram, OldSinsAreWarnedOf) {
  for (const char* body :
       {"ulong8 v = 0; private ulong* p = &v; *a = (int)p[0];", "int* p = 0; float* q = p; *a = q == 0;",
        "private int* p = 1; *a = p != 0;", "const n = 3; *a = n;", "*a = 0 < *a <= 5;"}) {
    SCOPED_TRACE(body);
    const test::Program program = create("kernel void k(global int* a) { " + std::string(body) + " }");
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr))
        << info(program, CL_PROGRAM_BUILD_LOG);
    EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("warning"));
    CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "-Werror", nullptr, nullptr));
  }
}

TEST_F(BuildProgram, ChainedComparisonsAreWarnedOfInCxx) {
  const test::Program program = create("kernel void k(global int* a) { *a = 0 < *a <= 5; }");
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, "-cl-std=CLC++", nullptr, nullptr));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("warning: chained comparison"));
}

// Runs the kernel `k` with one work-item and returns a[0].
class BuildAndRun : public BuildProgram {
 protected:
  cl_int result(cl_program program) const {
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer buffer = make_buffer(sizeof(cl_int));
    set_arguments(kernel, buffer);
    const size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return contents<cl_int>(buffer, 1)[0];
  }
};

TEST_F(BuildAndRun, MacrosKeepSpacesAndQuotes) {
  const char* source =
      "kernel void k(global int* a) { constant char* t = TEXT; a[0] = SUM; a[0] = a[0] * 10 + PLAIN + (t[1] "
      "== ' '); }";
  EXPECT_EQ(36, result(build(source, R"(-D "SUM=1 + 2" -D'PLAIN=5' -D TEXT=\"a\ b\")")));
}

TEST_F(BuildAndRun, FoldersOfHeadersMayHaveSpacesAndQuotes) {
  namespace fs = std::filesystem;
  std::string root = testing::TempDir() + "include_XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(root.data()));
  const fs::path one = fs::path(root) / "with a space", other = fs::path(root) / "it's";
  fs::create_directories(one);
  fs::create_directories(other);
  std::ofstream(one / "one.h") << "#define ONE 40";
  std::ofstream(other / "other.h") << "#define OTHER 2";
  const char* source =
      "#include \"one.h\"\n#include <other.h>\nkernel void k(global int* a) { a[0] = ONE + OTHER; }";
  EXPECT_EQ(42, result(build(source, "-I \"" + one.native() + "\" -I\"" + other.native() + "\"")));
  fs::remove_all(root);
}

TEST_F(BuildAndRun, InlineKernels) {
  EXPECT_EQ(3, result(build("inline kernel void k(global int* a) { a[0] = 3; }")));
  EXPECT_EQ(4, result(build("kernel inline void k(global int* a);\n"
                            "void kernel k(global int* a) { a[0] = 4; }")));
  EXPECT_EQ(5, result(build("inline kernel void k(global int* a) { a[0] = 5; }\n"
                            "kernel void other(global int* a) { k(a); }")));
  EXPECT_EQ(6, result(build("extern \"C\" { inline kernel void k(global int* a) { a[0] = 6; } }",
                            "-cl-std=CLC++")));
}

// Code for an older architecture runs on this device, also from a binary, because binaries contain PTX.
TEST_F(BuildAndRun, ForAnOlderArchitecture) {
  const test::Program program = build("kernel void k(global int* a) { a[0] = 42; }", "-cl-nv-arch sm_75");
  EXPECT_EQ(42, result(program));
  const std::vector<unsigned char> bytes = binary(program);
  const unsigned char* place = bytes.data();
  const size_t size = bytes.size();
  cl_int error = 1;
  const test::Program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &place, nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(loaded, 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(42, result(loaded));
}

// Section 5.8.2: a program cannot be built or linked while a build of it is in progress.
TEST_F(BuildProgram, WhatIsBeingBuiltIsLeftAlone) {
  std::string source;
  for (int i = 0; i < 50; ++i)
    source += "kernel void k" + std::to_string(i) + "(global float* a) { a[0] = pow(a[1], sin(a[2])); }\n";
  const test::Program program = create(source);
  Told told;
  CL_OK(clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, Told::notify, &told));
  CL_EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  CL_EXPECT(CL_INVALID_OPERATION,
            clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_int error = 1;
  EXPECT_EQ(nullptr, clLinkProgram(context, 1, &device, "", 1, program.list(), nullptr, nullptr, &error));
  CL_EXPECT(CL_INVALID_OPERATION, error);
  told.wait();
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
}

}  // namespace
