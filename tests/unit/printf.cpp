// SPDX-License-Identifier: Apache-2.0
// The decoder of printf records, in particular with invalid records and formats.
#include "runtime/program/printf.h"

#include <gtest/gtest.h>
#include <locale.h>
#include <stdlib.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

namespace clcuda {
namespace {

using Formats = std::vector<std::string>;

class Records {
 public:
  Records& add(std::uint32_t format, const std::vector<std::uint64_t>& slots) {
    return add(static_cast<std::uint32_t>(8 + 8 * slots.size()), format, slots);
  }
  Records& add(std::uint32_t size, std::uint32_t format, const std::vector<std::uint64_t>& slots) {
    const std::uint32_t head[] = {size, format};
    append(head, sizeof head);
    append(slots.data(), slots.size() * 8);
    return *this;
  }
  std::string text(const Formats& formats) const {
    std::string all;
    print_records(bytes_, formats, [&](std::string_view piece) { all += piece; });
    return all;
  }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

constexpr std::uint64_t kMinusOne = ~std::uint64_t{0};

TEST(PrintfText, RecordsInTheirOrder) {
  EXPECT_EQ(Records().add(1, {7}).add(0, {}).add(1, {kMinusOne}).text({"\nplain\n", "i\n<%d>"}),
            "<7>plain\n<-1>");
}

TEST(PrintfText, TheLengthDecidesWhatIsPrintedOfAnInteger) {
  const std::uint64_t value = 0x8877665544332211;
  EXPECT_EQ(Records().add(0, {value, value, value, value}).text({"llll\n%hhx %hx %x %lx"}),
            "11 2211 44332211 8877665544332211");
  EXPECT_EQ(Records().add(0, {0xff, 0xffff, 0xffffffff}).text({"lll\n%hhd %hd %d"}), "-1 -1 -1");
  EXPECT_EQ(Records().add(0, {kMinusOne, kMinusOne}).text({"i2\n%v2hlu"}), "4294967295,4294967295");
  EXPECT_EQ(Records().add(0, {5, kMinusOne, kMinusOne}).text({"lll\n%zu %td %lld"}), "5 -1 -1");
}

// The locale is made here, because few systems have one with a decimal comma.
TEST(PrintfText, HasADecimalPointInEachLocale) {
  std::string folder(testing::TempDir() + "locales_XXXXXX");
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/comma") << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND "
                                      "LC_NUMERIC\n";
  // It complains about what the locale lacks, and makes it.
  const std::string command = "cd " + folder + " && localedef -c -i ./comma -f ANSI_X3.4-1968 ./of_test";
  (void)!std::system((command + " >/dev/null 2>&1").c_str());
  setenv("LOCPATH", folder.c_str(), 1);
  const bool made = setlocale(LC_NUMERIC, "of_test");
  unsetenv("LOCPATH");
  std::filesystem::remove_all(folder);
  if (!made) GTEST_SKIP() << "there is no localedef";
  const auto half = std::bit_cast<std::uint64_t>(0.5), more = std::bit_cast<std::uint64_t>(1.5);
  EXPECT_EQ(Records().add(0, {half, half, more}).text({"dd2\n%f %v2hlf"}), "0.500000 0.500000,1.500000");
  EXPECT_STREQ(localeconv()->decimal_point, ",");  // the application's, as before
  setlocale(LC_NUMERIC, "C");
}

TEST(PrintfText, ArgumentsOfAnotherTypeAreConverted) {
  const auto half = std::bit_cast<std::uint64_t>(2.5), nan = std::bit_cast<std::uint64_t>(0.0 / 0.0);
  EXPECT_EQ(Records().add(0, {half, 3, nan}).text({"did\n%d %.1f %d"}), "2 3.0 0");
  EXPECT_EQ(Records().add(0, {3}).text({"i\n%s"}), "(null)");
}

TEST(PrintfText, WhatIsNoConversionIsCopied) {
  EXPECT_EQ(Records().add(0, {1}).text({"i\n%n %*d %ls %v5hld %q %% %d %"}), "%n %*d %ls %v5hld %q % 1 %");
  EXPECT_EQ(Records().add(0, {1}).text({"i\n%d %d"}), "1 %d");  // too few arguments
}

TEST(PrintfText, FieldsAreBounded) {
  EXPECT_EQ(Records().add(0, {1}).text({"i\n%99999999999d"}).size(), 4095u);
  EXPECT_EQ(Records().add(0, {1}).text({"i\n%.99999999999d"}).size(), 4095u);
}

TEST(PrintfText, LongStrings) {
  const std::string text(100'000, 'x');
  EXPECT_EQ(Records().add(0, {1, kMinusOne}).text({"ss\n%s|%s", text}), text + "|(null)");
}

TEST(PrintfText, StopsAtADamagedRecord) {
  const Formats formats = {"i\n%d"};
  for (const std::uint32_t size : {0u, 4u, 7u, 12u, 24u, 0xfffffff8u})
    EXPECT_EQ(Records().add(0, {1}).add(size, 0, {2}).text(formats), "1") << size;
  EXPECT_EQ(Records().add(9, {1}).add(0, {2}).text(formats), "2");
  EXPECT_EQ(Records().add(0, {}).text(formats), "%d");
}

TEST(PrintfText, AnyBytesWithAnyFormat) {
  std::mt19937 random(std::random_device{}());
  const std::string letters = "%%%dscpfeagxvnhl0123456789.+-# \n*ci2d16";
  for (int round = 0; round < 3000; ++round) {
    Formats formats(1 + random() % 4);
    for (std::string& format : formats)
      for (unsigned i = random() % 40; i > 0; --i) format += letters[random() % letters.size()];
    Records records;
    for (unsigned i = random() % 5; i > 0; --i) {
      std::vector<std::uint64_t> slots(random() % 20);
      for (std::uint64_t& slot : slots)
        slot = random() % 2 ? random() % 5 : (std::uint64_t{random()} << 32 | random());
      if (random() % 4)
        records.add(random() % 5, slots);
      else
        records.add(static_cast<std::uint32_t>(random() % 200), random() % 5, slots);
    }
    EXPECT_LT(records.text(formats).size(), 10'000'000u);
  }
}

}  // namespace
}  // namespace clcuda
