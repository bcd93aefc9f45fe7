// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/make_texture.h"

#include "ptx/execute/texel_load.h"
#include "ptx/execute/texture_sample.h"

namespace clcuda::ptx {
namespace {

using Load = Channels (*)(const std::byte*);

template <class Element, Promotion promotion>
Load load_of(unsigned channels) {
  if (channels == 1) return load_element<Element, 1, promotion>;
  if (channels == 2) return load_element<Element, 2, promotion>;
  return load_element<Element, 4, promotion>;
}

template <class Unsigned>
Load integer_load(TexelFormat format, Promotion promotion) {
  using Signed = std::make_signed_t<Unsigned>;
  const bool is_signed = format.kind == ChannelKind::signed_integer || format.kind == ChannelKind::snorm;
  const bool promoted = promotion != Promotion::none;
  if (is_signed)
    return promoted ? load_of<Signed, Promotion::to_float>(format.channels)
                    : load_of<Signed, Promotion::none>(format.channels);
  return promoted ? load_of<Unsigned, Promotion::to_float>(format.channels)
                  : load_of<Unsigned, Promotion::none>(format.channels);
}

Load choose_load(TexelFormat format, Promotion promotion) {
  if (format.kind == ChannelKind::floating)
    return format.bits == 16 ? load_of<HalfBits, Promotion::none>(format.channels)
                             : load_of<float, Promotion::none>(format.channels);
  if (format.bits == 16) return integer_load<std::uint16_t>(format, promotion);
  if (format.bits == 32) return integer_load<std::uint32_t>(format, Promotion::none);
  if (promotion == Promotion::srgb) return load_of<std::uint8_t, Promotion::srgb>(format.channels);
  return integer_load<std::uint8_t>(format, promotion);
}

// 32-bit integers are never promoted, and normalised formats always are.
Promotion promotion_of(TexelFormat format, const Sampling& sampling) {
  const bool normalized = format.kind == ChannelKind::unorm || format.kind == ChannelKind::snorm;
  if (format.kind == ChannelKind::floating || format.bits == 32) return Promotion::none;
  if (sampling.as_integer && !normalized) return Promotion::none;
  const bool plain_bytes =
      format.bits == 8 && (format.kind == ChannelKind::unsigned_integer || format.kind == ChannelKind::unorm);
  return sampling.srgb && plain_bytes ? Promotion::srgb : Promotion::to_float;
}

// The bits in the descriptor for the channels that the texture has; integer textures interpret them as integers. Others are 0, 0, 0, 1.
Channels border_of(const Texture& texture) {
  Channels border{0, 0, 0, texture.gives_floats ? std::bit_cast<std::uint32_t>(1.0f) : 1u};
  for (unsigned i = 0; i < texture.resource.format.channels; ++i)
    border[i] = std::bit_cast<std::uint32_t>(texture.sampling.border[i]);
  return border;
}

}  // namespace

Texture make_texture(const TexelResource& resource, const Sampling& sampling) {
  Texture texture;
  texture.resource = resource;
  texture.sampling = sampling;
  const Promotion promotion = promotion_of(resource.format, sampling);
  texture.gives_floats = promotion != Promotion::none || resource.format.kind == ChannelKind::floating;
  texture.border = border_of(texture);
  texture.load = choose_load(resource.format, promotion);
  texture.sample = choose_sample(texture);
  return texture;
}

}  // namespace clcuda::ptx
