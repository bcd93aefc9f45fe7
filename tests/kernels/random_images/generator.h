// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sampling.h"

// Kernels that read and write images in every way of OpenCL C, as a text and as a list of statements.
namespace random_images {

inline size_t below(size_t bound) { return test::random_engine()() % bound; }
inline bool chance(unsigned percent) { return below(100) < percent; }
template <class Range>
const auto& any_of(const Range& range) {
  return range[below(std::size(range))];
}

struct ImageArgument {
  cl_mem_object_type type = 0;
  std::string access, suffix;  // "f", "i" or "ui"
  bool depth = false, mipmapped = false;

  std::string type_name() const;
};

// A read or write by each work-item, at its own coordinates.
struct Statement {
  enum Way {
    sampled,
    sampled_at_texel,
    sampled_at_level,
    sampled_with_gradients,
    texel,
    written,
    replaced
  } way = sampled;
  size_t images[2] = {0, 0};  // for odd and for even work-items
  SamplerState sampler;
  enum Place { argument, program_scope, function_scope, in_call } sampler_is = argument;
  bool as_half = false, in_function = false;

  bool has_sampler() const { return way <= sampled_with_gradients; }
  bool has_level() const { return way == sampled_at_level || way == sampled_with_gradients; }
  bool writes() const { return way >= written; }
};

// A sampler that a statement may use.
SamplerState random_sampler(const Statement& statement, const ImageArgument& image);

struct KernelText {
  static constexpr size_t kItems = 90;

  std::vector<ImageArgument> images;
  std::vector<Statement> statements;
  std::string
      source;  // arguments: places, texels, colours, results, the images, the samplers that are arguments
};
KernelText random_kernel(bool has_mipmaps, bool has_depth);

}  // namespace random_images
