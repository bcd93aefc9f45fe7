// SPDX-License-Identifier: Apache-2.0
// printf (OpenCL C 6.15.14): each conversion compared with the host's, and when output is written.
#include <CL/cl_ext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "support/opencl.h"

namespace {

using test::Buffer;
using test::Event;
using test::Kernel;
using test::Program;
using test::Queue;

// Captures standard output during its lifetime.
class Capture {
 public:
  Capture() {
    std::fflush(stdout);
    dup2(fileno(file_), STDOUT_FILENO);
  }
  ~Capture() { stop(); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // The output so far. Nothing is flushed here, because the runtime must have done that.
  std::string text() const {
    std::string text(static_cast<std::size_t>(lseek(fileno(file_), 0, SEEK_END)), '\0');
    const ssize_t size = pread(fileno(file_), text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::istringstream stream(text());
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  void stop() {
    if (saved_ < 0) return;
    std::fflush(stdout);
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
    saved_ = -1;
  }

 private:
  std::FILE* const file_ = std::tmpfile();
  int saved_ = dup(STDOUT_FILENO);
};

template <class T>
std::string formatted(const std::string& format, T value) {
  std::array<char, 1024> text;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  return text.data();
}

template <class T>
std::string formatted_vector(const std::string& format, const std::vector<T>& values) {
  std::string text;
  for (const T value : values) text += (text.empty() ? "" : ",") + formatted(format, value);
  return text;
}

std::size_t below(std::size_t limit) { return static_cast<std::size_t>(test::random_engine()() % limit); }

std::string random_flags(const std::string& allowed) {
  std::string flags;
  for (const char flag : allowed)
    if (below(3) == 0) flags += flag;
  return flags;
}
std::string random_field(std::size_t precisions) {
  std::string field;
  if (below(2)) field += std::to_string(1 + below(30));
  if (below(2)) field += "." + std::to_string(below(precisions));
  return field;
}

class Printf : public test::OpenCL {
 protected:
  void run(cl_kernel kernel, std::size_t items = 1, std::size_t offset = 0) {
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &items, nullptr, 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
  }
  // Runs a kernel with these statements, and compares the lines printed.
  template <class... Arguments>
  void expect_lines(const std::string& parameters, const std::string& statements,
                    const std::vector<std::string>& expected, const Arguments&... arguments) {
    Program program = build("kernel void k(" + parameters + ") {\n" + statements + "}\n");
    EXPECT_EQ(lines_of(program, arguments...), expected) << statements;
  }
  // The lines that kernel `k` prints.
  template <class... Arguments>
  std::vector<std::string> lines_of(cl_program program, const Arguments&... arguments) {
    Kernel kernel = make_kernel(program, "k");
    set_arguments(kernel, arguments...);
    Capture capture;
    run(kernel);
    return capture.lines();
  }
};

TEST_F(Printf, IntegersOfEveryLength) {
  const auto value = static_cast<cl_long>(test::random_engine()());
  const auto small = static_cast<cl_int>(test::random_engine()());
  std::string statements;
  std::vector<std::string> expected;
  for (const char conversion : std::string("diouxX")) {
    for (const std::string length : {"", "hh", "h", "l"}) {
      for (int i = 0; i < 4; ++i) {
        const bool is_signed = conversion == 'd' || conversion == 'i';
        const std::string allowed = is_signed ? "-+ 0" : conversion == 'u' ? "-0" : "-#0";
        const std::string format =
            "[%" + random_flags(allowed) + random_field(25) + length + conversion + "]";
        statements += "printf(\"" + format + "\\n\", " + (length == "l" ? "value" : "small") + ");\n";
        expected.push_back(length == "l" ? formatted(format, value) : formatted(format, small));
      }
    }
  }
  for (const std::string length : {"hh", "h", ""}) {
    statements += "printf(\"%" + length + "d %" + length + "u\\n\", small, small);\n";
    expected.push_back(formatted("%" + length + "d ", small) + formatted("%" + length + "u", small));
  }
  statements += "printf(\"%.0d|%c|%5c|%-3c|\\n\", 0, 'x', small, 66);\n";
  expected.push_back("|x|" + formatted("%5c", small) + "|B  |");
  if (static_cast<char>(small) == '\0' || static_cast<char>(small) == '\n')
    statements.clear(), expected.clear();
  expect_lines("long value, int small", statements, expected, value, small);
}

// size_t and ptrdiff_t, since OpenCL C 3.1.
TEST_F(Printf, SizesAndDifferences) {
  std::vector<cl_ulong> values = {0,           1,           ~cl_ulong{0}, cl_ulong{1} << 63,
                                  0x7fffffffu, 0x80000000u, 0x100000000u};
  for (int i = 0; i < 5; ++i) values.push_back(test::random_engine()() >> below(64));
  std::string statements;
  std::vector<std::string> expected;
  for (const char conversion : std::string("diouxX")) {
    for (const char length : std::string("zt")) {
      for (int i = 0; i < 4; ++i) {
        const bool is_signed = conversion == 'd' || conversion == 'i';
        const std::string allowed = is_signed ? "-+ 0" : conversion == 'u' ? "-0" : "-#0";
        const std::string format =
            "[%" + random_flags(allowed) + random_field(25) + length + conversion + "]";
        const std::size_t index = below(values.size());
        statements += "printf(\"" + format + "\\n\", (" + (length == 'z' ? "size_t" : "ptrdiff_t") + ")v[" +
                      std::to_string(index) + "]);\n";
        expected.push_back(formatted(format, values[index]));
      }
    }
  }
  // Together with other conversions, which must still get their own arguments, and without a warning.
  const std::string mixed =
      "printf(\"%d %zu %s %td %hhx %zx|\\n\", 1, get_global_size(0), \"text\", &v[3] - &v[5], 255, "
      "sizeof(*v));\n";
  const std::string head = "kernel void k(global ulong* v) {\n";
  for (const char* standard : {"-cl-std=CL3.0", "-cl-std=CL3.1"}) {
    const Program random = build(head + statements + "}\n", standard);
    EXPECT_EQ(expected, lines_of(random, make_buffer(values))) << statements;
    const Program strict = build(head + mixed + "}\n", standard + std::string(" -Werror"));
    EXPECT_EQ((std::vector<std::string>{"1 1 text -2 ff 8|"}), lines_of(strict, make_buffer(values)));
  }
}

TEST_F(Printf, FloatingPoint) {
  std::vector<double> values = {
      0.0, -0.0, 1.0 / 3, 65504, 1e300, -1e-310, HUGE_VAL, -HUGE_VAL, std::bit_cast<double>(0x7ff8ULL << 48)};
  for (int i = 0; i < 8; ++i) values.push_back(std::bit_cast<double>(test::random_engine()()));
  std::string statements;
  std::vector<std::string> expected;
  for (const char conversion : std::string("aAeEfFgG")) {
    for (int i = 0; i < 6; ++i) {
      const std::size_t chosen = below(values.size());
      const std::string format = "[%" + random_flags("-+ #0") + random_field(20) + conversion + "]";
      const auto index = std::to_string(chosen);
      statements += "printf(\"" + format + "\\n\", v[" + index + "]);\nprintf(\"" + format +
                    "\\n\", (float)v[" + index + "]);\n";
      expected.push_back(formatted(format, values[chosen]));
      const double rounded = std::abs(values[chosen]) < 1e-37 ? std::copysign(0.0, values[chosen])
                                                              : static_cast<float>(values[chosen]);
      if (rounded == 0 && values[chosen] != 0)
        statements.erase(statements.rfind("printf("));  // flushing does not depend on printf
      else
        expected.push_back(formatted(format, rounded));
    }
  }
  expect_lines("global double* v", statements, expected, make_buffer(values));
}

TEST_F(Printf, Vectors) {
  const auto bytes = test::random_values<cl_char>(16);
  const auto shorts = test::random_values<cl_short>(16);
  const auto ints = test::random_values<cl_int>(16);
  const auto longs = test::random_values<cl_long>(16);
  std::vector<float> floats(16);
  std::vector<double> doubles(16);
  std::vector<_Float16> halves(16);
  for (std::size_t i = 0; i < 16; ++i) {
    halves[i] = static_cast<_Float16>(shorts[i]) / 512;
    floats[i] = static_cast<float>(ints[i]) / 1024;
    doubles[i] = static_cast<double>(longs[i]) / 4096;
  }
  std::string statements;
  std::vector<std::string> expected;
  for (const std::size_t n : {2, 3, 4, 8, 16}) {
    const std::string size = std::to_string(n);
    const auto add = [&](const std::string& field, const std::string& length, const char* source, auto values,
                         const std::string& host_format) {
      statements +=
          "printf(\"%" + field + "v" + size + length + "\\n\", vload" + size + "(0, " + source + "));\n";
      values.resize(n);
      expected.push_back(formatted_vector(host_format, values));
    };
    add("#", "hhx", "b", bytes, "%#hhx");
    add("5", "hhd", "b", bytes, "%5hhd");
    add("+", "hi", "s", shorts, "%+hi");
    add("08", "ho", "s", shorts, "%08ho");
    add("", "hlu", "i", ints, "%u");
    add(".3", "hld", "i", ints, "%.3d");
    add("#", "lX", "l", longs, "%#lX");
    add("", "ld", "l", longs, "%ld");
    add("2.2", "hlf", "f", floats, "%2.2f");
    add("-12", "hlg", "f", floats, "%-12g");
    add(".5", "le", "d", doubles, "%.5e");
    add("", "la", "d", doubles, "%a");
    add("+", "hf", "h", std::vector<double>(halves.begin(), halves.end()), "%+f");
  }
  statements += "printf(\"%e\\n\", *h);\n";
  expected.push_back(formatted("%e", static_cast<double>(halves[0])));
  expect_lines(
      "global char* b, global short* s, global int* i, global long* l, global float* f, global double* d, "
      "global half* h",
      statements, expected, make_buffer(bytes), make_buffer(shorts), make_buffer(ints), make_buffer(longs),
      make_buffer(floats), make_buffer(doubles), make_buffer(halves));
}

TEST_F(Printf, Strings) {
  const std::string source = R"(
    constant char named[] = "named format %d\n";
    constant char* constant table[] = {"zero", "one", "two"};
    constant char* name(int n) { if (n > 1) return "many"; return "few"; }
    void show(constant char* text, int n) { printf("show %s %d\n", text, n); }
    void show_by(constant char* format, int n) { printf(format, n); }
    kernel void k(int n, global int* out) {
      printf("%s|%6s|%-6s|%.2s|%%|\n", "abc", "abc", "abc", "abc");
      printf(named, n);
      printf("%s %s\n", n ? "yes" : "no", table[n]);
      constant char* later = "first";
      if (n == 2) later = "second";
      printf("%s %s %s\n", later, name(n), (constant char*)0);
      show("here", 1); show(named, 2);
      show_by(n ? "%d and\n" : "%d or\n", n); show_by("%d only\n", 7);
      printf("no end"); printf("\n"); printf("100%%\n");
      printf("with\ttabs\0hidden\n"); printf("\n");
      printf("%p\n", out);
      *out = 1;
    })";
  Program program = build(source);
  Kernel kernel = make_kernel(program, "k");
  Buffer out = make_buffer(4);
  for (const int n : {0, 1, 2}) {
    set_arguments(kernel, n, out);
    Capture capture;
    run(kernel);
    auto lines = capture.lines();
    capture.stop();
    const std::string number = std::to_string(n);
    const std::array<std::string, 3> table = {"zero", "one", "two"};
    ASSERT_EQ(lines.size(), 13u) << n;
    EXPECT_EQ(lines.back().substr(0, 2), "0x");
    lines.pop_back();
    const std::vector<std::string> expected = {
        "abc|   abc|abc   |ab|%|",
        "named format " + number,
        (n ? "yes " : "no ") + table[static_cast<std::size_t>(n)],
        (n == 2 ? "second many" : "first few") + std::string(" (null)"),
        "show here 1",
        "show named format %d",
        " 2",
        number + (n ? " and" : " or"),
        "7 only",
        "no end",
        "100%",
        "with\ttabs"};
    EXPECT_EQ(lines, expected);
  }
}

TEST_F(Printf, ReturnsMinusOneWhenTheBufferIsFull) {
  Program program = build(
      "kernel void k(global int* result) { size_t i = get_global_id(0); result[i] = printf(\"%d\\n\", "
      "(int)i); }");
  Kernel kernel = make_kernel(program, "k");
  const std::size_t items = 100'000;
  Buffer results = make_buffer(items * sizeof(cl_int));
  set_arguments(kernel, results);
  Capture capture;
  run(kernel, items);
  const auto lines = capture.lines();
  capture.stop();
  const auto returned = contents<cl_int>(results, items);
  std::size_t buffer_size = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof buffer_size, &buffer_size, nullptr));
  std::vector<bool> printed(items, false);
  for (const std::string& line : lines) printed[std::stoul(line)] = true;
  EXPECT_LT(lines.size(), items);
  EXPECT_GT(lines.size(), buffer_size / 32);
  for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(returned[i], printed[i] ? 0 : -1) << i;
}

TEST_F(Printf, EveryWorkItemPrintsWithAndWithoutOffset) {
  Program program = build(
      "kernel void k() { printf(\"%lu %s\\n\", get_global_id(0), get_work_dim() == 1 ? \"x\" : \"y\"); }");
  Kernel kernel = make_kernel(program, "k");
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1000}}) {
    const std::size_t items = 1 + below(500);
    Capture capture;
    run(kernel, items, offset);
    auto lines = capture.lines();
    capture.stop();
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < items; ++i) expected.push_back(std::to_string(offset + i) + " x");
    std::ranges::sort(lines);
    std::ranges::sort(expected);
    EXPECT_EQ(lines, expected);
  }
}

