// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <thread>

#include "compiler/build_thread.h"
#include "support.h"
#include "support/sanitized.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::refused;

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string body(const std::string& text) { return "kernel void k(global int* p) { " + text + " }"; }

TEST(Robustness, DeepPrograms) {
  refused(body("p[0] = " + repeated("-~", 40000) + "p[1];"));
  refused(body("p[0] = " + repeated("(", 100000) + "1" + repeated(")", 100000) + ";"));
  refused(body(repeated("{", 100000) + repeated("}", 100000)));
  refused(body(repeated("if (p[0]) ", 50000) + "p[0] = 2;"));
  refused(body("p[0] = " + repeated("p[0] ? 1 : ", 50000) + "2;"));
  refused("kernel void k(global int" + repeated("*", 200000) + " p) {}");
  std::string chain = "int x = p[0]; if (x == 0) p[0] = 1;";
  for (int i = 1; i < 20000; ++i)
    chain += "else if (x == " + std::to_string(i) + ") p[0] = " + std::to_string(i * 7) + ";\n";
  refused(body(chain));
}

TEST(Robustness, DoublingMacros) {
  std::string object_like = "#define A0 x\n", nested = "p[0]++;";
  for (int i = 1; i < 40; ++i) {
    const std::string previous = "A" + std::to_string(i - 1);
    object_like += "#define A" + std::to_string(i) + " " + previous + " " + previous + "\n";
    nested = "F(" + nested + ")";
  }
  refused(object_like + body("A39"));
  for (const char* macros : {"#define F(x) x x\n", "#define G(x) x x\n#define F(x) G(x)\n",
                             "#define G(n, x) x n x\n#define F(x) G(, x)\n"})
    EXPECT_NE(refused(macros + body(nested)).find("too many macro expansions"), std::string::npos) << macros;
}

// Only a macro's parameters multiply the text: this one's other names do not.
TEST(Robustness, NestedMacrosWithManyNames) {
  std::string nested = "p[0]";
  for (int i = 0; i < 40; ++i) nested = "F(" + nested + ")";
  built("#define F(x) (x + p[1] * p[2] - p[3] * p[4])\n" + body("p[0] = " + nested + ";"));
}

// Each argument counts for itself: a polynomial by nested calls that use each argument once is as long as its text.
TEST(Robustness, NestedMacrosOfSeveralParameters) {
  for (const char* macro : {"#define MAD(x, y, z) mad(x, y, z)\n", "#define MAD(x, y, z) ((x) * (y) + (z))\n",
                            "#define M(x, ...) mad(x, __VA_ARGS__)\n#define MAD(x, y, z) M(x, y, z)\n"}) {
    std::string nested = "f[0]";
    for (int i = 0; i < 40; ++i) nested = "MAD(f[" + std::to_string(i) + "], f[1], " + nested + ")";
    built(std::string(macro) + "kernel void k(global float* f) { f[0] = " + nested + "; }");
  }
  std::string doubled = "f[0]";
  for (int i = 0; i < 40; ++i) doubled = "MAD(f[1], f[2], " + doubled + ")";
  EXPECT_NE(refused("#define MAD(x, y, z) ((x) * (z) + (y) * (z))\nkernel void k(global float* f) { f[0] = " +
                    doubled + "; }")
                .find("too many macro expansions"),
            std::string::npos);
}

// An argument may become several, and what a name stands for may change.
TEST(Robustness, NestedMacrosThatSplitTheirArguments) {
  for (const char* macros : {"#define F(a, b) b + b\n#define G(...) F(__VA_ARGS__)\n",
                             "#define F(a, b, c) c + c\n#define G(a, ...) F(a, __VA_ARGS__)\n",
                             "#define F(a, b) b\n#define G(a, b) F(a, b)\nint i = G(1, 2);\n#undef F\n"
                             "#define F(a, b) b + b\n"}) {
    const bool has_three = std::string(macros).find("c + c") != std::string::npos;
    std::string nested = "p[0]";
    for (int i = 0; i < 40; ++i) nested = (has_three ? "G(1, 1, " : "G(1, ") + nested + ")";
    EXPECT_NE(refused(macros + body("p[0] = " + nested + ";")).find("too many macro expansions"),
              std::string::npos)
        << macros;
  }
  std::string identity = "1";
  for (int i = 0; i < 20000; ++i) identity = "I(" + identity + ")";
  EXPECT_NE(refused("#define I(x) x\n" + body("p[0] = " + identity + ";")).find("too many macro expansions"),
            std::string::npos);
}

