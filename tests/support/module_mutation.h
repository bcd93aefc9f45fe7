// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random changes of SPIR-V modules: of whole instructions and of words.
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/opencl.h"

namespace test {

// The header, then each instruction, in host byte order; the last piece is any remainder that is not a whole instruction.
inline std::vector<std::string> instructions_of(std::string_view module) {
  constexpr std::size_t kHeader = 20;
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < module.size();) {
    std::size_t size = kHeader;
    if (at > 0 && module.size() - at >= 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, module.data() + at, sizeof word);
      size = std::max<std::size_t>(word >> 16, 1) * 4;
    }
    pieces.emplace_back(module.substr(at, size));
    at += pieces.back().size();
  }
  return pieces;
}

// A copy with one to `most` changes: instructions deleted, duplicated or exchanged, words replaced by words of the module or by random
// ones.
inline std::string mutated_module(std::string_view module, std::size_t most,
                                  std::mt19937_64& engine = random_engine()) {
  std::vector<std::string> pieces = instructions_of(module);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(engine() % end); };
  // A random operand word of an instruction.
  const auto operand = [&](std::string& piece) -> char* {
    const std::size_t words = piece.size() / 4;
    return words < 2 ? nullptr : piece.data() + 4 * (1 + below(words - 1));
  };
  for (std::size_t edits = 1 + below(most); edits > 0 && pieces.size() > 1; --edits) {
    const std::size_t at = below(pieces.size()), from = below(pieces.size());
    switch (below(8)) {
      case 0:
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), std::string(pieces[from]));
        break;
      case 2:
        std::swap(pieces[at], pieces[from]);
        break;
      case 3: {
        constexpr std::uint32_t kNumbers[] = {0, 1, 2, 4, 8, 31, 64, 255, 1 << 16, 0x7FFFFFFF, 0xFFFFFFFF};
        if (char* const word = operand(pieces[at]))
          std::memcpy(word, &kNumbers[below(std::size(kNumbers))], sizeof(std::uint32_t));
        break;
      }
      case 4: {
        // Another opcode with the same operands.
        const auto opcode = static_cast<std::uint16_t>(below(512));
        std::memcpy(pieces[at].data(), &opcode, std::min(sizeof opcode, pieces[at].size()));
        break;
      }
      default:
        char* const to = operand(pieces[at]);
        const char* const other = operand(pieces[from]);
        if (to && other && to != other) std::memcpy(to, other, sizeof(std::uint32_t));
    }
  }
  std::string bytes;
  for (const std::string& piece : pieces) bytes += piece;
  return bytes;
}

}  // namespace test
