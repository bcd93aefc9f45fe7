// SPDX-License-Identifier: Apache-2.0
#include "sampling.h"

#include <sstream>

namespace random_images {
namespace {

// Within this distance of the boundary between two texels, either may be used.
constexpr double kNearLine = 0.02, kNearLevel = 0.02;

double step_of_srgb(double linear) {
  const double value = test::srgb_of(linear);
  return test::linear_of_srgb(value + 0.51 / 255) - linear + 1e-6;
}

Components border_of(const cl_image_format& format) {
  if (format.image_channel_order == CL_DEPTH) return {0, 0, 0, 1};  // as the kernels expand depth
  return {0, 0, 0, test::border_alpha(format.image_channel_order)};
}

// A texel by its indices along three axes, or the border colour outside of the image.
Components texel(const Texels& texels, size_t level, const std::array<int, 3>& place) {
  const Size3 size = texels.level_size(level);
  Size3 inside{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (place[axis] < 0 || place[axis] >= static_cast<int>(size[axis])) return border_of(texels.format);
    inside[axis] = static_cast<size_t>(place[axis]);
  }
  return test::color_of(texels.format, texels.at(level, inside));
}

Possible exactly(const Texels& texels, const Components& value) {
  Possible possible{value, {}};
  for (unsigned i = 0; i < 4; ++i)
    possible.tolerance[i] = test::is_srgb(texels.format) && i < 3 ? step_of_srgb(value[i])
                            : test::suffix_of(texels.format.image_channel_data_type) == "f"
                                ? 1e-6 * std::max(1.0, std::fabs(value[i]))
                                : 0;
  return possible;
}

// Calls `body` with each combination of the indices that are possible on each axis.
template <class Body>
void for_each_place(const std::array<std::vector<int>, 3>& places, Body body) {
  for (const int z : places[2])
    for (const int y : places[1])
      for (const int x : places[0]) body(std::array<int, 3>{x, y, z});
}

std::vector<int> distinct(int a, int b) { return a == b ? std::vector<int>{a} : std::vector<int>{a, b}; }

int whole(double value, size_t size) {
  return static_cast<int>(std::floor(std::fmin(std::fmax(value, -3.0), static_cast<double>(size) + 3.0)));
}

// The index of an array's layer: the nearest one, with any sampler.
std::vector<int> layers(double at, size_t size) {
  const int last = static_cast<int>(size) - 1;
  const auto layer = [&](double value) {
    return test::clamped(static_cast<int>(std::rint(std::fmin(std::fmax(value, -3.0), last + 3.0))), 0, last);
  };
  return distinct(layer(at - 1e-4), layer(at + 1e-4));
}

struct Axis {
  std::vector<int> nearest;  // of the texels
  int first = 0;             // linear filter: the first texel, and the second's weight
  double weight = 0;
};

Axis axis_of(double s, size_t size, const SamplerState& sampler) {
  const int texels = static_cast<int>(size);
  const double u = test::place(static_cast<float>(s), texels, sampler.normalized, sampler.addressing);
  // Exact if no rounding is needed.
  const bool exact = !sampler.normalized && std::fabs(u) < 8192 && u * 256 == std::floor(u * 256);
  const double near = exact ? 0 : kNearLine;
  Axis axis;
  axis.nearest = distinct(test::index_of(whole(u - near, size), texels, sampler.addressing),
                          test::index_of(whole(u + near, size), texels, sampler.addressing));
  const double from = std::fmin(std::fmax(u, -3.0), static_cast<double>(size) + 3.0) - 0.5;
  axis.first = static_cast<int>(std::floor(from));
  axis.weight = from - axis.first;
  return axis;
}

// Texture units have weights of eight bits, so the error of a sum grows with the differences between its texels.
Possible weighed(const Texels& texels, size_t level, const std::array<Axis, 3>& axes, int layer,
                 const SamplerState& sampler) {
  const Size3 size = texels.level_size(level);
  Possible sum;
  Components least, most;
  least.fill(INFINITY);
  most.fill(-INFINITY);
  for (unsigned corner = 0; corner < 1u << texels.axes(); ++corner) {
    double weight = 1;
    std::array<int, 3> place{};
    if (texels.is_array()) place[texels.axes()] = layer;
    for (unsigned axis = 0; axis < texels.axes(); ++axis) {
      const int second = static_cast<int>(corner >> axis & 1);
      weight *= second ? axes[axis].weight : 1 - axes[axis].weight;
      place[axis] =
          test::index_of(axes[axis].first + second, static_cast<int>(size[axis]), sampler.addressing);
    }
    const Possible one = exactly(texels, texel(texels, level, place));
    for (unsigned i = 0; i < 4; ++i) {
      sum.value[i] += weight * one.value[i];
      sum.tolerance[i] = std::max(sum.tolerance[i], one.tolerance[i]);
      least[i] = std::min(least[i], one.value[i]);
      most[i] = std::max(most[i], one.value[i]);
    }
  }
  // A texture unit returns sums of halves rounded to half.
  const double rounding = texels.format.image_channel_data_type == CL_HALF_FLOAT ? 1.0 / 1024 : 0;
  for (unsigned i = 0; i < 4; ++i)
    sum.tolerance[i] += 0.012 * (most[i] - least[i]) + rounding * std::fabs(sum.value[i]) + 1e-4;
  return sum;
}

Possibilities at_level(const Texels& texels, const SamplerState& sampler, const std::array<float, 4>& at,
                       size_t level) {
  const Size3 size = texels.level_size(level);
  std::array<Axis, 3> axes;
  std::array<std::vector<int>, 3> places{{{0}, {0}, {0}}};
  for (unsigned axis = 0; axis < texels.axes(); ++axis) {
    axes[axis] = axis_of(at[axis], size[axis], sampler);
    places[axis] = axes[axis].nearest;
  }
  const unsigned last = texels.axes();
  if (texels.is_array()) places[last] = layers(at[last], size[last]);
  Possibilities all;
  if (sampler.filter == CL_FILTER_LINEAR) {
    for (const int layer : texels.is_array() ? places[last] : std::vector<int>{0})
      all.push_back(weighed(texels, level, axes, layer, sampler));
    return all;
  }
  for_each_place(places,
                 [&](const auto& place) { all.push_back(exactly(texels, texel(texels, level, place))); });
  return all;
}

}  // namespace

std::string SamplerState::text() const {
  return std::string(normalized ? "normalised" : "in texels") + ", addressing " +
         std::to_string(addressing - CL_ADDRESS_NONE) +
         (filter == CL_FILTER_LINEAR ? ", linear" : ", nearest") +
         (mip_filter == CL_FILTER_LINEAR ? ", linear between levels" : "");
}

unsigned Texels::axes() const {
  switch (type) {
    case CL_MEM_OBJECT_IMAGE2D:
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      return 2;
    case CL_MEM_OBJECT_IMAGE3D:
      return 3;
    default:
      return 1;
  }
}

Size3 Texels::level_size(size_t level) const {
  Size3 smaller = size;
  for (unsigned axis = 0; axis < axes(); ++axis) smaller[axis] = std::max<size_t>(size[axis] >> level, 1);
  return smaller;
}

std::uint8_t* Texels::at(size_t level, const Size3& place) {
  const Size3 whole = level_size(level);
  return &levels[level][((place[2] * whole[1] + place[1]) * whole[0] + place[0]) * test::texel_size(format)];
}

std::string Texels::text() const {
  std::ostringstream text;
  text << "type " << type - CL_MEM_OBJECT_BUFFER << ", order " << format.image_channel_order - CL_R << " of "
       << format.image_channel_data_type - CL_SNORM_INT8 << ", " << size[0] << 'x' << size[1] << 'x'
       << size[2] << ", " << levels.size() << " levels";
  return text.str();
}

Possibilities sampled(const Texels& texels, const SamplerState& sampler, const std::array<float, 4>& at,
                      float level) {
  const double last = static_cast<double>(texels.levels.size()) - 1;
  const double place = std::fmin(std::fmax(double{level}, 0.0), last);
  if (sampler.mip_filter == CL_FILTER_NEAREST) {
    Possibilities all;
    for (const int each : distinct(static_cast<int>(std::floor(std::fmax(place - kNearLevel, 0.0) + 0.5)),
                                   static_cast<int>(std::floor(std::fmin(place + kNearLevel, last) + 0.5)))) {
      const Possibilities there = at_level(texels, sampler, at, static_cast<size_t>(each));
      all.insert(all.end(), there.begin(), there.end());
    }
    return all;
  }
  const auto first = static_cast<size_t>(place), second = std::min(first + 1, texels.levels.size() - 1);
  const double weight = place - static_cast<double>(first);
  Possibilities all;
  for (const Possible& near : at_level(texels, sampler, at, first))
    for (const Possible& far : at_level(texels, sampler, at, second)) {
      Possible& both = all.emplace_back();
      for (unsigned i = 0; i < 4; ++i) {
        both.value[i] = (1 - weight) * near.value[i] + weight * far.value[i];
        both.tolerance[i] =
            near.tolerance[i] + far.tolerance[i] + 0.012 * std::fabs(near.value[i] - far.value[i]) + 1e-4;
      }
    }
  return all;
}

Possibilities sampled(const Texels& texels, const SamplerState& sampler, const std::array<cl_int, 4>& at) {
  std::array<int, 3> place{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto size = static_cast<int>(texels.size[axis]);
    if (axis < texels.axes())
      place[axis] = test::index_of(test::clamped(at[axis], -2, size + 1), size, sampler.addressing);
    else if (texels.is_array() && axis == texels.axes())
      place[axis] = test::clamped(at[axis], 0, size - 1);
  }
  return {exactly(texels, texel(texels, 0, place))};
}

bool agrees(const Possibilities& possible, const Components& found, bool as_half) {
  return std::ranges::any_of(possible, [&](const Possible& each) {
    for (unsigned i = 0; i < 4; ++i) {
      const double more = as_half ? std::fabs(each.value[i]) / 1024 + 1e-7 : 0;
      if (!(std::fabs(each.value[i] - found[i]) <= each.tolerance[i] + more)) return false;
    }
    return true;
  });
}

std::string text_of(const Components& components) {
  std::ostringstream text;
  for (const double each : components) text << ' ' << each;
  return text.str();
}

namespace {

// Within 0.6 of a step, the bound of section 8.3.1 for stores of normalized formats.
bool near_number(double exact, double most, double stored) { return std::fabs(exact * most - stored) <= 0.6; }

bool stores_channel(cl_channel_type type, double value, const std::uint8_t* at) {
  const double stored = test::channel_value(at, type);
  switch (type) {
    case CL_UNORM_INT8:
      return near_number(std::clamp(value, 0.0, 1.0), 255, stored * 255);
    case CL_UNORM_INT16:
      return near_number(std::clamp(value, 0.0, 1.0), 65535, stored * 65535);
    case CL_SNORM_INT8:
      return near_number(std::clamp(value, -1.0, 1.0), 127, stored * 127);
    case CL_SNORM_INT16:
      return near_number(std::clamp(value, -1.0, 1.0), 32767, stored * 32767);
    case CL_SIGNED_INT8:
      return stored == std::clamp(value, -128.0, 127.0);
    case CL_SIGNED_INT16:
      return stored == std::clamp(value, -32768.0, 32767.0);
    case CL_UNSIGNED_INT8:
      return stored == std::clamp(value, 0.0, 255.0);
    case CL_UNSIGNED_INT16:
      return stored == std::clamp(value, 0.0, 65535.0);
    case CL_HALF_FLOAT:
      return stored == static_cast<double>(static_cast<_Float16>(value));
    default:
      return stored == value;
  }
}

}  // namespace

bool stores(const cl_image_format& format, const Components& color, const std::uint8_t* texel) {
  if (const test::Packed* packed = test::packed_format(format)) {
    cl_uint number = 0;
    std::memcpy(&number, texel, packed->bytes);
    for (unsigned i = 0; i < 4; ++i) {
      const test::Field& field = packed->fields[i];
      const double most = test::most(field);
      if (field.bits &&
          !near_number(std::clamp(color[i], 0.0, 1.0), most, test::value_of(field, number) * most))
        return false;
    }
    return true;
  }
  const std::string order = test::order_of(format.image_channel_order);
  const size_t size = test::channel_size(format.image_channel_data_type);
  for (size_t channel = 0; channel < test::channels_of(format.image_channel_order); ++channel) {
    // A channel stores the first component that is read from it.
    const size_t component = order.find(static_cast<char>('0' + channel));
    const double value = test::is_srgb(format) && component < 3
                             ? test::srgb_of(std::clamp(color[component], 0.0, 1.0))
                             : color[component];
    if (!stores_channel(format.image_channel_data_type, value, texel + channel * size)) return false;
  }
  return true;
}

}  // namespace random_images
