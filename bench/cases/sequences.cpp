// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "harness/cases.h"

namespace bench {
namespace {

void md5(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(32 << 20, 64 << 10);
  const Memory digests = bench.device().allocate(n * sizeof(unsigned));
  set_arguments(kernel, digests);
  const auto check = [&] {
    // The first four bytes, smallest first, of MD5 of the bytes 00 00 00 00, 01 00 00 00 and ff ff 00 00, by md5sum.
    const auto results = bench.device().download<unsigned>(digests);
    expect_equal(results[0], 0x84ffd3f1);
    expect_equal(results[1], 0x8ad85243);
    expect_equal(results[0xffff], 0x77be5e5d);
  };
  bench.measure({n / 256}, {256}, check, n * 1e-9, "Ghashes/s");
}

uint8_t twice(uint8_t x) { return uint8_t(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

// The substitution of AES (FIPS 197 §5.1.1): inverses in the field, by powers of three, and an affine map.
std::array<uint8_t, 256> substitutions() {
  std::array<uint8_t, 256> powers{}, logarithms{}, result{};
  uint8_t power = 1;
  for (unsigned i = 0; i < 255; ++i) {
    powers[i] = power;
    logarithms[power] = uint8_t(i);
    power = uint8_t(power ^ twice(power));
  }
  for (unsigned x = 0; x < 256; ++x) {
    const uint8_t inverse = x ? powers[(255 - logarithms[x]) % 255] : 0;
    result[x] = 0x63 ^ inverse;
    for (int i = 1; i < 5; ++i) result[x] ^= std::rotl(inverse, i);
  }
  return result;
}

uint32_t substituted(uint32_t word, const std::array<uint8_t, 256>& box) {
  uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) result |= uint32_t(box[word >> shift & 255]) << shift;
  return result;
}

std::vector<uint32_t> expand_key(std::vector<uint32_t> keys, const std::array<uint8_t, 256>& box) {
  uint8_t constant = 1;
  for (unsigned i = 4; i < 44; ++i) {
    uint32_t word = keys[i - 1];
    if (i % 4 == 0) {
      word = substituted(std::rotr(word, 8), box) ^ constant;
      constant = twice(constant);
    }
    keys.push_back(keys[i - 4] ^ word);
  }
  return keys;
}

void aes(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(16 << 20, 64 << 10);
  const std::array<uint8_t, 256> box = substitutions();
  std::vector<uint32_t> table;
  for (const uint8_t s : box)
    table.push_back(uint32_t(twice(s)) | s << 8 | s << 16 | uint32_t(twice(s) ^ s) << 24);
  // The key and, first, the block of FIPS 197, appendix B.
  const std::vector<uint32_t> keys = expand_key({0x16157e2b, 0xa6d2ae28, 0x8815f7ab, 0x3c4fcf09}, box);
  std::vector<unsigned> plain = random_words(size_t(n) * 4, 31);
  for (const size_t block : {size_t(0), size_t(n - 1)}) {
    const uint32_t words[4] = {0xa8f64332, 0x8d305a88, 0xa2983131, 0x340737e0};
    std::copy(words, words + 4, plain.begin() + block * 4);
  }
  Device& device = bench.device();
  const Memory coded = device.allocate(plain.size() * sizeof(unsigned));
  set_arguments(kernel, device.upload(plain), device.upload(table), device.upload(keys), coded);
  const auto check = [&] {
    const auto results = device.download<unsigned>(coded);
    const uint32_t expected[4] = {0x1d842539, 0xfb09dc02, 0x978511dc, 0x320b6a19};
    for (const size_t block : {size_t(0), size_t(n - 1)})
      for (unsigned i = 0; i < 4; ++i) expect_equal(results[block * 4 + i], expected[i]);
  };
  bench.measure({n / 256}, {256}, check, 16e-9 * n, "GB/s");
}

int likeness(const uint8_t* first, const uint8_t* second) {
  std::array<int, 65> row{};
  for (int i = 1; i < 65; ++i) row[i] = -2 * i;
  for (int y = 0; y < 64; ++y) {
    int above_left = row[0];
    row[0] = -2 * (y + 1);
    for (int x = 0; x < 64; ++x) {
      const int same = above_left + (first[y] == second[x] ? 3 : -1);
      above_left = row[x + 1];
      row[x + 1] = std::max(std::max(row[x], row[x + 1]) - 2, same);
    }
  }
  return row[64];
}

void alignment(Bench& bench, Kernel& kernel) {
  const unsigned pairs = bench.size(128 << 10, 512);
  std::vector<uint8_t> first, second;
  for (const unsigned word : random_words(size_t(pairs) * 64, 32)) {
    first.push_back("acgt"[word & 3]);
    second.push_back(word & 12 ? first.back() : "acgt"[word >> 4 & 3]);
  }
  Device& device = bench.device();
  const Memory scores = device.allocate(pairs * sizeof(int));
  set_arguments(kernel, device.upload(first), device.upload(second), scores);
  const auto check = [&] {
    const auto results = device.download<int>(scores);
    at_some_places(pairs,
                   [&](size_t i) { expect_near(results[i], likeness(&first[i * 64], &second[i * 64]), 0); });
  };
  bench.measure({pairs}, {64}, check, 4096e-9 * pairs, "Gcells/s");
}

void bitonic_sort(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(16 << 20, 64 << 10), tile = 512;
  const std::vector<unsigned> keys = random_words(n, 33);
  const Memory from = bench.device().upload(keys), to = bench.device().allocate(from.bytes);
  set_arguments(kernel, from, to);
  const auto check = [&] {
    const auto sorted = bench.device().download<unsigned>(to);
    at_some_places(n / tile, [&](size_t i) {
      std::vector<unsigned> expected(keys.begin() + i * tile, keys.begin() + (i + 1) * tile);
      std::sort(expected.begin(), expected.end());
      if (!std::equal(expected.begin(), expected.end(), sorted.begin() + i * tile))
        throw std::runtime_error("wrong order");
    });
  };
  bench.measure({n / tile}, {256}, check, n * 1e-9, "Gkeys/s");
}

void scatter_add(Bench& bench, Kernel& kernel) {
  const unsigned n = bench.size(16 << 20, 256 << 10), places = 64 << 10;
  std::vector<unsigned> indices = random_words(n, 34);
  for (unsigned& index : indices) index %= places;
  const std::vector<unsigned> values = random_words(n, 35);
  Device& device = bench.device();
  const Memory sums = device.upload(std::vector<unsigned>(places));
  set_arguments(kernel, device.upload(indices), device.upload(values), sums, n);
  const auto check = [&] {
    const auto results = device.download<unsigned>(sums);
    std::vector<unsigned> expected(places);
    for (size_t i = 0; i < n; ++i) expected[indices[i]] += values[i];
    if (results != expected) throw std::runtime_error("wrong sums");
  };
  bench.measure({1024}, {256}, check, n * 1e-9, "Gadditions/s");
}

}  // namespace

const std::vector<Case> kSequenceCases = {{"md5", "sequences", md5},
                                          {"aes", "sequences", aes},
                                          {"alignment", "sequences", alignment},
                                          {"bitonic_sort", "sequences", bitonic_sort},
                                          {"scatter_add", "sequences", scatter_add}};

}  // namespace bench
