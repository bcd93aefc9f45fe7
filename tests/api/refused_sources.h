// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs that fail to build: invalid ones, and one for each limit other than time and memory.
#include <string>
#include <vector>

namespace test {

struct RefusedSource {
  const char* reason;  // a part of the build log
  std::string source;
  const char* options = "-cl-std=CL3.0";
};

namespace refused_sources {

inline std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

inline std::string body(const std::string& text) { return "kernel void k(global int* p) { " + text + " }\n"; }

// A0 is the text; each of 40 further macros is the previous one twice.
inline std::string doubling(const std::string& text) {
  std::string macros = "#define A0 " + text + "\n";
  for (int i = 1; i < 40; ++i) {
    const std::string previous = "A" + std::to_string(i - 1);
    macros += "#define A" + std::to_string(i) + " " + previous + " " + previous + "\n";
  }
  return macros;
}

inline std::string enqueued(const std::string& captured, const std::string& block) {
  return body(captured + "enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ " +
              block + " });");
}

}  // namespace refused_sources

// Errors that Clang finds.
inline std::vector<RefusedSource> wrong_sources() {
  using namespace refused_sources;
  return {
      {"expected expression", body("int a = ;")},
      {"undeclared", body(repeated("x = y;\n", 200))},
      {"file not found", "#include \"nothing.h\"\n"},
      {"no such device", "#error no such device\n"},
      {"conflicting types", "int f(int a) { return a; } float f(int b) { return b; }"},
      {"expected '}'", "kernel void k(global int* p) { if (p[0]) { for (;;) {"},
      {"bracket nesting", body(repeated("{", 3000))},
      {"input constraint", body("__asm__ volatile(\"nonsense %9\" : : \"Q\"(p[0]));")},
      {"must be a constant or a kernel argument",
       "kernel void k(read_only image2d_t i, global float4* p, int mode) {\n"
       "  const sampler_t s = mode;\n"
       "  p[0] = read_imagef(i, s, (int2)(0, 0));\n"
       "}\n"},
      {"changes address space", body("printf(p);"), "-cl-std=CL1.2"},
      {"template instantiation",
       "template <int n> struct T { static constexpr int v = T<n - 1>::v; };" + body("*p = T<5>::v;"),
       "-cl-std=CLC++2021"},
      {"constant expression",
       "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }" +
           body("constexpr int v = f(40); *p = v;"),
       "-cl-std=CLC++2021"},
  };
}

// Programs that exceed a limit of the parser.
inline std::vector<RefusedSource> unbounded_sources() {
  using namespace refused_sources;
  std::vector<RefusedSource> all = {
      {"nested too deeply", body("p[0] = " + repeated("-~", 9000) + "p[1];")},
      {"expression is too long", body(repeated("if (p[0]) ", 9000) + ";")},
      {"expression is too long", body("p[0] = 1" + repeated("+1", 30'000) + ";")},
      {"too many tokens", body(repeated("p[0] = 1;", 300'000))},
      {"too many macro expansions",
       "#define F(x) x x\n" + body(repeated("F(", 40) + "p;" + repeated(")", 40))},
      {"too many macro expansions",
       "#define F(x) x x\n#if 0 " + repeated("F(", 40) + "+1" + repeated(")", 40) + "\n#endif\n"},
      {"too many macro expansions", doubling("") + body("A39")},
      {"too many macro expansions", doubling("+1") + "#if 0 A39\n#endif\n"},
  };
  for (const char* kernel :
       {"kernel int k() { return 1; }", "kernel int x = 3;", "kernel void x;", "kernel void x",
        "kernel x[3];", "kernel void (*f)(int);", "kernel void f(int), x;", "kernel void f(kernel int x) {}",
        "kernel typedef void f(int);", "struct S { kernel int x; };", "void f(kernel int x) {}",
        "__attribute__((device_kernel)) int x;"})
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CLC++2021"})
      all.push_back({"a kernel must be a function", kernel, options});
  return all;
}

// Programs that our passes cannot translate.
inline std::vector<RefusedSource> untranslatable_sources() {
  using namespace refused_sources;
  return {
      {"recursive", "int f(int n) { return n ? f(n - 1) : 0; }" + body("*p = f(*p);")},
      {"undefined reference", "extern constant int c;" + body("*p = c;")},
      {"long double", "kernel void k(global long double* p) { p[0] = p[1] / p[2]; }"},
      {"elements",
       "typedef float v __attribute__((ext_vector_type(1000000)));"
       "kernel void k(global v* p) { p[0] = p[1] * p[2]; }"},
      {"bytes of arguments",
       "struct S { int a[9000]; }; kernel void k(global int* p, struct S s) { *p = s.a[*p]; }"},
      {"captures more", enqueued("struct { int v[1200]; } s; s.v[*p] = 1; ", "*p = s.v[p[1]];")},
      {"local variables", enqueued("", "local int l[12000]; l[*p] = 1; *p = l[p[1]];")},
  };
}

}  // namespace test
