// SPDX-License-Identifier: Apache-2.0
// The SPIR-V reader with malformed modules. Valid ones are tested in tests/compiler/spirv.
#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <vector>

#include "compiler/spirv/reader.h"
#include "support.h"

namespace clcuda::compiler::testing {
namespace {

using Words = std::vector<std::uint32_t>;

// The modules of tests/compiler/spirv, assembled by the build.
std::vector<Words> seeds() {
  std::vector<Words> modules;
  for (const auto& file : std::filesystem::directory_iterator(CLCUDA_SPIRV_SEEDS)) {
    std::ifstream stream(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    modules.emplace_back(bytes.size() / 4);
    std::memcpy(modules.back().data(), bytes.data(), bytes.size());
  }
  return modules;
}

std::string bytes_of(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

struct Reading {
  std::string log;
  std::string text;  // of the module; empty: it was rejected
};

Reading reading_of(const std::string& bytes) {
  static const Options options = parse_options("-g -cl-kernel-arg-info", OptionsFor::build).options;
  llvm::LLVMContext context;
  Outcome outcome;
  const auto module = spirv::read({bytes, {}, options, kTarget, features()}, context, outcome);
  Reading reading{.log = outcome.log};
  if (!module) return reading;
  llvm::raw_string_ostream stream(reading.text);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << reading.text;
  module->print(stream, nullptr);
  return reading;
}

std::uint32_t first_word(std::uint32_t length, std::uint32_t opcode) { return length << 16 | opcode; }

// A module of version 1.4 with these instructions after its memory model.
Words module_of(std::initializer_list<Words> instructions, std::uint32_t bound = 64) {
  Words words = {0x07230203, 0x00010400, 0, bound, 0, first_word(3, 14), 2, 2};
  for (const Words& instruction : instructions)
    words.insert(words.end(), instruction.begin(), instruction.end());
  return words;
}

constexpr std::uint32_t kTypeInt = 21, kTypeArray = 28, kTypeStruct = 30, kTypePointer = 32, kConstant = 43,
                        kForwardPointer = 39;

// Exchanges, duplicates, removes and changes instructions and their words.
class Mutation {
 public:
  Mutation(Words& words, std::mt19937& random) : words_(words), random_(random) {}

  void run() {
    const auto places = instructions();
    if (places.empty()) return;
    const auto [at, length] = places[below(places.size())];
    const auto [other, other_length] = places[below(places.size())];
    const Words copy(words_.begin() + other, words_.begin() + other + other_length);
    switch (below(6)) {
      case 0:
        words_.erase(words_.begin() + at, words_.begin() + at + length);
        break;
      case 1:
        words_.insert(words_.begin() + at, copy.begin(), copy.end());
        break;
      case 2:
        words_[at] = (words_[at] & 0xffff0000) | (copy[0] & 0xffff);
        break;
      case 3:
        words_[below(words_.size())] ^= 1u << below(32);
        break;
      default:
        if (length > 1) words_[at + 1 + below(length - 1)] = static_cast<std::uint32_t>(below(words_[3] + 2));
    }
  }

 private:
  struct Place {
    std::ptrdiff_t at, length;
  };
  std::vector<Place> instructions() const {
    std::vector<Place> places;
    for (std::size_t at = 5; at < words_.size();) {
      const std::size_t length = words_[at] >> 16;
      if (length == 0 || length > words_.size() - at) break;
      places.push_back({static_cast<std::ptrdiff_t>(at), static_cast<std::ptrdiff_t>(length)});
      at += length;
    }
    return places;
  }
  std::size_t below(std::size_t end) { return random_() % end; }

  Words& words_;
  std::mt19937& random_;
};

TEST(Spirv, EveryMutationOfAModuleIsReadOrRefused) {
  const std::uint32_t seed = std::random_device{}();
  std::cout << "seed " << seed << std::endl;  // printed first, in case the run crashes
  std::mt19937 random(seed);
  const auto modules = seeds();
  ASSERT_FALSE(modules.empty());
  int refused_modules = 0;
  for (int round = 0; round < 20'000; ++round) {
    Words words = modules[random() % modules.size()];
    for (unsigned i = 0; i <= random() % 4; ++i) Mutation(words, random).run();
    const Reading reading = reading_of(bytes_of(words));
    if (!reading.text.empty()) continue;
    ++refused_modules;
    EXPECT_TRUE(reading.log.starts_with("error: ")) << reading.log;
  }
  EXPECT_GT(refused_modules, 0);
}

TEST(Spirv, EveryBeginningOfAModuleIsReadOrRefused) {
  for (const Words& words : seeds()) {
    const std::string bytes = bytes_of(words);
    for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 97) {
      std::string problem;
      const bool is_module = spirv::summarize(std::string_view(bytes).substr(0, length), problem).has_value();
      EXPECT_EQ(is_module, problem.empty());
      if (reading_of(bytes.substr(0, length)).text.empty()) continue;
      EXPECT_EQ(length % 4, 0u);
    }
  }
}

TEST(Spirv, ReadsModulesOfTheOtherByteOrder) {
  for (Words words : seeds()) {
    const Reading reading = reading_of(bytes_of(words));
    for (std::uint32_t& word : words) word = __builtin_bswap32(word);
    EXPECT_EQ(reading.text, reading_of(bytes_of(words)).text);
    std::string problem;
    const auto summary = spirv::summarize(bytes_of(words), problem);
    ASSERT_TRUE(summary) << problem;
    EXPECT_TRUE(summary->byte_swapped);
  }
}

TEST(Spirv, SummaryHasTheSpecializationConstantsWithTheirSizes) {
  const Words decorated = module_of({{first_word(4, 71), 10, 1, 77},
                                     {first_word(4, 71), 11, 1, 78},
                                     {first_word(2, 20), 1},
                                     {first_word(4, kTypeInt), 2, 16, 0},
                                     {first_word(3, 48), 1, 10},
                                     {first_word(4, 50), 2, 11, 5}});
  std::string problem;
  const auto summary = spirv::summarize(bytes_of(decorated), problem);
  ASSERT_TRUE(summary) << problem;
  EXPECT_EQ(summary->version, 0x00010400u);
  ASSERT_EQ(summary->constants.size(), 2u);
  EXPECT_EQ(summary->constants[0].id, 77u);
  EXPECT_EQ(summary->constants[0].size, 1u);
  EXPECT_EQ(summary->constants[1].id, 78u);
  EXPECT_EQ(summary->constants[1].size, 2u);
}

TEST(Spirv, RefusesWhatIsNoModule) {
  std::string problem;
  EXPECT_FALSE(spirv::summarize("", problem));
  EXPECT_FALSE(spirv::summarize(std::string(20, '\0'), problem));
  Words words = module_of({});
  EXPECT_TRUE(spirv::summarize(bytes_of(words), problem)) << problem;
  EXPECT_FALSE(spirv::summarize(bytes_of(words) + "x", problem));
  words[1] = 0x00010700;
  EXPECT_FALSE(spirv::summarize(bytes_of(words), problem));
  words = module_of({}, 0x400001);
  EXPECT_FALSE(spirv::summarize(bytes_of(words), problem));
  words = module_of({{first_word(9, kTypeInt), 1, 32, 0}});
  EXPECT_FALSE(spirv::summarize(bytes_of(words), problem));
}

// Each type contains two of the previous one.
TEST(Spirv, RefusesTypesThatGrowWithoutBound) {
  Words words = module_of({{first_word(4, kTypeInt), 1, 64, 0}}, 4096);
  for (std::uint32_t id = 2; id < 200; ++id) {
    const Words structure = {first_word(4, kTypeStruct), id, id - 1, id - 1};
    words.insert(words.end(), structure.begin(), structure.end());
  }
  EXPECT_NE(reading_of(bytes_of(words)).log.find("the structure is too large"), std::string::npos);
}

TEST(Spirv, RefusesTypesThatAreNestedTooDeeply) {
  Words words = module_of({{first_word(4, kTypeInt), 1, 64, 0}}, 100'000);
  for (std::uint32_t id = 2; id < 90'000; ++id) {
    const Words structure = {first_word(3, kTypeStruct), id, id - 1};
    words.insert(words.end(), structure.begin(), structure.end());
  }
  EXPECT_NE(reading_of(bytes_of(words)).log.find("types are nested too deeply"), std::string::npos);
}

TEST(Spirv, RefusesArraysWithoutSize) {
  const auto log_of = [](std::uint32_t low, std::uint32_t high) {
    return reading_of(bytes_of(module_of({{first_word(4, kTypeInt), 1, 64, 0},
                                          {first_word(2, kTypeStruct), 2},
                                          {first_word(5, kConstant), 1, 3, low, high},
                                          {first_word(4, kTypeArray), 4, 2, 3}})))
        .log;
  };
  EXPECT_EQ(log_of(4, 0), "");
  EXPECT_NE(log_of(0, 0).find("an array has elements"), std::string::npos);
  EXPECT_NE(log_of(~0u, ~0u).find("the array is too large"), std::string::npos);
}

// Pointers that refer to each other in a cycle.
TEST(Spirv, ReadsPointersThatPointToThemselves) {
  const Words words = module_of({{first_word(3, kForwardPointer), 2, 5},
                                 {first_word(3, kForwardPointer), 3, 5},
                                 {first_word(4, kTypePointer), 2, 5, 3},
                                 {first_word(4, kTypePointer), 3, 5, 2},
                                 {first_word(2, 19), 4},
                                 {first_word(4, 33), 5, 4, 2},
                                 {first_word(5, 54), 4, 6, 0, 5},
                                 {first_word(3, 55), 2, 7},
                                 {first_word(2, 248), 8},
                                 {first_word(1, 253)},
                                 {first_word(1, 56)}});
  Words with_kernel = words;
  const Words entry = {first_word(4, 15), 6, 6, 0x6b};  // Kernel, "k"
  with_kernel.insert(with_kernel.begin() + 8, entry.begin(), entry.end());
  EXPECT_NE(reading_of(bytes_of(with_kernel)).text.find("ptx_kernel void @k(ptr addrspace(1)"),
            std::string::npos);
}

TEST(Spirv, RefusesIdsThatAreDefinedTwiceOrOutOfBounds) {
  EXPECT_NE(reading_of(bytes_of(module_of({{first_word(2, 20), 1}, {first_word(2, 19), 1}})))
                .log.find("is defined twice"),
            std::string::npos);
  EXPECT_NE(reading_of(bytes_of(module_of({{first_word(2, 20), 64}}))).log.find("out of the module's bound"),
            std::string::npos);
}

}  // namespace
}  // namespace clcuda::compiler::testing
