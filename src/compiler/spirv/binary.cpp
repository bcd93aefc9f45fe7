// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/binary.h"

#include <bit>
#include <cstring>
#include <span>

#include "compiler/program_error.h"
#include "compiler/spirv/grammar.h"

namespace clcuda::compiler::spirv {
namespace {

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kOldest = 0x00010000, kNewest = 0x00010600;
constexpr std::uint32_t kMostIds = 0x3fffff;  // the specification's universal limit (section 2.16.1)

// Whether the module consists of whole instructions.
bool are_whole(std::span<const std::uint32_t> words, std::string& problem) {
  std::size_t at = kHeaderWords;
  for (std::uint32_t number = 1; at < words.size(); ++number) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) {
      problem = "instruction " + std::to_string(number) + " has a wrong length";
      return false;
    }
    at += length;
  }
  return true;
}

std::string problem_of(const Binary& binary) {
  if ((binary.version & 0xff0000ff) != 0 || binary.version < kOldest || binary.version > kNewest)
    return "the module's version is none of 1.0 to 1.6";
  if (binary.bound == 0 || binary.bound > kMostIds + 1) return "the module's bound of ids is out of range";
  std::string problem;
  are_whole(binary.words, problem);
  return problem;
}

// Adds the instruction's number and name to the reason, unless it has them already.
ProgramError placed(const ProgramError& error, std::uint32_t number, Op op) {
  constexpr std::string_view kBeginning = "error: SPIR-V instruction ";
  if (error.reason.starts_with("error: ")) return error;
  return {std::string(kBeginning) + std::to_string(number) + ", " + name_of(op) + ": " + error.reason};
}

}  // namespace

std::optional<Binary> open_binary(std::string_view bytes, std::string& problem) {
  Binary binary;
  problem.clear();
  if (bytes.size() < kHeaderWords * 4 || bytes.size() % 4 != 0) {
    problem = "a SPIR-V module is of whole words and has a header of five";
    return std::nullopt;
  }
  binary.words.resize(bytes.size() / 4);
  std::memcpy(binary.words.data(), bytes.data(), bytes.size());
  binary.byte_swapped = binary.words[0] == __builtin_bswap32(kMagic);
  if (binary.byte_swapped)
    for (std::uint32_t& word : binary.words) word = __builtin_bswap32(word);
  if (binary.words[0] != kMagic) {
    problem = "a SPIR-V module begins with 0x07230203";
    return std::nullopt;
  }
  binary.version = binary.words[1];
  binary.bound = binary.words[3];
  problem = problem_of(binary);
  if (!problem.empty()) return std::nullopt;
  return binary;
}

void at_instruction(const Instruction& instruction, const std::function<void()>& act) {
  try {
    act();
  } catch (const ProgramError& error) {
    throw placed(error, instruction.number(), instruction.op());
  }
}

void for_each_instruction(const Binary& binary, const std::function<void(const Instruction&)>& act) {
  const std::span<const std::uint32_t> words = binary.words;
  std::size_t at = kHeaderWords;
  for (std::uint32_t number = 1; at < words.size(); ++number) {
    const std::size_t length = words[at] >> 16;
    try {
      act(Instruction(number, words.subspan(at, length)));
    } catch (const ProgramError& error) {
      throw placed(error, number, static_cast<Op>(words[at] & 0xffff));
    }
    at += length;
  }
}

}  // namespace clcuda::compiler::spirv
