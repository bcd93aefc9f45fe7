// SPDX-License-Identifier: Apache-2.0
// clcuda-spirv [--spec=ID:VALUE] [OpenCL options …] file.spv
//
// Reads a SPIR-V module and writes the LLVM IR translated from it as text, before anything is linked or lowered.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/language_features.h"
#include "compiler/options.h"
#include "compiler/spirv/reader.h"

namespace {

using namespace clcuda::compiler;

// Parses ID:VALUE; the value becomes a number of eight bytes.
spirv::Specialization parse_specialization(const std::string& text) {
  const std::size_t colon = text.find(':');
  unsigned long long value = std::stoull(text.substr(colon + 1), nullptr, 0);
  std::string bytes;
  for (int i = 0; i < 8; ++i, value >>= 8) bytes += static_cast<char>(value & 0xff);
  return {static_cast<std::uint32_t>(std::stoul(text.substr(0, colon))), bytes};
}

}  // namespace

int main(int count, char** words) {
  std::string options_text, file;
  std::vector<spirv::Specialization> specializations;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word.starts_with("--spec=")) {
      specializations.push_back(parse_specialization(word.substr(7)));
    } else if (i + 1 == count) {
      file = word;
    } else {
      options_text += " " + word;
    }
  }
  std::ifstream stream(file, std::ios::binary);
  const auto [options, problem] = parse_options(options_text, OptionsFor::build);
  if (file.empty() || !stream || !problem.empty()) {
    std::cerr << problem << "\nusage: clcuda-spirv [--spec=ID:VALUE] [OpenCL options] file.spv\n";
    return 2;
  }
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const Target target{90, 78};
  llvm::LLVMContext context;
  Outcome outcome;
  const auto module = spirv::read(
      {bytes, specializations, options, target, features_for({.intel_subgroups = true})}, context, outcome);
  std::cerr << outcome.log;
  if (!module) return 1;
  module->print(llvm::outs(), nullptr);
}
