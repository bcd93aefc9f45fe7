// SPDX-License-Identifier: Apache-2.0
// Sources that need more time or memory than a build may take. Each build ends soon, successfully or with a log that names the limit. Each
// test has its own process, so that its memory can be measured.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string>

#include "support/own_process.h"
#include "support/programs.h"
#include "support/sanitized.h"

namespace {

std::string numbered(int from, int to, const std::string& before, const std::string& after) {
  std::string text;
  for (int i = from; i < to; ++i) text += before + std::to_string(i) + after;
  return text;
}

class BuildLimits : public test::Programs {
 protected:
  struct Ending {
    cl_int code = CL_SUCCESS;
    std::string log;
  };

  // The limits are 20 s on two idle processors and 2 GB. Processor time is measured, because other processes may use the machine.
  Ending build_within_limits(const std::string& source, const char* options = "-cl-std=CL3.0") {
    const test::Program program = create(source);
    Ending ending;
    ending.code = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
    ending.log = info(program, CL_PROGRAM_BUILD_LOG);
    EXPECT_TRUE(ending.code == CL_SUCCESS || ending.code == CL_BUILD_PROGRAM_FAILURE)
        << test::error_name(ending.code) << ending.log;
    struct rusage used{};
    getrusage(RUSAGE_SELF, &used);
    if (!test::kSanitized) {
      EXPECT_LT(used.ru_utime.tv_sec + used.ru_stime.tv_sec, 40);
      EXPECT_LT(used.ru_maxrss / 1024, 2048);
    }
    return ending;
  }
  bool is_cpu() const {
    cl_device_type type = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    return (type & CL_DEVICE_TYPE_CPU) != 0;
  }
  void refused(const std::string& source, const std::string& reason, const char* options = "-cl-std=CL3.0") {
    const Ending ending = build_within_limits(source, options);
    EXPECT_EQ(ending.code, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(ending.log.find("error: "), std::string::npos) << ending.log;
    EXPECT_NE(ending.log.find(reason), std::string::npos) << ending.log.substr(0, 2000);
    build("kernel void next(global int* p) { *p = 1; }");
  }
};

constexpr char kMemoryLimit[] = "the build needs more than";

// Runs once more with CLCUDA_BUILD_TIME=1, in which a larger program of the same form is too much for any processor.
TEST_ALONE(BuildLimits, TimeIsConfigurable) {
  const char* wanted = std::getenv("CLCUDA_BUILD_TIME");
  const bool short_of_time = wanted && std::string(wanted) == "1";
  std::string source = "kernel void k(global int* p) { switch (p[1]) {";
  for (int i = 0; i < (short_of_time ? 100'000 : 3'000); ++i)
    source += "case " + std::to_string(i * 7) + ": p[" + std::to_string(i % 100) +
              "] = " + std::to_string(i) + "; break;\n";
  source += "}}";
  if (short_of_time)
    refused(source, "more than 1 s of processor time (CLCUDA_BUILD_TIME)");
  else
    EXPECT_EQ(build_within_limits(source).code, CL_SUCCESS);
}

// Clang 22 parses this for ever and allocates nothing. Runs with CLCUDA_BUILD_TIME=1.
TEST_ALONE(BuildLimits, EndlessParsing) {
  const char* wanted = std::getenv("CLCUDA_BUILD_TIME");
  if (!wanted || std::string(wanted) != "1") GTEST_SKIP() << "takes as long as a build may";
  if (test::kSanitized) GTEST_SKIP() << "sanitized, a build has no bounds";
  for (int i = 0; i < 2; ++i)
    refused("kernel void k(global int* p) { p[0] = (:::int)1; }", "does not come to an end");
}

// The same in a program that has its own handlers for some of the signals that interrupt threads.
TEST_ALONE(BuildLimits, EndlessParsingBesideHandlers) {
  const char* wanted = std::getenv("CLCUDA_BUILD_TIME");
  if (!wanted || std::string(wanted) != "1") GTEST_SKIP() << "takes as long as a build may";
  if (test::kSanitized) GTEST_SKIP() << "sanitized, a build has no bounds";
  build("kernel void first(global int* p) { *p = 1; }");
  for (const int number : {SIGILL, SIGTRAP, SIGSEGV}) signal(number, [](int) { _exit(1); });
  refused("kernel void k(global int* p) { p[0] = (:::int)1; }", "does not come to an end");
}

// What constructs and destroys the objects of a program cannot be stopped, but is not waited for. Runs with CLCUDA_BUILD_TIME=1. The
// driver of a GPU may wait for it at the end of the process.
TEST_ALONE(BuildLimits, EndlessConstructors) {
  const char* wanted = std::getenv("CLCUDA_BUILD_TIME");
  if (!wanted || std::string(wanted) != "1") GTEST_SKIP() << "takes as long as a build may";
  if (!is_cpu()) GTEST_SKIP() << "the driver may wait for the kernel when the process ends";
  const std::string begin = "struct S { int x; S() { x = 3; ", middle = "} ~S() { ",
                    end = "} }; S s; kernel void k(global int* a) { a[0] = s.x; }",
                    endless = "volatile int i = 1; while (i) i = i | 1; ";
  const char* options = "-cl-std=CLC++2021";
  refused(begin + endless + middle + end, "too long (CLCUDA_BUILD_TIME)", options);
  const test::Program program = create(begin + middle + endless + end);
  CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, options, nullptr, nullptr));
}

