// SPDX-License-Identifier: Apache-2.0
// vload, vstore and their half variants (OpenCL C 6.15.7), shuffles (6.15.13) and asynchronous copies (6.15.11).
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <numeric>

#include "device_program.h"
#include "values.h"

namespace clcuda::test {
namespace {

template <class Tag>
struct MemoryFunctions : testing::Test {
  using T = typename Tag::Type;
  std::mt19937_64 random{std::random_device{}()};
  static bool available() {
    return !kIsFloating<T> || sizeof(T) == 4 ||
           device_has_extension(sizeof(T) == 8 ? "cl_khr_fp64" : "cl_khr_fp16");
  }
  std::vector<T> bits(std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = from_bits<T>(static_cast<typename TypeTraits<T>::Bits>(random()));
    return values;
  }
};
using Types = testing::Types<Of<cl_char>, Of<cl_uchar>, Of<cl_short>, Of<cl_ushort>, Of<cl_int>, Of<cl_uint>,
                             Of<cl_long>, Of<cl_ulong>, Of<Half>, Of<float>, Of<double>>;
TYPED_TEST_SUITE(MemoryFunctions, Types);
constexpr const char* kHalfOn = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

template <class T>
::testing::AssertionResult same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) return ::testing::AssertionSuccess();
  std::size_t i = 0;
  while (bits_of(a[i]) == bits_of(b[i])) ++i;
  return ::testing::AssertionFailure()
         << "element " << i << ": " << +bits_of(a[i]) << ", not " << +bits_of(b[i]);
}

// Loads from addresses that are only aligned to an element, through global, constant, local and private memory; stores to global memory.
TYPED_TEST(MemoryFunctions, LoadsAndStores) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  constexpr std::size_t kCount = 64;
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    std::string text = kHalfOn;
    for (const int width : kWidths) {
      if (width == 1) continue;
      const std::string n = std::to_string(width), t = TypeTraits<T>::name;
      text += "kernel void k" + n + "(global const " + t + "* a, constant " + t + "* b, global " + t +
              "* out) {\n" + "  size_t i = get_global_id(0), l = get_local_id(0);\n  local " + t +
              " shared_memory[16 * 16 + 1];\n  " + t + " own[34];\n  vstore" + n + "(vload" + n +
              "(i, a + 1), l, shared_memory + 1);\n" + "  barrier(CLK_LOCAL_MEM_FENCE);\n  vstore" + n +
              "(vload" + n + "(15 - l, shared_memory + 1), 1, own + 1);\n  vstore" + n + "(vload" + n +
              "(1, own + 1), 2 * i, out + 1);\n  vstore" + n + "(vload" + n +
              "(i, b + 1), 2 * i + 1, out + 1);\n}\n";
    }
    DeviceProgram program(text, options);
    for (const int width : kWidths) {
      if (width == 1) continue;
      std::vector<T> a = this->bits(kCount * width + 1), b = this->bits(kCount * width + 1),
                     out(2 * kCount * width + 2), wanted(out);
      program.run(("k" + std::to_string(width)).c_str(), {1, {kCount, 1, 1}, {16, 1, 1}}, {a, b, out});
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t from = i / 16 * 16 + 15 - i % 16;
        for (int k = 0; k < width; ++k) {
          wanted[1 + 2 * i * width + k] = a[1 + from * width + k];
          wanted[1 + (2 * i + 1) * width + k] = b[1 + i * width + k];
        }
      }
      ASSERT_TRUE(same_bits(out, wanted)) << vector_type<T>(width) << " " << options;
    }
  }
}

