// SPDX-License-Identifier: Apache-2.0
// Structures of any size and alignment: assignments of whole structures between address spaces, zero initialization, pointers to each other
// in initial values, and values whose bits are stored as those of other types.
#include "support/programs.h"

namespace {

using Bytes = std::vector<cl_uchar>;

class Structures : public test::Programs {
 protected:
  struct Element {
    const char* name;
    std::size_t size;
  };

  // Kernel kN copies a structure of N elements from global through private, local and private memory to global memory, followed by one of
  // zeros. An element of each is changed on the way, at an index that is known only at run time.
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

// A copy between overlapping places, such as an assignment of a structure through a temporary, or __builtin_memmove, of bytes and of words.
TEST_F(Structures, OverlappingCopiesAreAsIfByWayOfAnotherPlace) {
  const std::string move = R"(
#define MOVE(size, from, to)                                                                     \
  typedef struct { uchar c[size]; } S_##size##_##from##_##to;                                    \
  kernel void structure_##size##_##from##_##to(global uchar* p) {                                \
    S_##size##_##from##_##to t = *(global S_##size##_##from##_##to*)(p + from);                  \
    *(global S_##size##_##from##_##to*)(p + to) = t;                                             \
  }                                                                                              \
  kernel void bytes_##size##_##from##_##to(global uchar* p) {                                    \
    uchar a[size + from + to];                                                                   \
    for (int i = 0; i < size + from + to; ++i) a[i] = p[i];                                      \
    __builtin_memmove(a + to, a + from, size);                                                   \
    for (int i = 0; i < size + from + to; ++i) p[i] = a[i];                                      \
  }
)";
  struct Move {
    std::size_t size, from, to;
    std::string name() const {
      return std::to_string(size) + "_" + std::to_string(from) + "_" + std::to_string(to);
    }
  };
  std::vector<Move> moves = {{63, 0, 4}, {59, 0, 4}, {63, 4, 0}};
  for (int i = 0; i < 24; ++i) {
    const auto place = [] { return std::size_t{test::random_engine()() % 13}; };
    moves.push_back({1 + test::random_engine()() % (i < 20 ? 150 : 1500), place(), place()});
  }
  std::string source = move;
  std::ranges::sort(moves, {}, &Move::name);
  const auto [same, end] = std::ranges::unique(moves, {}, &Move::name);
  moves.erase(same, end);
  for (const Move& each : moves)
    source += "MOVE(" + std::to_string(each.size) + ", " + std::to_string(each.from) + ", " +
              std::to_string(each.to) + ")\n";
  const test::Program program = build(source);
  for (const Move& each : moves)
    for (const char* kind : {"structure_", "bytes_"}) {
      SCOPED_TRACE(kind + each.name());
      Bytes expected = test::random_values<cl_uchar>(each.size + each.from + each.to);
      const test::Buffer buffer = make_buffer(expected);
      const Bytes moved(expected.begin() + std::ptrdiff_t(each.from),
                        expected.begin() + std::ptrdiff_t(each.from + each.size));
      std::ranges::copy(moved, expected.begin() + std::ptrdiff_t(each.to));
      const test::Kernel kernel = make_kernel(program, (kind + each.name()).c_str());
      set_arguments(kernel, buffer);
      const std::size_t one = 1;
      CL_EXPECT(CL_SUCCESS,
                clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      EXPECT_EQ(expected, contents<cl_uchar>(buffer, expected.size()));
    }
}

// A list that ends where it begins, a node that follows itself, and structures of lists, in both address spaces.
TEST_F(Structures, ThatReferToEachOther) {
  for (const char* space : {"global", "constant"}) {
    SCOPED_TRACE(space);
    const test::Program program =
        build(std::string("#define S ") + space +
                  "\ntypedef struct N { char value; S struct N* next; S void* others[2]; } N;"
                  "extern S N a, b, c, alone;"
                  "S N a = {1, &b, {&alone, &a}}; S N b = {2, &c, {&c, &b.value}}; S N c = {3, &a, {0, 0}};"
                  "S N alone = {4, &alone, {&a.next, 0}};"
                  "kernel void k(global int* out, int steps) {"
                  "  S N* at = &a; for (int i = 0; i < steps; ++i, at = at->next) out[i] = at->value;"
                  "  out[4] = alone.next->value; out[5] = *(S char*)b.others[1];"
                  "  out[6] = a.others[1] == &a; out[7] = alone.others[0] == &a.next; }"
                  "kernel void again(global int* out) { out[0] = c.next->next->value; }",
              "-cl-std=CL3.0");
    const test::Kernel kernel = make_kernel(program, "k");
    const std::size_t one = 1;
    for (int round = 0; round < 2; ++round) {
      const test::Buffer out = make_buffer(std::vector<cl_int>(8));
      set_arguments(kernel, out, cl_int{4});
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      EXPECT_EQ(contents<cl_int>(out, 8), (std::vector<cl_int>{1, 2, 3, 1, 4, 2, 1, 1}));
    }
  }
}

// Sums of floating-point vectors whose bits are stored as integers of each size, by way of local memory.
TEST_F(Structures, PartsOfFloatingPointValuesAreBits) {
  std::string source;
  struct Pair {
    std::string value, part;
    std::size_t size, parts;
  };
  std::vector<Pair> pairs;
  for (const auto& [value, bytes] : {std::pair{"float", 4}, {"double", 8}})
    for (const int width : {1, 2, 4})
      for (const auto& [part, smaller] : {std::pair{"uchar", 1}, {"ushort", 2}, {"uint", 4}})
        pairs.push_back({std::string(value) + (width == 1 ? "" : std::to_string(width)), part,
                         std::size_t(bytes * width), std::size_t(bytes * width / smaller)});
  for (const Pair& each : pairs)
    source += "kernel void " + each.value + "_" + each.part + "(global " + each.value + "* in, global " +
              each.part + "* out) { local " + each.part + " l[" + std::to_string(each.parts) + "][32]; " +
              each.value + " v = in[get_global_id(0)]; v = v * v + v; " + each.part + "* p = (" + each.part +
              "*)&v; size_t i = get_local_id(0);\n  for (int j = 0; j < " + std::to_string(each.parts) +
              "; ++j) l[j][i] = p[j];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  for (int j = 0; j < " +
              std::to_string(each.parts) + "; ++j) out[get_group_id(0) * " + std::to_string(32 * each.parts) +
              " + j * 32 + (i ^ 1)] = l[j][i ^ 1];\n}\n";
  const test::Program program = build(source);
  constexpr std::size_t kItems = 64, kGroup = 32;
  for (const Pair& each : pairs) {
    SCOPED_TRACE(each.value + " as " + each.part);
    // Quarters, whose sums and products are exact.
    Bytes given(kItems * each.size), sums(given.size());
    const auto fill = [&](auto zero) {
      using T = decltype(zero);
      for (std::size_t i = 0; i < given.size() / sizeof(T); ++i) {
        const T value = T(int(test::random_engine()() % 4001) - 2000) / 4, sum = value * value + value;
        std::memcpy(given.data() + i * sizeof(T), &value, sizeof value);
        std::memcpy(sums.data() + i * sizeof(T), &sum, sizeof sum);
      }
    };
    each.value.starts_with("float") ? fill(0.F) : fill(0.0);
    const std::size_t part = each.size / each.parts;
    Bytes expected(given.size());
    for (std::size_t item = 0; item < kItems; ++item)
      for (std::size_t j = 0; j < each.parts; ++j)
        std::memcpy(
            expected.data() + (item / kGroup * kGroup * each.parts + j * kGroup + item % kGroup) * part,
            sums.data() + item * each.size + j * part, part);
    const test::Buffer in = make_buffer(given), out = make_buffer(given.size());
    const test::Kernel kernel = make_kernel(program, (each.value + "_" + each.part).c_str());
    set_arguments(kernel, in, out);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, &kGroup, 0, nullptr, nullptr));
    EXPECT_EQ(expected, contents<cl_uchar>(out, expected.size()));
  }
}

}  // namespace