// The buffer has room for exactly that much.
TEST_F(Printf, AllThatTheWorkItemsOfALaunchCanPrint) {
  const Program program = build(
      "void tail(ulong i) { printf(\"tail %lu\\n\", i); }\n"
      "kernel void k() { const ulong i = get_global_linear_id(); printf(\"%v2hlu\\n\", (uint2)(i, i + 1)); "
      "tail(i); }");
  const Kernel kernel = make_kernel(program, "k");
  for (int round = 0; round < 3; ++round) {
    const std::size_t range[3] = {1 + below(40), 1 + below(30), 1 + below(10)};
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < range[0] * range[1] * range[2]; ++i) {
      expected.push_back(std::to_string(i) + "," + std::to_string(i + 1));
      expected.push_back("tail " + std::to_string(i));
    }
    Capture capture;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, range, nullptr, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    auto lines = capture.lines();
    capture.stop();
    std::ranges::sort(lines);
    std::ranges::sort(expected);
    EXPECT_EQ(lines, expected);
  }
}

TEST_F(Printf, LaunchesOfAQueueInTheirOrder) {
  Program program = build("kernel void k(int n) { printf(\"%d\\n\", n); }");
  Kernel kernel = make_kernel(program, "k");
  std::vector<std::string> expected;
  Capture capture;
  for (int n = 0; n < 30; ++n) {
    const std::size_t items = 1 + below(20);
    set_arguments(kernel, n);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    expected.insert(expected.end(), items, std::to_string(n));
  }
  CL_EXPECT(CL_SUCCESS, clFinish(queue));
  const auto lines = capture.lines();
  capture.stop();
  EXPECT_EQ(lines, expected);
}

