// SPDX-License-Identifier: Apache-2.0
// Structures of any size and alignment, assigned as a whole between address spaces, and made of zeros.
#include "support/programs.h"

namespace {

using Bytes = std::vector<cl_uchar>;

class Structures : public test::Programs {
 protected:
  struct Element {
    const char* name;
    std::size_t size;
  };

  // Kernel kN: a structure of N elements goes from global through private, local and private memory to global; behind it goes one of
  // zeros. An element of each is changed on the way, at a place that the compiler does not know.
  static std::string source(const char* element, std::size_t count) {
    const std::string n = std::to_string(count), s = "S" + n;
    return "typedef struct { " + std::string(element) + " a[" + n + "]; } " + s + ";\nkernel void k" + n +
           "(global const uchar* from, global uchar* to, int offset, int at) {\n  local " + s +
           " room;\n  global const " + s + "* in = (global const " + s + "*)(from + offset);\n  global " + s +
           "* out = (global " + s + "*)(to + offset);\n  " + s +
           " first = *in;\n  ((uchar*)&first)[at] ^= 1;\n  room = first;\n  " + s +
           " second = room;\n  ((uchar*)&second)[at] ^= 2;\n  out[0] = second;\n  " + s +
           " zero = {0};\n  ((uchar*)&zero)[at] = 7;\n  out[1] = zero;\n}\n";
  }

  void check(const Element& element, const char* options) const {
    std::vector<std::size_t> counts;
    for (const std::size_t bytes :
         {1, 2, 3, 5, 8, 16, 31, 33, 48, 64, 100, 127, 128, 129, 260, 511, 513, 700, 1100})
      if (bytes >= element.size && (counts.empty() || counts.back() < bytes / element.size))
        counts.push_back(bytes / element.size);
    std::string text;
    for (const std::size_t count : counts) text += source(element.name, count);
    const test::Program program = build(text, options);
    for (const std::size_t count : counts) check(element, program, count);
  }

  void check(const Element& element, cl_program program, std::size_t count) const {
    const std::size_t size = count * element.size, offset = element.size * (test::random_engine()() % 5),
                      at = test::random_engine()() % size;
    const Bytes given = test::random_values<cl_uchar>(3 * size + 80);
    Bytes expected = test::random_values<cl_uchar>(given.size());
    const test::Buffer from = make_buffer(given), to = make_buffer(expected);
    const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(offset);
    std::copy_n(given.begin() + static_cast<std::ptrdiff_t>(offset), size, begin);
    std::fill_n(begin + static_cast<std::ptrdiff_t>(size), size, cl_uchar{0});
    expected[offset + at] ^= 3;
    expected[offset + size + at] = 7;
    const test::Kernel kernel = make_kernel(program, ("k" + std::to_string(count)).c_str());
    set_arguments(kernel, from, to, static_cast<cl_int>(offset), static_cast<cl_int>(at));
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(expected, contents<cl_uchar>(to, expected.size()))
        << count << ' ' << element.name << " from byte " << offset << ", changed at " << at;
  }
};

TEST_F(Structures, AreCopiedAndFilledWhole) {
  for (const Element& element :
       {Element{"uchar", 1}, {"ushort", 2}, {"uint", 4}, {"float", 4}, {"ulong", 8}, {"uint4", 16}})
    for (const char* options : {"", "-cl-opt-disable"}) check(element, options);
}

}  // namespace
