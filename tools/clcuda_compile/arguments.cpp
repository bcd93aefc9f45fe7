// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "base/version.h"
#include "compiler/target.h"

namespace compile_tool {
namespace {

using namespace clcuda::compiler;

constexpr char kHelp[] = R"(usage: clcuda-compile [options] FILE...

Compiles OpenCL C or C++ for OpenCL (.cl), SPIR-V modules and binaries of clcuda, as its OpenCL library would. Several files are linked.

  -o FILE              where to write; - is the standard output. Default: the first file's name with another ending, or the standard
                       output for PTX
  --emit=KIND          ptx (the default), binary (for clCreateProgramWithBinary), spirv (of one file of OpenCL C, unoptimised, by LLVM's
                       SPIR-V back end)
  --device=CHIP        sm_75 (the default, whose code runs on every device), sm_80, sm_90 ...: the oldest chip to run on; the only one for
                       programs with inline assembly, from sm_90 on (their PTX is for sm_90a ...)
  --ptx=VERSION        the newest PTX that may be written, such as 8.3. Default: what every driver knows that knows the chip
  --opencl=VERSION     3.1 (the default) or 3.0: what the device is taken to be
  --intel-subgroups    declare Intel's sub-group functions, as CLCUDA_INTEL_SUBGROUPS=1 does
  --spirv-version=1.N  of the module to write (1.0 to 1.6; 1.4 by default)
  --specialize=ID=VALUE   a specialization constant of a SPIR-V module, as an integer or, behind 0x, as its bits
  --general            write the general variant's PTX, for launches with an offset or partial work-groups
  -c                   compile to an object, for linking: a binary
  -create-library      link to a library: a binary
  --dump-passes        print the module to the standard error after each pass that changes it
  --repeat=N           compile N times and print the time of each
  -v                   print kernels, their arguments and attributes to the standard error
  --help, --version

All else is passed on: -D, -I, -w, -Werror, -g, -cl-... of clBuildProgram.

For the conformance suite's offline mode: --mode=spir-v|binary --source=FILE --output=FILE --cl-device-info=FILE -- OPTIONS...
)";

[[noreturn]] void refuse(const std::string& problem) {
  throw Answer{"clcuda-compile: " + problem + " (see clcuda-compile --help)\n", 2};
}

template <class Number>
Number number_of(std::string_view text, const std::string& of_what) {
  Number number{};
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) refuse(of_what + " is not a number");
  return number;
}

// "8.3" is 83.
int tenths(std::string_view text, const std::string& of_what) {
  const std::size_t point = text.find('.');
  if (point == text.npos || text.size() != point + 2) refuse(of_what + " has the form 8.3");
  return number_of<int>(text.substr(0, point), of_what) * 10 +
         number_of<int>(text.substr(point + 1), of_what);
}

spirv::Specialization specialization_of(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) refuse("--specialize has the form ID=VALUE");
  const std::string_view value = text.substr(equals + 1);
  auto bits = value.starts_with("-")
                  ? static_cast<std::uint64_t>(number_of<std::int64_t>(value, "--specialize"))
                  : number_of<std::uint64_t>(value, "--specialize");
  spirv::Specialization constant{number_of<std::uint32_t>(text.substr(0, equals), "--specialize"), {}};
  for (int i = 0; i < 8; ++i, bits >>= 8) constant.value += static_cast<char>(bits & 0xff);
  return constant;
}