TEST_F(Printf, IsOutWhenTheEventIsCompleteOrALaterReadIsDone) {
  Program program = build("kernel void k(global int* out) { printf(\"text\\n\"); *out = 5; }");
  Kernel kernel = make_kernel(program, "k");
  Buffer out = make_buffer(4);
  set_arguments(kernel, out);
  const std::size_t one = 1;
  {
    Capture capture;
    Event event;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.out()));
    CL_EXPECT(CL_SUCCESS, clWaitForEvents(1, event.list()));
    const std::string text = capture.text();
    capture.stop();
    EXPECT_EQ(text, "text\n");
  }
  Capture capture;
  CL_EXPECT(CL_SUCCESS,
            clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  cl_int value = 0;
  CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
  const std::string text = capture.text();
  capture.stop();
  EXPECT_EQ(text, "text\n");
  EXPECT_EQ(value, 5);
}

TEST_F(Printf, QueuesDoNotMixTheirLines) {
  Program program =
      build("kernel void k(int q, int n) { printf(\"%d:%d:%lu\\n\", q, n, get_global_id(0)); }");
  Queue second = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Kernel kernel = make_kernel(program, "k");
  const std::size_t items = 64;
  std::vector<std::string> expected;
  Capture capture;
  for (int n = 0; n < 10; ++n) {
    for (const int q : {0, 1}) {
      set_arguments(kernel, q, n);
      CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(q ? second : queue, kernel, 1, nullptr, &items, nullptr, 0,
                                                   nullptr, nullptr));
      for (std::size_t i = 0; i < items; ++i)
        expected.push_back(std::to_string(q) + ":" + std::to_string(n) + ":" + std::to_string(i));
    }
  }
  CL_EXPECT(CL_SUCCESS, clFinish(queue));
  CL_EXPECT(CL_SUCCESS, clFinish(second));
  auto lines = capture.lines();
  capture.stop();
  std::ranges::sort(lines);
  std::ranges::sort(expected);
  EXPECT_EQ(lines, expected);
}