TEST_ALONE(BuildLimits, DeviceFilesAreNotIncluded) {
  refused("#include \"/dev/zero\"\n", "/dev/zero");
  refused("kernel void k(global int* p) { p[0] = sizeof((char[]){\n#embed \"/dev/zero\"\n}); }", "/dev/zero");
}

TEST_ALONE(BuildLimits, PipesAreNotIncluded) {
  std::string folder(testing::TempDir() + "limits_XXXXXX");
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string pipe = folder + "/pipe.h";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  refused("#include \"" + pipe + "\"\n", "pipe.h");
  unlink(pipe.c_str());
  rmdir(folder.c_str());
}

TEST_ALONE(BuildLimits, LargeFilesAreNotIncluded) {
  std::string path(testing::TempDir() + "limits_XXXXXX");
  const int file = mkstemp(path.data());
  ASSERT_EQ(ftruncate(file, 300 << 20), 0);
  refused("#include \"" + path + "\"\n", path);
  close(file);
  unlink(path.c_str());
}

TEST_ALONE(BuildLimits, InitialValuesFarOut) {
  refused("constant char a[] = {[60000000] = 1}; kernel void k(global char* p) { *p = a[*p]; }",
          kMemoryLimit);
}
TEST_ALONE(BuildLimits, InitialValuesFurtherOut) {
  refused("constant char a[] = {[2000000000] = 1}; kernel void k(global char* p) { *p = a[*p]; }",
          kMemoryLimit);
}

TEST_ALONE(BuildLimits, TreesOfTemplates) {
  const Ending ending = build_within_limits(
      "template<int D, int P> struct T { T<D - 1, 2 * P> a; T<D - 1, 2 * P + 1> b; int f() { return a.f() + "
      "b.f(); } };\n"
      "template<int P> struct T<0, P> { int f() { return P; } };\n"
      "kernel void k(global int* p) { T<18, 1> t; *p = t.f(); }",
      "-cl-std=CLC++2021");
  EXPECT_EQ(ending.code, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(ending.log.find("the build "), std::string::npos) << ending.log.substr(0, 2000);
}

TEST_ALONE(BuildLimits, ManyCallsOfALargeFunction) {
  std::string f = "int f(int* a, int n) {\n";
  for (int i = 0; i < 40; ++i)
    f += "  a[(n + " + std::to_string(i) + ") & 15] += a[n * " + std::to_string(2 * i + 3) +
         " & 15] ^ n; n = a[n & 15] * 31 + " + std::to_string(i) + ";\n";
  f += "  return n; }\n";
  const Ending ending =
      build_within_limits(f +
                          "kernel void k(global int* p) { int a[16]; for (int i = 0; i < 16; ++i) a[i] = "
                          "p[i]; int n = p[16];\n" +
                          numbered(0, 1000, "n += f(a, n ^ ", ");\n") + "p[0] = n; }");
  EXPECT_EQ(ending.code, CL_SUCCESS) << ending.log.substr(0, 2000);
}

// Each function calls the one before it twice.
TEST_ALONE(BuildLimits, DoublingCalls) {
  std::string source = "int f0(int* a, int n) { a[n & 15] += n; return a[(n * 7) & 15]; }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string callee = "f" + std::to_string(i - 1);
    source += "int f" + std::to_string(i) + "(int* a, int n) { return " + callee + "(a, n) + " + callee +
              "(a, n + 1); }\n";
  }
  build_within_limits(source + "kernel void k(global int* p) { int a[16] = {1}; p[0] = f39(a, p[1]); }");
}

