// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/device_image.h"

#include <algorithm>
#include <cstring>

#include "base/config.h"
#include "cuda/error.h"
#include "runtime/image/image_storage.h"

namespace clcuda {
namespace {

CUaddress_mode addressing_of(unsigned state) {
  switch (state & 3) {
    case CLCUDA_SAMPLER_CLAMP:
      return CU_TR_ADDRESS_MODE_BORDER;
    case CLCUDA_SAMPLER_REPEAT:
      return CU_TR_ADDRESS_MODE_WRAP;
    case CLCUDA_SAMPLER_MIRRORED_REPEAT:
      return CU_TR_ADDRESS_MODE_MIRROR;
    default:
      return CU_TR_ADDRESS_MODE_CLAMP;
  }
}

// What computes a linear filter (docs/accuracy.md): the texture unit; the texture unit within each of two planes and the library between
// them; or the library alone, from single texels.
enum class Weigher : std::uint8_t { unit, unit_in_planes, library };

// The weights of texture units are too coarse for volumes of floats. If such a volume is a mipmap, the library filters alone, since the
// texture unit would have to filter between levels, too.
Weigher weigher(unsigned state, const ImageFormat& format, unsigned levels, unsigned dimensions) {
  if (format.is_packed()) return Weigher::library;
  if (!(state & (CLCUDA_SAMPLER_LINEAR | (levels ? CLCUDA_SAMPLER_MIP_LINEAR : 0u)))) return Weigher::unit;
  if (format.filtered_by_us) return Weigher::library;
  if (format.integer || config().filters == "hardware") return Weigher::unit;
  if (config().filters == "exact") return Weigher::library;
  if (dimensions < 3 || !format.is_floating()) return Weigher::unit;
  return levels ? Weigher::library : Weigher::unit_in_planes;
}

// Sampler states with coordinates in texels: those without CLCUDA_SAMPLER_NORMALIZED.
constexpr std::uint32_t kStatesInTexels = [] {
  std::uint32_t states = 0;
  for (unsigned state = 0; state < CLCUDA_SAMPLER_STATES; ++state)
    if (!(state & CLCUDA_SAMPLER_NORMALIZED)) states |= 1u << state;
  return states;
}();

bool is_layered(const cuda::Array* array) { return array && array->shape().Flags & CUDA_ARRAY3D_LAYERED; }

unsigned dimensions_of(const clcuda_image& image) { return image.depth ? 3 : image.height ? 2 : 1; }

// The border colour is 0 in every channel that the image has; builtins/ supplies the channels that it lacks.
CUDA_TEXTURE_DESC texture_state(unsigned state, const ImageFormat& format, unsigned levels,
                                unsigned dimensions, bool filters) {
  CUDA_TEXTURE_DESC texture{};
  // Dimensions that the image lacks have an address mode as well: with a border, half of a filtered value would come from it.
  std::ranges::fill(texture.addressMode, CU_TR_ADDRESS_MODE_CLAMP);
  std::fill_n(texture.addressMode, dimensions, addressing_of(state));
  const auto filter = [&](unsigned linear) {
    return state & linear && filters && !format.integer ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  };
  texture.filterMode = filter(CLCUDA_SAMPLER_LINEAR);
  if (state & CLCUDA_SAMPLER_NORMALIZED) texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (format.integer) texture.flags |= CU_TRSF_READ_AS_INTEGER;
  if (format.srgb) texture.flags |= CU_TRSF_SRGB;
  texture.mipmapFilterMode = filter(CLCUDA_SAMPLER_MIP_LINEAR);
  texture.maxMipmapLevelClamp = levels ? static_cast<float>(levels - 1) : 0.0f;
  return texture;
}

}  // namespace

bool DeviceImage::is_weighed_between_planes(const ImageFormat& format, unsigned levels, unsigned dimensions) {
  return weigher(CLCUDA_SAMPLER_LINEAR, format, levels, dimensions) == Weigher::unit_in_planes;
}

std::uint32_t DeviceImage::texture_order(unsigned state, const clcuda_image& image, const ImageFormat& format,
                                         bool sampled) {
  if (!sampled) return format.texel.read_order | std::uint32_t{CLCUDA_ORDER_IN_MEMORY};
  const bool in_layers = image.format.surface & CLCUDA_SURFACE_LAYERS;
  const Weigher by = weigher(state, format, image.level_count, dimensions_of(image));
  const bool between_planes = by == Weigher::unit_in_planes && !in_layers;
  std::uint32_t order = format.texel.read_order;
  if (by == Weigher::library || between_planes) order |= CLCUDA_ORDER_FILTERED;
  if (between_planes) order |= CLCUDA_ORDER_BETWEEN_PLANES;
  if (in_layers) order |= CLCUDA_ORDER_IN_LAYERS;
  if (format.texel_size == 8) order |= CLCUDA_ORDER_WIDE;
  if (format.is_packed()) order |= std::uint32_t{format.texel.channel_type} << CLCUDA_ORDER_PACKED;
  return order;
}

DeviceImage::DeviceImage(DeviceResources& resources, const clcuda_image& descriptor,
                         const ImageFormat& format, cuda::Array& array)
    : resources_(resources), format_(format), descriptor_(descriptor), array_(&array) {
  for (unsigned level = 0; level < std::max(array.levels(), 1u); ++level)
    descriptor_.levels[level] = array.surface(level);
  descriptor_.surface = descriptor_.levels[0];
}

DeviceImage::DeviceImage(DeviceResources& resources, const clcuda_image& descriptor,
                         const ImageFormat& format, const InBuffer& in_buffer)
    : resources_(resources), format_(format), in_buffer_(in_buffer), descriptor_(descriptor) {
  if (in_buffer.sampling == InBuffer::never)
    descriptor_.textures[CLCUDA_SAMPLER_NONE].order =
        texture_order(CLCUDA_SAMPLER_NONE, descriptor_, format_, false);
}

DeviceImage::~DeviceImage() {
  if (address_) resources_.memory().free(address_, uses_.users());
  if (copy_) resources_.memory().free(std::move(copy_), uses_.users());
  if (in_place_) resources_.device().discard(std::move(in_place_));
}

// The states among these for which a texture is needed.
std::uint32_t DeviceImage::states_used(std::uint32_t states) const {
  if (!descriptor_.data) return states;
  if (in_buffer_.sampling == InBuffer::never) return 0;
  // CL_MEM_OBJECT_IMAGE1D_BUFFER is read without a sampler only (OpenCL C, section 6.15.15.3).
  return !descriptor_.height && !in_buffer_.array.Width ? states & 1u << CLCUDA_SAMPLER_NONE : states;
}

DeviceImage::Descriptor DeviceImage::use(cuda::Stream& stream, std::uint32_t wanted_states) {
  const std::uint32_t states = states_used(wanted_states);
  uses_.wait_until_ready(stream);
  uses_.record_access(stream);
  const bool reads_copy = copies_texels(states) || copies_first_level(states);
  if (reads_copy && !copy_) make_copy(stream);
  const std::uint32_t missing = states & ~made_;
  if (missing) uploaded_ = false;
  for (unsigned state = 0; state < CLCUDA_SAMPLER_STATES; ++state)
    if (missing & 1u << state) make_texture(state);
  if (!uploaded_) upload(stream);
  return {address_, descriptor_, reads_copy};
}

// Launches in other streams may be reading the array. Texels that they read are overwritten with the same values, unless the application
// has a data race. The copies follow one another: if they overlapped, an older one could put back a texel that a newer one has brought.
void DeviceImage::refresh_copy(cuda::Stream& stream) {
  uses_.wait_until_ready(stream);
  stream.copy_box({.array = copy_->level(0)}, in_buffer_.texels, in_buffer_.bytes);
  uses_.set_ready(stream);
}

// The copy serves later launches in all streams, which may be ordered after writes that this launch is not ordered after, because it reads
// other texels than they write. Writes of the application to an array that it knows change no version.
void DeviceImage::refresh_copy(cuda::Stream& stream, ImageStorage& storage, std::size_t device) {
  uses_.wait_until_ready(stream);
  if (copied_version_ == storage.version() && !storage.has_known_array()) return;
  const std::uint64_t version = storage.order_behind_uses(device, stream);
  copy_first_level(stream);
  copied_version_ = version;
}

bool DeviceImage::copies_texels(std::uint32_t states) const {
  return states && in_buffer_.sampling == InBuffer::copied;
}

// With coordinates in texels, a mipmap's first level is read through a texture of that level alone. If the mipmap is layered, such a
// texture reads wrong layers (seen on an H200), so a copy without the other levels is read instead.
bool DeviceImage::copies_first_level(std::uint32_t states) const {
  return descriptor_.level_count && is_layered(array_) && (states & kStatesInTexels);
}

void DeviceImage::make_copy(cuda::Stream& stream) {
  const bool of_buffer = in_buffer_.sampling == InBuffer::copied;
  auto copy = resources_.memory().allocate_array(of_buffer ? in_buffer_.array : array_->shape(), 0, stream);
  uses_.set_ready(stream);
  copy_ = std::move(copy);
  if (of_buffer) array_ = copy_.get();
}

void DeviceImage::copy_first_level(cuda::Stream& stream) {
  const std::size_t height = std::max<std::size_t>(descriptor_.height, 1);
  stream.copy_box({.array = copy_->level(0)}, {.array = array_->level(0)},
                  {descriptor_.width * format_.texel_size, height, descriptor_.array_size});
  uses_.set_ready(stream);
}

void DeviceImage::make_texture(unsigned state) {
  const unsigned levels = descriptor_.level_count, dimensions = dimensions_of(descriptor_);
  const bool filters = weigher(state, format_, levels, dimensions) != Weigher::library;
  const CUDA_TEXTURE_DESC sampling = texture_state(state, format_, levels, dimensions, filters);
  clcuda_image_texture& texture = descriptor_.textures[state];
  // A mipmap is sampled with normalised coordinates only; otherwise its first level is read like an image of its own.
  if (copies_first_level(1u << state))
    texture.handle = copy_->texture(sampling, false);
  else
    texture.handle = array_ ? array_->texture(sampling, levels && (state & CLCUDA_SAMPLER_NORMALIZED))
                            : texture_in_place(sampling);
  texture.order = texture_order(state, descriptor_, format_, true);
  if (dimensions == 3)
    texture.planes = texture.order & CLCUDA_ORDER_IN_LAYERS ? descriptor_.depth : 0;
  else
    texture.last_layer = descriptor_.array_size ? descriptor_.array_size - 1 : 0;
  made_ |= 1u << state;
}

CUDA_RESOURCE_DESC DeviceImage::texels_in_place() const {
  CUDA_RESOURCE_DESC resource{};
  if (!descriptor_.height) {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = descriptor_.data;
    resource.res.linear.format = format_.channel_format;
    resource.res.linear.numChannels = format_.channels;
    resource.res.linear.sizeInBytes = descriptor_.width * format_.texel_size;
    return resource;
  }
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = descriptor_.data;
  resource.res.pitch2D.format = format_.channel_format;
  resource.res.pitch2D.numChannels = format_.channels;
  resource.res.pitch2D.width = descriptor_.width;
  resource.res.pitch2D.height = descriptor_.height;
  resource.res.pitch2D.pitchInBytes = descriptor_.row_pitch;
  return resource;
}

CUtexObject DeviceImage::texture_in_place(const CUDA_TEXTURE_DESC& state) {
  if (!in_place_) in_place_ = std::make_shared<Textures>();
  return in_place_->emplace_back(resources_.context(), texels_in_place(), state).handle();
}

// Kernels in flight may read the descriptor while it is copied. The fields that they read keep their values, because they use none of the
// new textures.
void DeviceImage::upload(cuda::Stream& stream) {
  if (!address_) address_ = resources_.memory().allocate(sizeof descriptor_, stream);
  auto block = resources_.memory().lend_pinned(sizeof descriptor_);
  std::memcpy(block->data(), &descriptor_, sizeof descriptor_);
  stream.copy_to_device(address_, block->data(), sizeof descriptor_);
  resources_.memory().keep_until_reached(stream, std::move(block));
  uses_.set_ready(stream);
  uploaded_ = true;
}

}  // namespace clcuda