// Parses the words before "--", or all of them. The suite and users write options as --name=value or --name value.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& words) : words_(words) {}

  Arguments parse() {
    for (at_ = 0; at_ < words_.size(); ++at_) take(words_[at_]);
    finish();
    return std::move(arguments_);
  }

 private:
  void take(const std::string& word) {
    if (only_options_) {
      if (!is_for_offline_compilers(word)) add_option(word);
      return;
    }
    if (word == "--") {
      only_options_ = !source_.empty();
      only_files_ = !only_options_;
    } else if (only_files_ || word == "-" || !word.starts_with("-")) {
      arguments_.files.push_back(word);
    } else if (!take_flag(word) && !take_setting(word)) {
      pass_on(word);
    }
  }

  bool take_flag(const std::string& word) {
    if (word == "--help" || word == "-h") throw Answer{kHelp};
    if (word == "--version") throw Answer{"clcuda-compile " CLCUDA_VERSION "\n"};
    const std::pair<const char*, std::function<void()>> flags[] = {
        {"-c", [&] { arguments_.compile_only = true; }},
        {"-v", [&] { arguments_.verbose = true; }},
        {"--general", [&] { arguments_.variant = Variant::general; }},
        {"--intel-subgroups", [&] { arguments_.language.intel_subgroups = true; }},
        {"--dump-passes", [&] { arguments_.dump_passes = true; }},
        {"-create-library", [&] { arguments_.link_options += " -create-library"; }},
        {"-enable-link-options", [&] { arguments_.link_options += " -enable-link-options"; }}};
    for (const auto& [name, act] : flags)
      if (word == name) return act(), true;
    return false;
  }

  // --name=value, --name value, -o value, -ovalue.
  bool take_setting(const std::string& word) {
    const std::pair<const char*, std::function<void(const std::string&)>> settings[] = {
        {"-o", [&](const std::string& value) { arguments_.output = value; }},
        {"--output", [&](const std::string& value) { arguments_.output = value; }},
        {"--source", [&](const std::string& value) { source_ = value; }},
        {"--cl-device-info", [](const std::string&) { /* always a device of ours */ }},
        {"--mode", [&](const std::string& value) { set_product(value == "spir-v" ? "spirv" : value); }},
        {"--emit", [&](const std::string& value) { set_product(value); }},
        {"--device", [&](const std::string& value) { set_chip(value); }},
        {"--ptx", [&](const std::string& value) { ptx_ = tenths(value, "--ptx"); }},
        {"--opencl",
         [&](const std::string& value) {
           arguments_.language.opencl_version = 10 * tenths(value, "--opencl");
         }},
        {"--spirv-version", [&](const std::string& value) { set_spirv_version(value); }},
        {"--specialize",
         [&](const std::string& value) { arguments_.specializations.push_back(specialization_of(value)); }},
        {"--repeat",
         [&](const std::string& value) { arguments_.repeat = number_of<int>(value, "--repeat"); }}};
    for (const auto& [name, set] : settings) {
      if (const auto value = value_of(word, name)) return set(*value), true;
    }
    return false;
  }

  std::optional<std::string> value_of(const std::string& word, std::string_view name) {
    if (word == name) return next(word);
    if (!word.starts_with(name)) return std::nullopt;
    const bool is_long = name.starts_with("--");
    if (is_long && word[name.size()] != '=') return std::nullopt;
    return word.substr(name.size() + is_long);
  }

  const std::string& next(const std::string& word) {
    if (++at_ == words_.size()) refuse(word + " wants a value");
    return words_[at_];
  }

  void pass_on(const std::string& word) {
    add_option(word);
    constexpr std::array kWithValue = {"-D", "-I", "-cl-nv-arch", "-cl-nv-maxrregcount", "-cl-nv-opt-level"};
    if (std::ranges::find(kWithValue, word) != kWithValue.end()) add_option(next(word));
  }

  // Options that the suite adds for compilers which learn a device's features from options.
  static bool is_for_offline_compilers(const std::string& option) {
    return option == "-cl-fp16-enable" || option == "-cl-fp64-enable" ||
           option == "-cl-zero-init-local-mem-vars";
  }

  // Quoted so that the library reads it as one word.
  void add_option(const std::string& word) {
    arguments_.options += " \"";
    for (const char c : word) {
      if (c == '"' || c == '\\') arguments_.options += '\\';
      arguments_.options += c;
    }
    arguments_.options += '"';
  }

  void set_product(const std::string& name) {
    const std::pair<const char*, Product> products[] = {
        {"ptx", Product::ptx}, {"binary", Product::binary}, {"spirv", Product::spirv}};
    const auto* found =
        std::ranges::find(products, name, [](const auto& entry) { return std::string(entry.first); });
    if (found == std::end(products)) refuse("there is no kind of output " + name);
    arguments_.product = found->second;
  }

  void set_chip(std::string_view name) {
    if (!name.starts_with("sm_")) refuse("--device has the form sm_90");
    sm_ = number_of<int>(name.substr(3), "--device");
    if (sm_ < kOldestChip) refuse("the oldest chip is sm_75");
  }

  void set_spirv_version(const std::string& text) {
    const int version = tenths(text, "--spirv-version");
    if (version < 10 || version > 16) refuse("--spirv-version is from 1.0 to 1.6");
    arguments_.spirv_minor_version = version - 10;
  }

  void finish() {
    if (!source_.empty()) arguments_.files.insert(arguments_.files.begin(), source_);
    if (arguments_.files.empty()) refuse("no file to compile");
    if (arguments_.repeat < 1) refuse("--repeat is at least 1");
    if (const int version = arguments_.language.opencl_version; version != 300 && version != 310)
      refuse("--opencl is 3.0 or 3.1");
    arguments_.target = target_for_chip(sm_);
    if (ptx_ != 0) arguments_.target.ptx = ptx_;
    if (arguments_.compile_only || !arguments_.link_options.empty()) arguments_.product = Product::binary;
    if (arguments_.product == Product::spirv && arguments_.files.size() > 1)
      refuse("a SPIR-V module is made of one file");
    if (arguments_.output.empty()) arguments_.output = default_output();
  }

  std::string default_output() const {
    if (arguments_.product == Product::ptx) return "-";
    const std::string& file = arguments_.files.front();
    const std::size_t slash = file.rfind('/'), dot = file.rfind('.');
    const bool has_ending = dot != file.npos && (slash == file.npos || dot > slash + 1);
    const std::string stem = has_ending ? file.substr(0, dot) : file;
    return stem + (arguments_.product == Product::spirv ? ".spv" : ".clbin");
  }

  static constexpr int kOldestChip = 75;

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  Arguments arguments_;
  std::string source_;
  int sm_ = kOldestChip, ptx_ = 0;
  bool only_options_ = false, only_files_ = false;
};

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) { return Parser(words).parse(); }

}  // namespace compile_tool
