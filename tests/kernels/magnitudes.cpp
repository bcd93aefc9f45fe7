// SPDX-License-Identifier: Apache-2.0
// |x| used as a signed number, in all kinds of operations: for the least value it is that value itself.
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "support/programs.h"

namespace {

constexpr cl_int kLeast = std::numeric_limits<cl_int>::min(), kGreatest = std::numeric_limits<cl_int>::max();

cl_int negated(cl_int x) { return static_cast<cl_int>(0U - static_cast<cl_uint>(x)); }
cl_int magnitude(cl_int x) { return x < 0 ? negated(x) : x; }
cl_int bits(float x) { return std::bit_cast<cl_int>(x); }
cl_uint raw(cl_int x) { return static_cast<cl_uint>(x); }

// An operation on m = |x|, another number and a third one that is not 0, and its result on the host.
struct Consumer {
  const char* expression;
  cl_int (*expected)(cl_int m, cl_int other, cl_int y);
};
#define GIVES(expression) \
  [](cl_int m, [[maybe_unused]] cl_int other, [[maybe_unused]] cl_int y) -> cl_int { return expression; }

const Consumer kConsumers[] = {
    {"m", GIVES(m)},
    {"min(other, m)", GIVES(std::min(other, m))},
    {"min(m, other)", GIVES(std::min(other, m))},
    {"min(other, m) < -5 ? 77 : 55", GIVES(std::min(other, m) < -5 ? 77 : 55)},
    {"max(other, m)", GIVES(std::max(other, m))},
    {"max(m, -9) == -9", GIVES(std::max(m, -9) == -9)},
    {"as_int((float)m)", GIVES(bits(static_cast<float>(m)))},
    {"as_int((float)as_uint(m))", GIVES(bits(static_cast<float>(raw(m))))},
    {"as_int(convert_float_rtz(m))", GIVES(m == kGreatest ? 0x4effffff : bits(static_cast<float>(m)))},
    {"y % m", GIVES(m == -1 ? 0 : y % m)},
    {"y / m", GIVES(y / m)},
    {"m % y", GIVES(y == -1 ? 0 : m % y)},
    {"as_int(as_uint(y) % as_uint(m))", GIVES(static_cast<cl_int>(raw(y) % raw(m)))},
    {"as_int(as_uint(y) / as_uint(m))", GIVES(static_cast<cl_int>(raw(y) / raw(m)))},
    {"as_int(as_uint(m) % as_uint(y))", GIVES(static_cast<cl_int>(raw(m) % raw(y)))},
    {"as_int(0 - as_uint(m))", GIVES(negated(m))},
    {"as_int(0 - as_uint(m)) < -5 ? 77 : 55", GIVES(negated(m) < -5 ? 77 : 55)},
    {"as_int(0 - as_uint(m)) > -5 ? 77 : 55", GIVES(negated(m) > -5 ? 77 : 55)},
    {"m < 0 ? 77 : 55", GIVES(m < 0 ? 77 : 55)},
    {"m >= 0 ? 77 : 55", GIVES(m >= 0 ? 77 : 55)},
    {"m > other ? 77 : 55", GIVES(m > other ? 77 : 55)},
    {"m >> 31", GIVES(m >> 31)},
    {"(int)((long)m >> 3)", GIVES(m >> 3)},
    {"m >> 1 < other ? 77 : 55", GIVES(m >> 1 < other ? 77 : 55)},
    // For a number that cannot be the least value.
    {"as_int(0 - abs(m >> 1)) < -5 ? 77 : 55", GIVES(negated(magnitude(m >> 1)) < -5 ? 77 : 55)},
    {"as_int(abs(m >> 1)) > 5 ? 77 : 55", GIVES(magnitude(m >> 1) > 5 ? 77 : 55)},
};

class Magnitudes : public test::Programs {
 protected:
  using Numbers = std::array<cl_int, 3>;  // x, another number, and one that is not 0

  static std::string kernel(const std::string& name, const std::string& statements) {
    return "kernel void " + name + "(global int* o, global const int* x) {\n" +
           "  int m = as_int(abs(x[0])), other = x[1], y = x[2];\n" + statements + "}\n";
  }

  std::vector<cl_int> run(cl_program program, const std::string& name, const Numbers& numbers,
                          std::size_t count) const {
    const test::Kernel kernel = make_kernel(program, name.c_str());
    const test::Buffer out = make_buffer(std::vector<cl_int>(count)),
                       x = make_buffer(std::vector<cl_int>(numbers.begin(), numbers.end()));
    set_arguments(kernel, out, x);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    return contents<cl_int>(out, count);
  }

  static std::vector<Numbers> inputs() {
    std::vector<Numbers> all;
    for (const cl_int x : {kLeast, kLeast + 1, -77, -5, -1, 1, 3, 100, kGreatest})
      for (const cl_int other : {3, kLeast, -6})
        for (const cl_int y : {7, -3, kGreatest}) all.push_back({x, other, y});
    return all;
  }

  // One kernel for each operation, and one for all.
  template <class Check>
  void with_programs(Check check) const {
    std::string source, all;
    for (std::size_t i = 0; i < std::size(kConsumers); ++i) {
      const std::string expression = kConsumers[i].expression;
      source += kernel("one" + std::to_string(i), "  o[0] = " + expression + ";\n");
      all += "  o[" + std::to_string(i) + "] = " + expression + ";\n";
    }
    source += kernel("all", all);
    for (const char* options : {"", "-cl-opt-disable"}) check(build(source, options), options);
  }
};

TEST_F(Magnitudes, OfOneConsumer) {
  with_programs([&](const test::Program& program, const char* options) {
    for (std::size_t i = 0; i < std::size(kConsumers); ++i)
      for (const auto& [x, other, y] : inputs())
        EXPECT_EQ(kConsumers[i].expected(magnitude(x), other, y),
                  run(program, "one" + std::to_string(i), {x, other, y}, 1)[0])
            << kConsumers[i].expression << " of " << x << ' ' << other << ' ' << y << ' ' << options;
  });
}

TEST_F(Magnitudes, OfAllConsumersAtOnce) {
  with_programs([&](const test::Program& program, const char* options) {
    for (const auto& [x, other, y] : inputs()) {
      const std::vector<cl_int> results = run(program, "all", {x, other, y}, std::size(kConsumers));
      for (std::size_t i = 0; i < std::size(kConsumers); ++i)
        EXPECT_EQ(kConsumers[i].expected(magnitude(x), other, y), results[i])
            << kConsumers[i].expression << " of " << x << ' ' << other << ' ' << y << ' ' << options;
    }
  });
}

}  // namespace
