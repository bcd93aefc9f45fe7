// SPDX-License-Identifier: Apache-2.0
#include "form.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "program.h"

namespace clcuda::ptx::testing {
namespace {

std::uint64_t mask_of(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

// Edge values of integers of each width, and of the floating-point formats.
constexpr std::uint64_t kEdges[] = {0,
                                    1,
                                    2,
                                    7,
                                    8,
                                    15,
                                    16,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    65,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    0xfffffffe,
                                    0x7fffffffffffffff,
                                    0x8000000000000000,
                                    ~0ull,
                                    0x7f800000,
                                    0xff800000,
                                    0x7fc00000,
                                    0x00800000,
                                    0x007fffff,
                                    0x80000001,
                                    0x3f800000,
                                    0xbf800000,
                                    0x4f000000,
                                    0x7ff0000000000000,
                                    0xfff0000000000000,
                                    0x7ff8000000000000,
                                    0x0010000000000000,
                                    0x000fffffffffffff,
                                    0x3ff0000000000000,
                                    0xbff0000000000000,
                                    0x41e0000000000000,
                                    0x43e0000000000000};

std::string type_of(unsigned width) { return width == 1 ? "pred" : "b" + std::to_string(width); }

}  // namespace

Form::Form(std::string instruction, std::vector<unsigned> inputs, unsigned output)
    : instruction_(std::move(instruction)), inputs_(std::move(inputs)), output_(output) {}

Form& Form::gives(Row inputs, std::uint64_t expected) {
  rows_.push_back(inputs);
  expected_.push_back(expected & mask_of(output_));
  return *this;
}

Form& Form::matches(const std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)>& model) {
  std::mt19937_64 random(rows_.size() + inputs_.size() * 77 + instruction_.size());
  for (int i = 0; i < 400; ++i) {
    Row row{};
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      row[k] = random() % 3 ? random() >> (random() % 3 * 20) : kEdges[random() % std::size(kEdges)];
      row[k] &= mask_of(inputs_[k]);
    }
    gives(row, model(row[0], row[1], row[2]));
  }
  return *this;
}

Form& Form::any_nan() {
  any_nan_ = true;
  return *this;
}

std::string Form::text() const {
  std::string declare = ".reg ." + type_of(output_) + " %d;\n", load, store;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const std::string name = std::string("%") + "abc"[k], from = ", [%rd1+" + std::to_string(8 * k) + "];\n";
    declare += ".reg ." + type_of(inputs_[k]) + " " + name + ";\n";
    if (inputs_[k] == 1)
      load += "ld.global.b32 %r5" + from + "setp.ne.b32 " + name + ", %r5, 0;\n";
    else
      load += "ld.global.b" + std::to_string(inputs_[k]) + " " + name + from;
  }
  if (output_ == 1)
    store = "selp.u64 %rd5, 1, 0, %d;\nst.global.u64 [%rd3], %rd5;\n";
  else
    store = "st.global.b" + std::to_string(output_) + " [%rd3], %d;\n";
  return kernel_text(".param .u64 in, .param .u64 out",
                     declare +
                         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd3, [out];\nmov.u32 %r1, %tid.x;\n"
                         "mad.wide.u32 %rd1, %r1, 24, %rd1;\nmad.wide.u32 %rd3, %r1, 8, %rd3;\n" +
                         load + instruction_ + "\n" + store);
}

bool Form::agrees(std::uint64_t got, std::uint64_t expected) const {
  if (got == expected) return true;
  if (!any_nan_) return false;
  if (output_ == 32) return std::isnan(single(got)) && std::isnan(single(expected));
  if (output_ == 16) return (got & 0x7fff) > 0x7c00 && (expected & 0x7fff) > 0x7c00;
  return std::isnan(twice(got)) && std::isnan(twice(expected));
}

Form::~Form() {
  Program program(text());
  if (!program) {
    ADD_FAILURE() << instruction_ << ": " << program.log();
    return;
  }
  std::vector<std::uint64_t> results(rows_.size());
  const auto fault = program.run("k", {1}, {static_cast<std::uint32_t>(rows_.size())},
                                 arguments(rows_.data(), results.data()));
  EXPECT_FALSE(fault) << instruction_;
  int shown = 0;
  for (std::size_t i = 0; i < rows_.size() && shown < 3; ++i) {
    if (agrees(results[i], expected_[i])) continue;
    ++shown;
    ADD_FAILURE() << instruction_ << std::hex << " a=" << rows_[i][0] << " b=" << rows_[i][1]
                  << " c=" << rows_[i][2] << " gave " << results[i] << ", expected " << expected_[i];
  }
}

}  // namespace clcuda::ptx::testing
