// SPDX-License-Identifier: Apache-2.0
// Broadcasts, shuffles, rotations and Intel's shuffles and block reads, of scalars and vectors.
#include <cstdlib>

#include "collective_test.h"

namespace clcuda::test {
namespace {

// The device reports Intel's extensions only if this is set before its first query.
const int kTold = setenv("CLCUDA_INTEL_SUBGROUPS", "1", 1);

struct Element {
  const char* name;
  std::size_t size;
  bool core;   // for the broadcast of cl_khr_subgroups
  bool intel;  // cl_intel_subgroups shuffles vectors of it
};
constexpr Element kElements[] = {
    {"char", 1, false, false},   {"uchar", 1, false, false}, {"short", 2, false, false},
    {"ushort", 2, false, false}, {"int", 4, true, true},     {"uint", 4, true, true},
    {"long", 8, true, false},    {"ulong", 8, true, false},  {"half", 2, true, false},
    {"float", 4, true, true},    {"double", 8, true, false}};

// An expression over x, the work-item's value; n, a number; l, its lane; and the lane from which its result comes, or -1 if it is
// undefined.
struct Exchange {
  std::string expression;
  std::function<int(int lane, int number)> source;
};

class SubGroupExchange : public testing::Test {
 protected:
  Random random{std::random_device{}()};