// Masks with elements as wide as the data; their upper bits must be ignored.
TYPED_TEST(MemoryFunctions, Shuffles) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  using Mask = typename TypeTraits<T>::Bits;
  const std::string mask = sizeof(T) == 1   ? "uchar"
                           : sizeof(T) == 2 ? "ushort"
                           : sizeof(T) == 4 ? "uint"
                                            : "ulong";
  std::string text = kHalfOn;
  for (const int from : {2, 4, 8, 16}) {
    for (const int to : {2, 4, 8, 16}) {
      const std::string n = std::to_string(to), m = std::to_string(from), t = TypeTraits<T>::name;
      text += "kernel void k" + m + "_" + n + "(global const " + t + "* a, global const " + t +
              "* b, global const " + mask + "* masks, global " + t +
              "* out) {\n  size_t i = get_global_id(0);\n  vstore" + n + "(shuffle(vload" + m +
              "(i, a), vload" + n + "(i, masks)), 2 * i, out);\n  vstore" + n + "(shuffle2(vload" + m +
              "(i, a), vload" + m + "(i, b), vload" + n + "(i, masks)), 2 * i + 1, out);\n}\n";
    }
  }
  DeviceProgram program(text);
  constexpr std::size_t kCount = 64;
  for (const int from : {2, 4, 8, 16}) {
    for (const int to : {2, 4, 8, 16}) {
      std::vector<T> a = this->bits(kCount * from), b = this->bits(kCount * from), out(2 * kCount * to),
                     wanted(out);
      std::vector<Mask> masks(kCount * to);
      for (Mask& entry : masks) entry = static_cast<Mask>(this->random());
      program.run(("k" + std::to_string(from) + "_" + std::to_string(to)).c_str(),
                  {1, {kCount, 1, 1}, {16, 1, 1}}, {a, b, masks, out});
      for (std::size_t i = 0; i < kCount; ++i) {
        for (int k = 0; k < to; ++k) {
          const auto chosen = static_cast<std::size_t>(masks[i * to + k]);
          wanted[2 * i * to + k] = a[i * from + chosen % from];
          wanted[(2 * i + 1) * to + k] = (chosen & from ? b : a)[i * from + chosen % from];
        }
      }
      ASSERT_TRUE(same_bits(out, wanted)) << from << " to " << to;
    }
  }
}

// A two-dimensional work-group copies in, reverses the elements and copies out, with and without a stride.
TYPED_TEST(MemoryFunctions, AsynchronousCopies) {
  if (!this->available()) GTEST_SKIP() << "the device does not have this type";
  using T = typename TypeParam::Type;
  constexpr std::size_t kGroups = 4, kElements = 50;
  std::string text = kHalfOn;
  for (const int width : kWidths) {
    const std::string n = std::to_string(width), t = vector_type<T>(width),
                      moved = vector_type<T>(places_of(width));
    text +=
        "kernel void k" + n + "(global const " + t + "* in, global " + t + "* out, global " + t +
        "* strided) {\n  local " + t +
        " there[50], back[50], every[25];\n  size_t g = get_group_id(0), l = get_local_linear_id(), size = "
        "get_local_size(0) * get_local_size(1);\n"
        "  event_t events[2];\n  events[0] = async_work_group_copy(there, in + 50 * g, 50, 0);\n"
        "  events[1] = async_work_group_strided_copy(every, in + 50 * g, 25, 2, 0);\n  wait_group_events(2, "
        "events);\n"
        "  for (size_t i = l; i < 50; i += size) ((local " +
        moved + "*)back)[i] = ((local " + moved +
        "*)there)[49 - i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  event_t out_event = async_work_group_copy(out + 50 * g, back, 50, 0);\n"
        "  out_event = async_work_group_strided_copy(strided + 50 * g, every, 25, 2, out_event);\n  "
        "wait_group_events(1, &out_event);\n}\n";
  }
  DeviceProgram program(text);
  for (const int width : kWidths) {
    const int places = places_of(width);
    std::vector<T> in = this->bits(kGroups * kElements * places), out(in.size()), strided(in.size()),
                   wanted(in.size()), wanted_strided(in.size());
    program.run(("k" + std::to_string(width)).c_str(), {2, {kGroups * 8, 4, 1}, {8, 4, 1}},
                {in, out, strided});
    for (std::size_t i = 0; i < kGroups * kElements; ++i) {
      for (int k = 0; k < places; ++k) {
        wanted[i * places + k] = in[(i / kElements * kElements + kElements - 1 - i % kElements) * places + k];
        if (i % 2 == 0) wanted_strided[i * places + k] = in[i * places + k];
      }
    }
    ASSERT_TRUE(same_bits(out, wanted)) << vector_type<T>(width);
    ASSERT_TRUE(same_bits(strided, wanted_strided)) << vector_type<T>(width);
  }
}