TEST_ALONE(BuildLimits, DoublingInclusion) {
  std::string path(testing::TempDir() + "limits_XXXXXX");
  const int file = mkstemp(path.data());
  const std::string text =
      "#if __INCLUDE_LEVEL__ < 190\n#include \"" + path + "\"\n#include \"" + path + "\"\n#endif\n";
  ASSERT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  refused("#include \"" + path + "\"\n", "included");
  close(file);
  unlink(path.c_str());
}

TEST_ALONE(BuildLimits, UnrolledLoops) {
  std::string body;
  for (int i = 0; i < 100; ++i) body += "n = n * " + std::to_string(2 * i + 3) + " + p[n & 1023];\n";
  build_within_limits(
      "kernel void k(global int* p) { int n = p[0];\n"
      "__attribute__((opencl_unroll_hint(1000000)))\nfor (int i = 0; i < 1000000; ++i) {" +
      body + "}\np[0] = n; }");
  build_within_limits(
      "kernel void k(global int* p) { int n = p[0];\n"
      "#pragma unroll\nfor (int i = 0; i < 3000; ++i)\n#pragma unroll\nfor (int j = 0; j < 3000; ++j) "
      "n = n * 3 + p[n & 1023];\np[0] = n; }");
}

// As in a chain of hashes: long straight-line code that mixes 64 numbers, then loops, each of which concerns only eight of them.
TEST_ALONE(BuildLimits, LongComputationsAreOptimized) {
  if (test::kSanitized) GTEST_SKIP() << "sanitized, optimisation takes longer than it may";
  std::mt19937 random{std::random_device{}()};
  const auto name = [](unsigned i) { return "x" + std::to_string(i); };
  const auto any = [&] { return name(random() % 64); };
  std::string body;
  for (int part = 0; part < 13; ++part) {
    for (int line = 0; line < 150; ++line)
      body +=
          any() + " ^= rotate(" + any() + ", " + std::to_string(1 + random() % 30) + "u) & " + any() + ";\n";
    for (unsigned first = 0; first < 64; first += 8) {
      body += "#pragma unroll 1\nfor (uint i = 0; i < 9; ++i) {\n";
      for (unsigned i = 0; i < 8; ++i)
        body +=
            name(first + i) + " += " + name(first + (i + 3) % 8) + " ^ c[i + " + std::to_string(i) + "];\n";
      body += "}\n";
    }
  }
  std::string loads, stores;
  for (unsigned i = 0; i < 64; ++i) {
    const std::string element = "a[get_global_id(0) * 64 + " + std::to_string(i) + "]";
    loads += "uint " + name(i) + " = " + element + ";\n";
    stores += element + " = " + name(i) + ";\n";
  }
  const Ending ending = build_within_limits("kernel void k(global uint* a, constant uint* c) {\n" + loads +
                                            body + stores + "}");
  EXPECT_EQ(ending.code, CL_SUCCESS);
  EXPECT_EQ(ending.log.find("takes long"), std::string::npos) << ending.log;
}

TEST_ALONE(BuildLimits, LoopsOfTheCompiler) {
  refused(
      "constexpr int f(int n) { int s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) s += i ^ "
      "j; "
      "return s & 1; }\n"
      "constant int value = f(1000000); constexpr int other = f(1000000);\n"
      "kernel void k(global int* p) { p[0] = other; }",
      "constant expression", "-cl-std=CLC++2021");
}

