// SPDX-License-Identifier: Apache-2.0
// cl_khr_extended_bit_ops: each type and width, each offset and length of a field.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>

#include "device_program.h"

namespace clcuda::test {
namespace {

using Word = std::uint64_t;

Word mask_of(unsigned count) { return count == 64 ? ~Word{0} : (Word{1} << count) - 1; }
Word field_of(Word base, unsigned offset, unsigned count) {
  return count ? base >> offset & mask_of(count) : 0;
}

Word inserted(Word base, Word field, unsigned offset, unsigned count) {
  if (!count) return base;
  const Word mask = mask_of(count) << offset;
  return (base & ~mask) | (field << offset & mask);
}

Word extended(Word field, unsigned count) {
  return count && field >> (count - 1) & 1 ? field | ~mask_of(count) : field;
}

Word reversed(Word value, unsigned bits) {
  Word result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

void check(const std::string& type, const std::string& signed_type, const std::string& unsigned_type,
           unsigned bits, unsigned width) {
  const std::string n = width == 1 ? "" : std::to_string(width);
  const unsigned bytes = bits / 8, padded = width == 3 ? 4 : width;
  DeviceProgram program("typedef " + type + n + " T; typedef " + signed_type + n + " S; typedef " +
                        unsigned_type + n + R"( U;
kernel void fields(global const T* base, global const T* field, global const uint* at, global T* insert, global S* with_sign,
                   global U* without, global T* reverse) {
  size_t i = get_global_id(0);
  uint offset = at[2 * i], count = at[2 * i + 1];
  insert[i] = bitfield_insert(base[i], field[i], offset, count);
  with_sign[i] = bitfield_extract_signed(base[i], offset, count);
  without[i] = bitfield_extract_unsigned(base[i], offset, count);
  reverse[i] = bit_reverse(base[i]);
})");
  std::vector<cl_uint> at;
  for (unsigned offset = 0; offset <= bits; ++offset) {
    for (unsigned count = 0; count + offset <= bits; ++count) at.insert(at.end(), {offset, count});
  }
  Range range;
  range.global[0] = at.size() / 2;
  std::mt19937_64 random{std::random_device{}()};
  std::vector<unsigned char> base(range.total() * padded * bytes), field(base.size());
  for (auto& byte : base) byte = static_cast<unsigned char>(random());
  for (auto& byte : field) byte = static_cast<unsigned char>(random());
  std::vector<unsigned char> insert(base.size()), with_sign(base.size()), without(base.size()),
      reverse(base.size());
  program.run("fields", range, {base, field, at, insert, with_sign, without, reverse});
  for (std::size_t i = 0; i < range.total(); ++i) {
    const unsigned offset = at[2 * i], count = at[2 * i + 1];
    for (unsigned k = 0; k < width; ++k) {
      const auto word = [&](const std::vector<unsigned char>& buffer) {
        Word value = 0;
        std::memcpy(&value, &buffer[(i * padded + k) * bytes], bytes);
        return value;
      };
      const Word value = word(base), part = field_of(value, offset, count);
      ASSERT_EQ(word(insert), inserted(value, word(field), offset, count))
          << type << n << " " << offset << " " << count;
      ASSERT_EQ(word(with_sign), extended(part, count) & mask_of(bits))
          << type << n << " " << offset << " " << count;
      ASSERT_EQ(word(without), part) << type << n << " " << offset << " " << count;
      ASSERT_EQ(word(reverse), reversed(value, bits)) << type << n;
    }
  }
}

TEST(ExtendedBitOps, EveryFieldOfEveryType) {
  if (!device_has_extension("cl_khr_extended_bit_ops"))
    GTEST_SKIP() << "the device does not have cl_khr_extended_bit_ops";
  unsigned bits = 8;
  for (const char* name : {"char", "short", "int", "long"}) {
    for (const unsigned width : {1U, 2U, 3U, 4U, 8U, 16U}) {
      check(name, name, std::string("u") + name, bits, width);
      check(std::string("u") + name, name, std::string("u") + name, bits, width);
    }
    bits *= 2;
  }
}

}  // namespace
}  // namespace clcuda::test