// A box is copied from a larger one to local memory and to another place; elements have three bytes, and a fence separates copies of the
// same memory.
TEST(ExtendedCopies, AreasAndVolumes) {
  if (!device_has_extension("cl_khr_extended_async_copies"))
    GTEST_SKIP() << "the device does not have these copies";
  constexpr int kWidth = 7, kHeight = 5, kDepth = 4, kLine = 5, kLines = 3, kPlanes = 2, kSize = 3;
  const std::string fence = device_has_extension("cl_khr_async_work_group_copy_fence")
                                ? "async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE)"
                                : "barrier(CLK_LOCAL_MEM_FENCE)";
  DeviceProgram program(R"(
    kernel void area(global const uchar* in, global uchar* out) {
      local uchar box[200];
      event_t e = async_work_group_copy_2D2D(box, 1, in, 9, 3, 5, 3, 7, 6, 0);
      )" + fence + R"(;
      e = async_work_group_copy_2D2D(out, 2, box, 1, 3, 5, 3, 6, 8, e);
      wait_group_events(1, &e);
    }
    kernel void volume(global const uchar* in, global uchar* out) {
      local uchar box[200];
      event_t e = async_work_group_copy_3D3D(box, 0, in, 9, 3, 5, 3, 2, 7, 35, 5, 20, 0);
      wait_group_events(1, &e);
      e = async_work_group_copy_3D3D(out, 1, box, 0, 3, 5, 3, 2, 5, 20, 6, 24, 0);
      wait_group_events(1, &e);
    })");
  std::mt19937_64 random{std::random_device{}()};
  std::vector<cl_uchar> in(kWidth * kHeight * kDepth * kSize);
  for (cl_uchar& byte : in) byte = static_cast<cl_uchar>(random());
  for (const bool volume : {false, true}) {
    std::vector<cl_uchar> out(300), wanted(300);
    program.run(volume ? "volume" : "area", {2, {8, 4, 1}, {8, 4, 1}}, {in, out});
    const int first = volume ? 1 : 2, to_line = volume ? 6 : 8, to_plane = 24;
    for (int z = 0; z < (volume ? kPlanes : 1); ++z)
      for (int y = 0; y < kLines; ++y)
        for (int byte = 0; byte < kLine * kSize; ++byte)
          wanted[(first + z * to_plane + y * to_line) * kSize + byte] =
              in[(9 + z * kWidth * kHeight + y * kWidth) * kSize + byte];
    EXPECT_EQ(out, wanted) << (volume ? "volume" : "area");
  }
}

// Without cl_khr_fp16: each half is loaded as float in all widths and stored in all rounding modes, which must not change it.
TEST(HalfInMemory, EveryValueGoesRound) {
  std::string text;
  for (const int width : kWidths) {
    const std::string n = width == 1 ? "" : std::to_string(width);
    text += "kernel void k" + std::to_string(width) +
            "(global const half* in, global half* out, global float* values) {\n  size_t i = "
            "get_global_id(0);\n" +
            "  float" + n + " x = vload_half" + n + "(i, in);\n";
    text += width == 1 ? "  values[i] = x;\n" : "  vstore" + n + "(x, i, values);\n";
    text += "  vstore_half" + n + "(x, i, out);\n";
    int plane = 1;
    for (const char* mode : {"_rte", "_rtz", "_rtp", "_rtn"}) {
      text += "  vstore_half" + n + mode + "(x, i, out + " + std::to_string(65536 * plane++) + ");\n";
    }
    // vloada_half3 uses a stride of four elements, which is another layout.
    const std::string aligned = width == 3 ? "" : "a";
    text += "  vstore" + aligned + "_half" + n + "(vload" + aligned + "_half" + n + "(i, in), i, out + " +
            std::to_string(65536 * plane) + ");\n}\n";
  }
  DeviceProgram program(text, "");
  std::vector<cl_ushort> in(65536);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_ushort>(i);
  for (const int width : kWidths) {
    const std::size_t count = 65536 / width / 64 * 64, elements = count * width;
    std::vector<cl_ushort> out(6 * 65536);
    std::vector<float> values(65536);
    program.run(("k" + std::to_string(width)).c_str(), {1, {count, 1, 1}, {64, 1, 1}}, {in, out, values});
    for (std::size_t i = 0; i < elements; ++i) {
      const Half half = from_bits<Half>(in[i]);
      if (half != half) continue;
      ASSERT_EQ(values[i], static_cast<float>(half));
      for (int plane = 0; plane < 6; ++plane)
        ASSERT_EQ(out[65536 * plane + i], in[i]) << "width " << width << " plane " << plane;
    }
  }
}