TEST_ALONE(BuildLimits, LargeTypes) {
  build_within_limits(
      "struct A { int a[1 << 28]; }; struct B { struct A a[1 << 20]; };\n"
      "kernel void k(global struct B* p, global struct B* q) { *p = *q; }");
  build_within_limits(
      "struct A { int a[1 << 20]; };\n"
      "kernel void k(global struct A* p) { struct A a = *p; a.a[p->a[0]] = 1; *p = a; }");
  // The memory and time of ptxas are not limited yet: on a GPU it takes minutes for this source.
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  if (type & CL_DEVICE_TYPE_GPU) return;
  build_within_limits(
      "typedef float v __attribute__((ext_vector_type(4096)));\n"
      "kernel void k(global v* p) {" +
      numbered(0, 40, "p[0] = p[0] * p[1] + ", ";") + "}");
}

// Mangled names of functions whose parameter is a function of two such functions, and so on: as text, each is twice as long as the last.
TEST_ALONE(BuildLimits, NamesThatDouble) {
  const auto name_of = [](unsigned levels) {
    const auto reference = [](unsigned i) {
      constexpr char kDigits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
      const std::string before = i == 0 ? "" : i <= 36 ? "" : std::string(1, kDigits[(i - 1) / 36]);
      return "S" + before + (i == 0 ? "" : std::string(1, kDigits[(i - 1) % 36])) + "_";
    };
    std::string name = "_Z1fPi";
    for (unsigned i = 0; i < levels; ++i) name += "Fv" + reference(i) + reference(i) + "E";
    return name;
  };
  refused("void f(int*); kernel void k(global int* p) { int x; f(&x); }", "undefined reference to");
  for (const unsigned levels : {3u, 20u, 27u, 60u}) {
    const std::string name = name_of(levels);
    const Ending ending =
        build_within_limits("void " + name + "(int);\nkernel void k(global int* p) { " + name + "(1); }");
    EXPECT_EQ(ending.code, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(ending.log.find("undefined reference to"), std::string::npos);
    EXPECT_LT(ending.log.size(), 10'000u);
    refused("void " + name + "(global int*);\nkernel void k(global int* p) { " + name + "(p); }",
            "undefined reference to");
  }
}

// A chain of macros, which is used beside many definitions of others.
TEST_ALONE(BuildLimits, ChainsOfMacros) {
  constexpr int kMacros = 10'000;
  const std::string last = "m" + std::to_string(kMacros) + "(1)";
  std::string source = "#define m0(x) x\n#define drop(x)\n";
  for (int i = 1; i <= kMacros; ++i)
    source += "#define m" + std::to_string(i) + "(x) m" + std::to_string(i - 1) + "(x)\n";
  source += numbered(0, kMacros, "#define other", "\ndrop(" + last + ")\n");
  EXPECT_EQ(build_within_limits(source + "kernel void k(global int* p) { *p = " + last + "; }").code,
            CL_SUCCESS);
}

// Builds that are given up do not release all of their memory. Runs with CLCUDA_BUILD_MEMORY=64.
TEST_ALONE(BuildLimits, MemoryOfBuildsThatAreGivenUp) {
  const char* wanted = std::getenv("CLCUDA_BUILD_MEMORY");
  if (!wanted || std::string(wanted) != "64") GTEST_SKIP() << "takes too much memory";
  if (test::kSanitized) GTEST_SKIP() << "sanitized, a build has no bounds";
  const std::string source =
      "kernel void k(global int* p) {" + numbered(0, 60'000, "p[", "] += p[0];\n") + "}";
  struct rusage used{};
  long first = 0;
  for (int i = 0; i < 12; ++i) {
    const Ending ending = build_within_limits(source);
    EXPECT_EQ(ending.code, CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(ending.log.find(kMemoryLimit), std::string::npos) << ending.log.substr(0, 2000);
    getrusage(RUSAGE_SELF, &used);
    if (i == 0) first = used.ru_maxrss;
  }
  EXPECT_LT((used.ru_maxrss - first) >> 10, 5 * 64);
}

TEST_ALONE(BuildLimits, LargeStrings) {
  const auto string_of = [](std::size_t megabytes) {
    return "kernel void k(global char* p) { constant char* s = \"" + std::string(megabytes << 20, 'x') +
           "\"; *p = s[*p]; }";
  };
  refused(string_of(20), "initial values");
  EXPECT_EQ(build_within_limits(string_of(4)).code, CL_SUCCESS);
}

}  // namespace
