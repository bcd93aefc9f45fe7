// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clcuda::ptx::testing {

// One instruction form under test, on registers %a %b %c (inputs) and %d (output) of given widths; 1 stands
// for a predicate:
//
//   Form("add.s32 %d, %a, %b;", {32, 32}, 32).gives({2, 3}, 5).gives({~0u, 1}, 0);
//
// The rows run as the work-items of one block in the Form's destructor; `gives` and `matches` only collect them.
class Form {
 public:
  using Row = std::array<std::uint64_t, 3>;
  Form(std::string instruction, std::vector<unsigned> inputs, unsigned output);
  ~Form();

  Form& gives(Row inputs, std::uint64_t expected);
  // Compares edge values and random ones with a model on the host.
  Form& matches(const std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)>& model);
  // For floating-point results: any NaN equals any other.
  Form& any_nan();

 private:
  std::string text() const;
  bool agrees(std::uint64_t got, std::uint64_t expected) const;

  std::string instruction_;
  std::vector<unsigned> inputs_;
  unsigned output_;
  bool any_nan_ = false;
  std::vector<Row> rows_;
  std::vector<std::uint64_t> expected_;
};

inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
inline float single(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
inline double twice(std::uint64_t bits) { return std::bit_cast<double>(bits); }

}  // namespace clcuda::ptx::testing