// The halves around a number: the greatest not above, the least not below, and the nearest, ties to even.
struct Neighbours {
  Half below, above, nearest;
};
Neighbours halves_around(double x) {
  const Half near = static_cast<Half>(x);  // the host rounds once, to nearest
  const auto step = [](Half half, int by) {
    if (half == Half(0)) return from_bits<Half>(by > 0 ? 0x0001 : 0x8001);
    return from_bits<Half>(static_cast<cl_ushort>(bits_of(half) + ((half > Half(0)) == (by > 0) ? 1 : -1)));
  };
  const auto exact = static_cast<double>(near);
  return {exact > x ? step(near, -1) : near, exact < x ? step(near, 1) : near, near};
}

// Numbers that are not halves, of each magnitude, in all widths and rounding modes, aligned and not. With vstorea_half3 the fourth element
// must not be written.
TEST(HalfInMemory, NumbersAreRounded) {
  constexpr std::size_t kCount = 64, kModes = 5;
  const char* const names[kModes] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  for (const std::string type : {"float", "double"}) {
    std::string text;
    for (const int width : kWidths) {
      const std::string n = width == 1 ? "" : std::to_string(width), step = std::to_string(places_of(width));
      text += "kernel void k" + std::to_string(width) + "(global const " + type +
              "* in, global half* plain, global half* aligned, global float* back) {\n"
              "  size_t i = get_global_id(0), all = get_global_size(0);\n  " +
              type + n + " x = " + (width == 1 ? "in[i]" : "vload" + n + "(i, in)") + ";\n";
      for (std::size_t mode = 0; mode < kModes; ++mode) {
        const std::string number = std::to_string(mode);
        text += "  vstore_half" + n + names[mode] + "(x, i, plain + " + number + " * all * " +
                std::to_string(width) + ");\n";
        text +=
            "  vstorea_half" + n + names[mode] + "(x, i, aligned + " + number + " * all * " + step + ");\n";
      }
      text += width == 1 ? "  back[i] = vloada_half(i, aligned);\n"
                         : "  vstore" + n + "(vloada_half" + n + "(i, aligned), i, back);\n";
      text += "}\n";
    }
    DeviceProgram program(text);
    std::mt19937_64 random{std::random_device{}()};
    for (const int width : kWidths) {
      const std::size_t step = places_of(width), elements = kCount * width;
      std::vector<double> values(elements);
      for (double& value : values) {
        value = std::ldexp(std::uniform_real_distribution(1.0, 2.0)(random),
                           static_cast<int>(random() % 40) - 27);
        if (random() % 2) value = -value;
        if (type == "float") value = static_cast<float>(value);
      }
      std::vector<float> singles(values.begin(), values.end()), back(elements);
      std::vector<cl_ushort> plain(kModes * elements), aligned(kModes * kCount * step, 0x1234);
      const Range range{1, {kCount, 1, 1}, {16, 1, 1}};
      const std::string name = "k" + std::to_string(width);
      if (type == "float")
        program.run(name.c_str(), range, {singles, plain, aligned, back});
      else
        program.run(name.c_str(), range, {values, plain, aligned, back});
      for (std::size_t i = 0; i < elements; ++i) {
        const Neighbours around = halves_around(values[i]);
        const Half wanted[kModes] = {around.nearest, around.nearest,
                                     values[i] < 0 ? around.above : around.below, around.above, around.below};
        const std::size_t place = i / width * step + i % width;
        for (std::size_t mode = 0; mode < kModes; ++mode) {
          ASSERT_EQ(plain[mode * elements + i], bits_of(wanted[mode]))
              << type << width << names[mode] << " " << values[i];
          ASSERT_EQ(aligned[mode * kCount * step + place], bits_of(wanted[mode]))
              << type << width << names[mode] << " " << values[i];
        }
        ASSERT_EQ(back[i], static_cast<float>(around.nearest));
      }
      for (std::size_t i = 3; width == 3 && i < aligned.size(); i += 4) ASSERT_EQ(aligned[i], 0x1234);
    }
  }
}

