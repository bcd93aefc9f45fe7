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

// A view of a program's input: OpenCL C with the headers that it may include, or a SPIR-V module with values of its specialization
// constants.
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
  // A SPIR-V module.
  static Source module(std::string_view words, std::span<const spirv::Specialization> values) {
    Source source(words);
    source.language = Language::spirv;
    source.specializations = values;
    return source;
  }
  // The input of an earlier translation.
  static Source of(const Translation& translation) {
    if (translation.language == Language::spirv)
      return module(translation.source, translation.specializations);
    return {translation.source, translation.headers};
  }
};

// A program and everything that affects its translation.
struct SourceUnit {
  Source source;
  const Options& options;
  const Target& target;
  const DeviceFeatures& features;
  // For repeated translations: the working folder at the first one. No files but the source's headers are visible.
  const std::string* folder = nullptr;
  // To be a SPIR-V module for any device: Clang's name of that target, instead of this compiler's own. Nothing is lowered.
  const char* spirv_triple = nullptr;
};

}  // namespace clcuda::compiler