TEST(Robustness, WhatTheLanguageForbids) {
  EXPECT_NE(refused("int g(int); int f(int x) { return x ? g(x - 1) : 0; } int g(int x) { return f(x); }" +
                    body("p[0] = f(p[1]);"))
                .find("recursive"),
            std::string::npos);
  refused("#include \"/proc/self/no such file\"\n");
  refused("kernel void k(int (*f)(int)) {}");
  refused("kernel int k() { return 1; }");
  refused("kernel void k(global int* p) { p[0] = undeclared(1); }");
  refused("kernel void k(image2d_t i) {}");
  refused("extern constant int c; kernel void k(global int* p) { *p = c; }");
  for (const char* misplaced :
       {"kernel int x;", "kernel int x = 3;", "kernel typedef void f(int);", "kernel void (*f)(int);",
        "kernel void f(int), x;", "struct S { kernel int x; };", "void f(kernel int x) {}",
        "void f() { kernel int x; }", "kernel;", "kernel struct S { int a; } x;", "kernel int x[3];",
        "__attribute__((device_kernel)) int x;", "kernel typeof(1) x;", "kernel void f(kernel int x) {}"}) {
    refused(misplaced);
  }
  for (const char* misplaced :
       {"namespace n { kernel int x; }", "namespace n { struct S { kernel int x; }; }",
        "namespace { void f() { kernel int x; } }", "extern \"C\" { kernel struct S { int a; } x; }",
        "extern \"C\" void f() { kernel int x; }", "namespace n { } void f() { kernel int x; }",
        "using namespace n; void f() { kernel int x; }", "namespace n = ::m; struct S { kernel int x; };",
        "namespace n { namespace m { } struct S { kernel int x; }; }"})
    EXPECT_NE(refused(misplaced, "-cl-std=CLC++2021").find("a kernel must be a function"), std::string::npos)
        << misplaced;
  built(
      "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void a(global int* p); __kernel void a(global "
      "int* p) {}\n"
      "static int f(int x) { return x; } void kernel b() {} kernel void c(void) "
      "__attribute__((work_group_size_hint(1, 1, 1)));");
}

TEST(Robustness, TypesBeyondTheDevice) {
  const auto vector_of = [](const std::string& elements) {
    return "typedef float v __attribute__((ext_vector_type(" + elements +
           "))); kernel void k(global v* p) { p[0] = p[1] * p[2]; }";
  };
  built(vector_of("64"));
  EXPECT_NE(refused(vector_of("1000000")).find("1000000 elements"), std::string::npos);
  EXPECT_NE(refused("kernel void k(global long double* p) { p[0] = p[1] / p[2]; }").find("long double"),
            std::string::npos);
  built(body("int a[1000000]; a[p[0]] = 1; p[0] = a[p[1]];"));
  build(body("local int a[100000000]; a[p[0]] = 1; p[0] = a[p[1]];"), "", testing::kTarget,
        testing::features());
}

TEST(Robustness, MisusedLanguage) {
  for (const char* source :
       {"int f(int n, ...) { return n; } kernel void k(global int* p) { p[0] = f(1, 2); }",
        "kernel void k(global char* f, int n) { printf(f, n); }",
        "kernel void k(int n) { char f[] = \"a%d\"; printf(f, n); }", "kernel void k(int n) { printf(n); }",
        "kernel void k(global int** p) { **p = 1; }",
        "kernel void k(global int* p, int n) { int a[n]; p[0] = a[0]; }",
        "kernel void k(global int* p) { local int* l = (local int*)p; *l = 1; }",
        "kernel void k(global int* p) { global int* q = &p; }",
        "typedef int (*F)(int); int a(int x) { return x; } kernel void k(global int* p) { F f = a; p[0] = "
        "f(p[0]); }",
        "__attribute__((alias(\"nothing\"))) void f(); kernel void k() { f(); }",
        "kernel void k(global int* p) { p[0] = __builtin_setjmp((void*)0); }",
        "kernel void k(global _BitInt(4000)* p) { p[0] = p[1] * p[2]; }",
        "kernel void k(global _Complex float* p) { p[0] = p[1] * p[2]; }"}) {
    refused(source, "-cl-std=CL2.0");
  }
  // Undefined at run time, but valid programs.
  for (const char* source : {"kernel void k(int n) { printf(\"%d %s %n %*d\\n\", n); }",
                             "kernel void k() { printf(\"%v4hlf %v5d %v99hld\", 1.0f, 2, 3); }",
                             "kernel void k(global int* p) { __builtin_trap(); __builtin_alloca(p[0]); }",
                             "kernel void k(global int* p) { goto *(&&x + p[0]); x: p[0] = 1; }"}) {
    build(source, "-cl-std=CL2.0", testing::kTarget, testing::features());
  }
}