TEST_F(Printf, WithoutOptimisationLinkedAndFromABinary) {
  const std::string text =
      "void show(int n) { printf(\"%s %d %v2hld\\n\", n > 1 ? \"many\" : \"few\", n, (int2)(n, -n)); }\n"
      "kernel void k(int n) { show(n); }";
  const char* source = text.c_str();
  cl_int error = CL_SUCCESS;
  Program object = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  CL_OK(clCompileProgram(object, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  Program linked = clLinkProgram(context, 1, &device, "", 1, object.list(), nullptr, nullptr, &error);
  CL_OK(error);
  std::size_t size = 0;
  CL_OK(clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  CL_OK(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  const unsigned char* bytes = binary.data();
  Program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
  Program plain = build(text, "-cl-opt-disable");
  for (const Program* program : {&plain, &linked, &loaded}) {
    Kernel kernel = make_kernel(*program, "k");
    set_arguments(kernel, 3);
    for (const std::size_t offset : {0, 5}) {
      Capture capture;
      run(kernel, 1, offset);
      const std::string printed = capture.text();
      capture.stop();
      EXPECT_EQ(printed, "many 3 3,-3\n");
    }
  }
}

TEST_F(Printf, IsOutSomeTimeAfterTheLastReferenceIsGone) {
  Program program = build("kernel void k() { printf(\"late\\n\"); }");
  Kernel kernel = make_kernel(program, "k");
  Queue own = make_queue(0);
  const std::size_t one = 1;
  Capture capture;
  CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(own, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  own.reset();
  std::string printed;
  for (int i = 0; i < 1000 && printed.empty(); ++i) {
    usleep(10'000);
    printed = capture.text();
  }
  capture.stop();
  EXPECT_EQ(printed, "late\n");
}

// Kernels enqueued on the device print to the buffer of the host's command.
TEST_F(Printf, EnqueuedKernelsPrintToo) {
  cl_device_device_enqueue_capabilities enqueue = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof enqueue, &enqueue, nullptr));
  if (!enqueue) GTEST_SKIP() << "the device does not enqueue";
  const Queue on_device =
      make_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Program program = build(R"(
    void show(int depth, int n) { printf("%d %d %s\n", depth, n, depth ? "child" : "parent"); }
    kernel void k(int n) {
      show(0, n);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(3), ^{
        show(1, n + get_global_id(0));
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{ show(2, n); });
      });
    })");
  Kernel kernel = make_kernel(program, "k");
  const int n = static_cast<int>(below(1000));
  set_arguments(kernel, n);
  Capture capture;
  run(kernel);
  auto lines = capture.lines();
  capture.stop();
  std::vector<std::string> expected = {"0 " + std::to_string(n) + " parent"};
  for (int i = 0; i < 3; ++i) expected.push_back("1 " + std::to_string(n + i) + " child");
  for (int i = 0; i < 6; ++i) expected.push_back("2 " + std::to_string(n) + " child");
  std::ranges::sort(lines);
  std::ranges::sort(expected);
  EXPECT_EQ(lines, expected);
}

// C++ for OpenCL: constructors before the first kernel, and destructors when the program is released.
TEST_F(Printf, ConstructorsAndDestructorsPrintToo) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, 0, nullptr, &size) != CL_SUCCESS)
    GTEST_SKIP() << "the device does not have C++ for OpenCL";
  Capture capture;
  Program program = build(R"(
    struct Part {
      int number;
      Part(int n) : number(n) { printf("made %d\n", n); }
      ~Part() { printf("gone %d\n", number); }
    };
    Part one(1);
    kernel void k(int n) { static Part two(n); printf("kernel %d\n", one.number + two.number); })",
                          "-cl-std=CLC++2021");
  {
    Kernel kernel = make_kernel(program, "k");
    set_arguments(kernel, 2);
    run(kernel);
  }
  const std::string before = "made 1\nmade 2\nkernel 3\n", after = "gone 2\ngone 1\n";
  std::string printed = capture.text();
  EXPECT_EQ(printed, before);
  program.reset();
  for (int i = 0; i < 1000 && printed.size() < before.size() + after.size(); ++i) {
    usleep(10'000);
    printed = capture.text();
  }
  capture.stop();
  EXPECT_EQ(printed, before + after);
}

TEST_F(Printf, AFormatThatIsNoLiteralDoesNotBuild) {
  const char* source = "kernel void k(constant char* format) { printf(format, 1); }";
  cl_int error = CL_SUCCESS;
  Program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  std::string log(1 << 12, '\0');
  CL_OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr));
  EXPECT_NE(log.find("printf"), std::string::npos) << log;
}

}  // namespace