  // The sub-groups' work-items take one of `routes` routes, and only those on the first two execute the expressions.
  void check(const std::string& type, std::size_t bytes, std::size_t padded,
             const std::vector<Exchange>& exchanges, bool same_number, int routes) {
    std::string body;
    for (std::size_t k = 0; k < exchanges.size(); ++k) {
      body += "    out[" + std::to_string(k) + " * total + at] = " + exchanges[k].expression + ";\n";
    }
    DeviceProgram program("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\ntypedef " + type + R"( T;
kernel void exchange(global const T* in, global const int* number, global const int* route, global T* out) {
  size_t at = get_global_id(0), total = get_global_size(0);
  T x = in[at];
  int n = number[at];
  if (route[at] == 0) {
)" + body + "  } else if (route[at] == 1) {\n" +
                          body + "  }\n}");
    for (int launch = 0; launch < 3; ++launch) {
      Range range;
      range.global[0] = range.local[0] = 1 + random() % 128;
      const std::size_t total = range.total();
      std::vector<unsigned char> in(total * padded), out(exchanges.size() * in.size());
      for (auto& byte : in) byte = static_cast<unsigned char>(random());
      keep_numbers(type, in);
      std::vector<cl_int> number(total), route(total);
      for (auto& way : route) way = static_cast<cl_int>(random() % routes);
      for (std::size_t i = 0; i < total; ++i)
        number[i] = same_number && i % 32 ? number[i - 1] : static_cast<cl_int>(random() % 32);
      program.run("exchange", range, {in, number, route, out});
      for (std::size_t at = 0; at < total; ++at) {
        if (route[at] > 1) continue;
        for (std::size_t k = 0; k < exchanges.size(); ++k) {
          const int lane = exchanges[k].source(static_cast<int>(at % 32), number[at]);
          const std::size_t source = at - at % 32 + lane;
          if (lane < 0 || lane > 31 || source >= total || route[source] != route[at]) continue;
          ASSERT_EQ(std::memcmp(&out[(k * total + at) * padded], &in[source * padded], bytes), 0)
              << exchanges[k].expression << " of " << type << ", work-group of " << total << ", item " << at;
        }
      }
    }
  }

  // Avoids NaNs, which may change in a floating-point type: no exponent may be all ones.
  static void keep_numbers(const std::string& type, std::vector<unsigned char>& bytes) {
    const std::size_t size = type.starts_with("half")     ? 2
                             : type.starts_with("float")  ? 4
                             : type.starts_with("double") ? 8
                                                          : 0;
    if (!size) return;
    for (std::size_t i = size - 1; i < bytes.size(); i += size) bytes[i] &= 0xBF;
  }

  void check_scalars(const std::vector<Exchange>& exchanges, bool same_number) {
    for (const Element& element : kElements) {
      if (!is_offered(element)) continue;
      check(element.name, element.size, element.size, exchanges, same_number, 1);
      check(element.name, element.size, element.size, exchanges, same_number, 3);
    }
  }

  static bool is_offered(const Element& element) {
    return element.name != std::string("half") || device_has_extension("cl_khr_fp16");
  }

  void check_vectors(const Element& element, const std::vector<Exchange>& exchanges, bool same_number,
                     int routes) {
    for (const std::size_t width : some_of<std::size_t>({2, 3, 4, 8, 16}, 2, random)) {
      check(element.name + std::to_string(width), element.size * width,
            element.size * (width == 3 ? 4 : width), exchanges, same_number, routes);
    }
  }
};

#define REQUIRE_EXTENSION(name) \
  if (!device_has_extension(name)) GTEST_SKIP() << "the device does not have " name

int given(int, int number) { return number; }

TEST_F(SubGroupExchange, Broadcast) {
  REQUIRE_EXTENSION("cl_khr_subgroups");
  const std::vector<Exchange> exchanges = {{"sub_group_broadcast(x, n)", given}};
  const bool extended = device_has_extension("cl_khr_subgroup_extended_types");
  for (const Element& element : kElements) {
    if (!is_offered(element) || !(element.core || extended)) continue;
    check(element.name, element.size, element.size, exchanges, true, 1);
    if (extended) check_vectors(element, exchanges, true, 1);
  }
}

TEST_F(SubGroupExchange, NonUniformBroadcast) {
  REQUIRE_EXTENSION("cl_khr_subgroup_ballot");
  const std::vector<Exchange> exchanges = {{"sub_group_non_uniform_broadcast(x, n)", given}};
  check_scalars(exchanges, true);
  for (const Element& element : kElements) {
    if (is_offered(element)) check_vectors(element, exchanges, true, 2);
  }
  check_scalars({{"sub_group_broadcast_first(x)", [](int, int) { return 0; }}}, true);
}

TEST_F(SubGroupExchange, Shuffle) {
  REQUIRE_EXTENSION("cl_khr_subgroup_shuffle");
  check_scalars({{"sub_group_shuffle(x, n)", given},
                 {"sub_group_shuffle_xor(x, n)", [](int l, int n) { return l ^ n; }}},
                false);
}

TEST_F(SubGroupExchange, RelativeShuffle) {
  REQUIRE_EXTENSION("cl_khr_subgroup_shuffle_relative");
  check_scalars({{"sub_group_shuffle_up(x, n)", [](int l, int n) { return l - n; }},
                 {"sub_group_shuffle_down(x, n)", [](int l, int n) { return l + n; }}},
                false);
}

TEST_F(SubGroupExchange, Rotate) {
  REQUIRE_EXTENSION("cl_khr_subgroup_rotate");
  std::vector<Exchange> exchanges = {
      {"sub_group_rotate(x, n)", [](int l, int n) { return (l + n) % 32; }},
      {"sub_group_rotate(x, -n)", [](int l, int n) { return (l - n + 32) % 32; }}};
  for (const int size : {1, 2, 4, 8, 16, 32}) {
    const std::string last = ", " + std::to_string(size) + ")";
    exchanges.push_back({"sub_group_clustered_rotate(x, n" + last,
                         [size](int l, int n) { return l / size * size + (l + n) % size; }});
    exchanges.push_back({"sub_group_clustered_rotate(x, -n" + last,
                         [size](int l, int n) { return l / size * size + (l - n + 32) % size; }});
  }
  check_scalars(exchanges, true);
}

// Shuffles up and down shift across two values. One of them is 0 here, and only results from the other one are checked.
TEST_F(SubGroupExchange, IntelShuffles) {
  REQUIRE_EXTENSION("cl_intel_subgroups");
  const std::vector<Exchange> exchanges = {
      {"intel_sub_group_shuffle(x, n)", given},
      {"intel_sub_group_shuffle_xor(x, n)", [](int l, int n) { return l ^ n; }},
      {"intel_sub_group_shuffle_down(x, (T)(0), n)", [](int l, int n) { return l + n < 32 ? l + n : -1; }},
      {"intel_sub_group_shuffle_down((T)(0), x, n)",
       [](int l, int n) { return l + n >= 32 ? l + n - 32 : -1; }},
      {"intel_sub_group_shuffle_up((T)(0), x, n)", [](int l, int n) { return l - n; }},
      {"intel_sub_group_shuffle_up(x, (T)(0), n)", [](int l, int n) { return l - n < 0 ? l - n + 32 : -1; }}};
  for (const Element& element : kElements) {
    const bool narrow = element.size < 4 && element.name != std::string("half");
    const bool offered = !narrow || device_has_extension(element.size == 1 ? "cl_intel_subgroups_char"
                                                                           : "cl_intel_subgroups_short");
    if (!is_offered(element) || !offered) continue;
    check(element.name, element.size, element.size, exchanges, false, 3);
    if (element.intel || narrow) check_vectors(element, exchanges, false, 2);
  }
}

}  // namespace
}  // namespace clcuda::test
