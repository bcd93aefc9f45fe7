// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/language_features.h"

namespace compile_tool {

enum class Product : std::uint8_t { ptx, binary, spirv };

struct Arguments {
  Product product = Product::ptx;
  std::vector<std::string> files;
  std::string output;        // "-" for the standard output
  std::string options;       // those of clBuildProgram, in their order
  std::string link_options;  // where there are several files, and for libraries
  clcuda::compiler::Target target;
  clcuda::compiler::LanguageChoice language;
  clcuda::compiler::Variant variant = clcuda::compiler::Variant::uniform;
  std::vector<clcuda::compiler::spirv::Specialization> specializations;
  int spirv_minor_version = 4;
  bool compile_only = false;
  bool verbose = false;
  bool dump_passes = false;
  int repeat = 1;
};

// What stands where there is nothing to compile: --help and --version ask for a text, all else is a mistake.
struct Answer {
  std::string text;
  int status = 0;
};

// The command line, or what to print instead. Throws Answer.
Arguments parse_arguments(const std::vector<std::string>& words);

}  // namespace compile_tool
