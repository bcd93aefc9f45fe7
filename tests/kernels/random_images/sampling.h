// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "support/filtering.h"

// The possible results of reads and writes of images (section 8 of the specification), computed from the image's bytes.
namespace random_images {

using test::Components, test::Size3;
using Bytes = std::vector<std::uint8_t>;

struct SamplerState {
  bool normalized = false;
  cl_addressing_mode addressing = CL_ADDRESS_NONE;
  cl_filter_mode filter = CL_FILTER_NEAREST, mip_filter = CL_FILTER_NEAREST;

  std::string text() const;
};

// The texels of an image without padding, for each mip level.
struct Texels {
  cl_image_format format{};
  cl_mem_object_type type = 0;
  Size3 size{1, 1, 1};  // in a command's order: layers are the last size
  std::vector<Bytes> levels;

  unsigned axes() const;  // the number of filtered axes
  bool is_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
  Size3 level_size(size_t level) const;
  std::uint8_t* at(size_t level, const Size3& place);
  const std::uint8_t* at(size_t level, const Size3& place) const {
    return const_cast<Texels*>(this)->at(level, place);
  }
  std::string text() const;
};

// A possible result of a read, with the tolerance for the texture units' weights (docs/accuracy.md).
struct Possible {
  Components value{}, tolerance{};
};
using Possibilities = std::vector<Possible>;

Possibilities sampled(const Texels& texels, const SamplerState& sampler, const std::array<float, 4>& at,
                      float level);
Possibilities sampled(const Texels& texels, const SamplerState& sampler, const std::array<cl_int, 4>& at);
// Whether a possible result matches; `as_half`: it was converted to half.
bool agrees(const Possibilities& possible, const Components& found, bool as_half);
std::string text_of(const Components& components);

// Whether the texel is a valid encoding of the colour; components are floats or integers (section 8.3).
bool stores(const cl_image_format& format, const Components& color, const std::uint8_t* texel);

}  // namespace random_images
