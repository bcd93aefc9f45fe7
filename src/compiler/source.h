// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "compiler/compiled_program.h"
#include "compiler/device_features.h"
#include "compiler/options.h"

namespace clcuda::compiler {

// What a program is made from, as a view: OpenCL C with the headers that it may include, or a SPIR-V module with the values that its
// specialization constants are to have.
//
//   build("kernel void k() {}", …);
//   build(Source::module(words, values), …);
struct Source {
  Language language = Language::opencl_c;
  std::string_view bytes;                                  // the text, or the module
  std::span<const Header> headers;                         // found by #include before anything on disk
  std::span<const spirv::Specialization> specializations;  // other constants keep their default

  template <std::convertible_to<std::string_view> Text>
  Source(const Text& text, std::span<const Header> included = {})  // NOLINT: a text is OpenCL C
      : bytes(text), headers(included) {}
  static Source module(std::string_view words, std::span<const spirv::Specialization> values) {
    Source source(words);
    source.language = Language::spirv;
    source.specializations = values;
    return source;
  }
  static Source of(const Translation& translation) {
    if (translation.language == Language::spirv)
      return module(translation.source, translation.specializations);
    return {translation.source, translation.headers};
  }
};

// A program and all that decides over the module that it becomes.
struct SourceUnit {
  Source source;
  const Options& options;
  const Target& target;
  const DeviceFeatures& features;
  // Of what is translated again: the folder that was the working folder then. It sees no files but the source's headers.
  const std::string* folder = nullptr;
};

}  // namespace clcuda::compiler