// An error that a pass reports fails the build, a warning does not.
TEST(Robustness, SeverityOfMessages) {
  const std::string log = refused("kernel void k(constant char* f) { printf(f); }");
  EXPECT_NE(log.find("error: in function 'k': the format of printf is not a string literal"),
            std::string::npos)
      << log;
  const Outcome warned = build("kernel void k(constant char* s) { printf(\"%s\", s); }", "-cl-std=CL3.0",
                               testing::kTarget, testing::features());
  EXPECT_EQ(warned.status, Status::success) << warned.log;
  EXPECT_NE(warned.log.find("warning: in function 'k': %s of printf prints string literals only"),
            std::string::npos)
      << warned.log;
}

TEST(Robustness, TenMegabytes) {
  std::string statements;
  for (int i = 0; statements.size() < 10'000'000; ++i) {
    const std::string n = std::to_string(i % 777);
    statements += "a = a * " + std::to_string(i * 3 + 1) + " + p[" + n + "]; p[" + n + "] = a;\n";
  }
  refused(body("int a = p[0];\n" + statements));
}

// The cases are so sparse that a jump table would have seven times as many entries. LLVM needs quadratic time for these, which exceeds the
// limit for builds. The first program is about as large as what is optimized.
TEST(Robustness, ManyCases) {
  for (const int count : {9'500, 50'000}) {
    if (test::kSanitized && count > 10'000) continue;  // half a minute
    std::string cases;
    for (int i = 0; i < count; ++i)
      cases += "case " + std::to_string(i * 7) + ": p[" + std::to_string(i % 100) +
               "] = " + std::to_string(i * 3) + "; break;\n";
    const std::string ptx = built(body("switch (p[1]) {" + cases + "}")).uniform.ptx;
    EXPECT_EQ(testing::count(ptx, "brx.idx"), 0u);
  }
}

// LLVM's straight-line strength reduction compares all pairs of these additions, which exceeds the limit for builds.
TEST(Robustness, ManyAdditionsOfOneValue) {
  const std::string ptx =
      built(body("int x = p[0], y = p[1];\n" + repeated("x = x * x + y;\n", 1'500) + "p[0] = x;"))
          .uniform.ptx;
  EXPECT_EQ(testing::count(ptx, "mad.lo.s32"), 1'500u);
}

// LLVM cannot pass them. Found by mutated programs.
TEST(Robustness, HugeArguments) {
  const std::string type = "typedef struct { int a; char rest[4294967295]; } Huge;\n";
  for (const char* rest :
       {"kernel void k(global int* p, Huge h) { *p = h.a; }",
        "int f(Huge h) { return h.a; } kernel void k(global Huge* p) { p[0].a = f(p[1]); }"})
    EXPECT_NE(std::string::npos, refused(type + rest).find("takes more than 1 GB")) << rest;
}

TEST(Robustness, NothingAtAll) {
  EXPECT_TRUE(built("").kernels.empty());
  EXPECT_TRUE(built("\n\n// nothing").kernels.empty());
}

TEST(Robustness, InvalidInlineAssembly) {
  // Clang does not check this; ptxas will reject it. The build must end.
  build("kernel void k(global int* p) { __asm__ volatile(\"nonsense %0\" : : \"r\"(p[0])); }", "",
        testing::kTarget, testing::features());
  refused("kernel void k(global int* p) { __asm__ volatile(\"nonsense %9\" : : \"Q\"(p[0])); }");
}

TEST(Robustness, ManyThreadsAtOnce) {
  const char* source = "kernel void k(global float* p) { p[get_global_id(0)] = sin(p[0]) / p[1]; }";
  const std::string expected = built(source).uniform.ptx;
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 4; ++i) {
        const bool deep = (t + i) % 2;
        const Outcome outcome = build(deep ? body("p[0] = " + repeated("-~", 40000) + "p[1];") : source,
                                      "-cl-std=CL3.0", testing::kTarget, testing::features());
        wrong += deep ? outcome.status != Status::failure : outcome.program.uniform.ptx != expected;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// A real program with tokens deleted, duplicated and exchanged: any outcome except a crash or a failed verification is valid.
TEST(Robustness, MutatedPrograms) {
  const std::vector<std::string> tokens = {
      "kernel",  " void",      " k",   "(",      "global",  " float4", "*",       " p",
      ",",       "constant",   " int", "*",      " c",      ",",       "local",   " double",
      "*",       " l",         ")",    "{",      "int",     " i",      "=",       "get_global_id",
      "(",       "0",          ")",    ";",      "for",     "(",       "int",     " j",
      "=",       "0",          ";",    "j",      "<",       "c",       "[",       "i",
      "]",       ";",          "j",    "++",     ")",       "{",       "l",       "[",
      "j",       "]",          "+=",   "p",      "[",       "j",       "]",       ".",
      "x",       "/",          "sqrt", "(",      "p",       "[",       "i",       "]",
      ".",       "y",          ")",    ";",      "barrier", "(",       "1",       ")",
      ";",       "}",          "p",    "[",      "i",       "]",       "=",       "(",
      "float4",  ")",          "(",    "l",      "[",       "i",       "]",       ")",
      ";",       "atomic_add", "(",    "(",      "global",  " int",    "*",       ")",
      "p",       ",",          "1",    ")",      ";",       "if",      "(",       "i",
      ">",       "3",          ")",    "return", ";",       "else",    " switch", "(",
      "i",       ")",          "{",    "case",   " 1",      ":",       "break",   ";",
      "default", ":",          "p",    "[",      "0",       "]",       ".",       "xy",
      "=",       "1.0f",       ";",    "}",      "}"};
  std::mt19937 random(std::random_device{}());
  const auto seed = random();
  SCOPED_TRACE(seed);
  random.seed(seed);
  int good = 0;
  for (int round = 0; round < (test::kSanitized ? 100 : 300); ++round) {
    std::vector<std::string> mutant = tokens;
    for (unsigned edits = random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % mutant.size(), from = random() % mutant.size();
      if (random() % 3 == 0)
        mutant.erase(mutant.begin() + at);
      else if (random() % 2)
        mutant.insert(mutant.begin() + at, mutant[from]);
      else
        std::swap(mutant[at], mutant[from]);
    }
    std::string source;
    for (const std::string& token : mutant) source += token;
    const Outcome outcome = build(source, "-cl-std=CL3.0", testing::kTarget, testing::features());
    EXPECT_TRUE(outcome.status == Status::success || outcome.status == Status::failure);
    EXPECT_EQ(outcome.log.find("internal error"), std::string::npos) << outcome.log << source;
    good += outcome.status == Status::success;
  }
  EXPECT_GT(good, 10);
}

// OpenCL C 6.15.15.1. Clang takes these for samplers until it generates code.
TEST(Robustness, SamplersThatAreNotConstant) {
  const auto filter = [](const std::string& sampler) {
    return "float4 at(read_only image2d_t in, int n) { return read_imagef(in, " + sampler +
           ", (int2)(0)); }\n"
           "kernel void k(read_only image2d_t in, global float4* out, int n) { *out = at(in, n); }\n";
  };
  DeviceFeatures with_images = testing::features();
  with_images.features.emplace_back("__opencl_c_images");
  for (const char* sampler : {"n", "n ? CLK_FILTER_NEAREST : CLK_FILTER_LINEAR", "get_global_id(0)"}) {
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-single-precision-constant"}) {
      const Outcome outcome = build(filter(sampler), options, testing::kTarget, with_images);
      EXPECT_EQ(outcome.status, Status::failure);
      EXPECT_NE(outcome.log.find("sampler must be a constant"), std::string::npos) << outcome.log;
    }
  }
  const Outcome outcome = build(filter("1 ? CLK_FILTER_NEAREST : CLK_FILTER_LINEAR"), "-cl-std=CL3.0",
                                testing::kTarget, with_images);
  EXPECT_EQ(outcome.status, Status::success) << outcome.log;
}

// Clang dereferences a null pointer here: the reference to the conversion's result would have to be in the generic address space.
TEST(Robustness, SourceThatClangCannotTake) {
  constexpr const char* kSource =
      "kernel void k(global int* p) { int v = 3; p[0] = static_cast<const float&>(v) > 1.0f; }";
  EXPECT_NE(refused(kSource, "-cl-std=CLC++2021"), "");
}

TEST(Robustness, FaultOfTheCompilerIsAFailedBuild) {
  int volatile* volatile nowhere = nullptr;
  EXPECT_THROW(run_on_build_thread([&] { *nowhere = 1; }), CompilerFault);
  EXPECT_THROW(run_on_build_thread([] { __builtin_debugtrap(); }), CompilerFault);
  run_on_build_thread([] {});
}

}  // namespace

}  // namespace clcuda::compiler
