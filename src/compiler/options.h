// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clcuda::compiler {

// The options text of clBuildProgram, clCompileProgram and clLinkProgram as values (OpenCL §5.8.6,
// §5.8.7, cl_nv_compiler_options).
struct Options {
  std::string standard = "CL1.2";   // -cl-std; without it, the highest OpenCL C 1.x
  std::vector<std::string> macros;  // of -D, in order: NAME or NAME=text
  std::vector<std::string> include_directories;
  bool single_precision_constant = false;
  bool denorms_are_zero = false;
  bool correctly_rounded_divide_sqrt = false;
  bool disable_optimization = false;
  bool uniform_work_group_size = false;
  bool mad_enable = false;
  bool no_signed_zeros = false;
  bool unsafe_math = false;
  bool finite_math_only = false;
  bool strict_aliasing = false;  // -cl-strict-aliasing, -fstrict-aliasing
  bool fast_relaxed_math = false;
  bool no_warnings = false;
  bool warnings_are_errors = false;
  bool kernel_argument_info = false;
  bool debug_info = false;
  bool create_library = false;
  bool enable_link_options = false;
  bool verbose = false;        // -cl-nv-verbose
  int max_registers = 0;       // -cl-nv-maxrregcount; 0: no bound
  int optimization_level = 3;  // -cl-nv-opt-level
  int architecture = 0;        // -cl-nv-arch: 80 for sm_80; 0: the device's
};

// The function that is given the options: clBuildProgram, clCompileProgram or clLinkProgram.
enum class OptionsFor { build, compile, link };

// Unknown and malformed options, and those not allowed for the call, are rejected: `problem` then says why, and the
// other values are meaningless.
struct ParsedOptions {
  Options options;
  std::string problem;
};
ParsedOptions parse_options(std::string_view text, OptionsFor purpose);

// Splits at white space; quotes (' or ") and backslashes keep white space in a word. Returns false for an
// unclosed quote.
bool split_words(std::string_view text, std::vector<std::string>& words);

}  // namespace clcuda::compiler