// Structures are copied as a whole, from program-scope and host constant memory to private and local memory.
TEST(Structures, AreCopiedBetweenAddressSpaces) {
  DeviceProgram program(R"(
    typedef struct { uint words[13]; uchar3 tail; } Record;
    constant Record own = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, (uchar3)(1, 2, 3)};
    uint sum(const Record record, uint n) { uint s = record.tail.y; for (uint i = 0; i < n; ++i) s += record.words[i]; return s; }
    kernel void k(constant Record* given, global uint* out) {
      local Record shared_record;
      size_t i = get_global_id(0);
      if (get_local_id(0) == 0) shared_record = given[get_group_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      Record copy = shared_record, mine = own, second = given[i % 4];
      copy.words[0] += i, mine.words[1] += i;
      out[i] = sum(copy, i % 14) + sum(mine, 13) + sum(second, 5);
    })");
  struct Record {
    std::array<cl_uint, 13> words;
    std::array<cl_uchar, 4> tail;
  };
  constexpr std::size_t kCount = 64, kSize = 16;
  std::mt19937 random{std::random_device{}()};
  std::vector<Record> given(kCount / kSize);
  for (Record& record : given) {
    for (cl_uint& word : record.words) word = random();
    for (cl_uchar& byte : record.tail) byte = static_cast<cl_uchar>(random());
  }
  std::vector<cl_uint> out(kCount);
  program.run("k", {1, {kCount, 1, 1}, {kSize, 1, 1}}, {given, out});
  const auto sum = [](const Record& record, std::size_t n) {
    return std::accumulate(record.words.begin(), record.words.begin() + static_cast<std::ptrdiff_t>(n),
                           cl_uint{record.tail[1]});
  };
  const Record own{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}, {1, 2, 3}};
  for (cl_uint i = 0; i < kCount; ++i) {
    Record copy = given[i / kSize];
    copy.words[0] += i;
    EXPECT_EQ(out[i], sum(copy, i % 14) + sum(own, 13) + i + sum(given[i % 4], 5)) << i;
  }
}

// Values that need several stores, or are stored in part, keep their bits.
TEST(Bits, OfSumsAreStoredInParts) {
  if (!device_has_extension("cl_khr_fp64")) GTEST_SKIP() << "the device has no doubles";
  DeviceProgram program(R"(
    struct __attribute__((packed)) Padded { double value; int rest; };
    kernel void k(global const double* a, global const float* b, global struct Padded* sums, global uint* lower, global ushort* halves) {
      size_t i = get_global_id(0);
      sums[i].value = a[i] + 0.1;
      lower[i] = (uint)as_ulong(a[i] + 0.1);
      halves[i] = (ushort)as_uint(b[i] + 0.1f);
    })");
  constexpr std::size_t kCount = 256;
  std::mt19937_64 random{std::random_device{}()};
  std::vector<double> a(kCount);
  std::vector<float> b(kCount);
  for (double& value : a) value = std::uniform_real_distribution(1.0, 1000.0)(random);
  for (float& value : b) value = std::uniform_real_distribution(1.0f, 1000.0f)(random);
  std::vector<cl_uint> sums(3 * kCount), lower(kCount);
  std::vector<cl_ushort> halves(kCount);
  program.run("k", {1, {kCount, 1, 1}, {64, 1, 1}}, {a, b, sums, lower, halves});
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto bits = std::bit_cast<cl_ulong>(a[i] + 0.1);
    EXPECT_EQ(sums[3 * i], static_cast<cl_uint>(bits)) << a[i];
    EXPECT_EQ(sums[3 * i + 1], static_cast<cl_uint>(bits >> 32)) << a[i];
    EXPECT_EQ(lower[i], static_cast<cl_uint>(bits)) << a[i];
    EXPECT_EQ(halves[i], static_cast<cl_ushort>(std::bit_cast<cl_uint>(b[i] + 0.1f))) << b[i];
  }
}

}  // namespace
}  // namespace clcuda::test
