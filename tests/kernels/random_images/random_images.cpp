// SPDX-License-Identifier: Apache-2.0
// Kernels that read and write several images of any type and format with any sampler, at coordinates inside, at the edges and far outside;
// several launches with different images are in flight at a time. The results are compared with a model of section 8 of the specification
// (sampling.h). CLCUDA_TEST_SEED repeats a run, CLCUDA_TEST_SECONDS makes it longer.
#include <CL/cl_ext.h>

#include <chrono>
#include <cstdlib>

#include "generator.h"
#include "support/device_info.h"

namespace random_images {
namespace {

constexpr size_t kItems = KernelText::kItems;

// An image and its contents.
struct Bound {
  Texels texels;
  test::Buffer buffer;  // that contains it, if any
  test::Image parent;   // of which it is a view, if any
  test::Image image;
};

// A launch: its images, coordinates and colours, and its results.
struct Launch {
  std::vector<Bound> images;
  std::vector<SamplerState> samplers;  // of each statement
  std::vector<std::array<float, 4>> places;
  std::vector<std::array<cl_int, 4>> texels;
  std::vector<std::array<cl_uint, 4>> colors, results;
  std::vector<Bytes> written;  // expected contents of each image that is written
};

class RandomImages : public test::ImageTest {
 protected:
  Bound bind(const ImageArgument& argument) const;
  Launch prepare(const KernelText& kernel) const;
  void launch(const KernelText& kernel, cl_kernel compiled, Launch& launch) const;
  test::Program rebuilt(cl_program program) const;
  static void check(const KernelText& kernel, const Launch& launch);
  static void check_read(const KernelText& kernel, const Launch& launch, size_t statement, size_t item);
  static void check_written(const KernelText& kernel, const Launch& launch, size_t statement);

 private:
  bool create(Bound& bound, cl_image_desc desc, const ImageArgument& argument) const;
  test::Sampler make_any_sampler(const SamplerState& state) const;
};

Bytes random_texels(const cl_image_format& format, size_t count) {
  Bytes bytes = test::random_values<std::uint8_t>(count * test::texel_size(format));
  std::uniform_real_distribution<float> distribution(-100.0f, 100.0f);
  const size_t floats = format.image_channel_data_type == CL_FLOAT ? bytes.size() / 4 : 0,
               halves = format.image_channel_data_type == CL_HALF_FLOAT ? bytes.size() / 2 : 0;
  for (size_t i = 0; i < std::max(floats, halves); ++i) {
    const float value = distribution(test::random_engine());
    const auto half = static_cast<_Float16>(value);
    if (floats) std::memcpy(&bytes[4 * i], &value, 4);
    if (halves) std::memcpy(&bytes[2 * i], &half, 2);
  }
  return bytes;
}

size_t random_size() {
  const size_t kind = below(10);
  return kind < 2 ? 1 : kind < 6 ? 2 + below(6) : kind < 9 ? 8 + below(30) : 60 + below(80);
}

Bound RandomImages::bind(const ImageArgument& argument) const {
  Bound bound;
  Texels& texels = bound.texels;
  texels.type = argument.type;
  const cl_mem_flags use = argument.access == "read_write" ? CL_MEM_KERNEL_READ_AND_WRITE : CL_MEM_READ_WRITE;
  std::vector<cl_image_format> some;
  for (const cl_image_format& format : formats(use, argument.type))
    if (test::suffix_of(format.image_channel_data_type) == argument.suffix &&
        (format.image_channel_order == CL_DEPTH) == argument.depth)
      some.push_back(format);
  texels.format = any_of(some);
  const bool lines = argument.type == CL_MEM_OBJECT_IMAGE1D || argument.type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  const bool flat =
      lines || argument.type == CL_MEM_OBJECT_IMAGE1D_ARRAY || argument.type == CL_MEM_OBJECT_IMAGE2D;
  do {
    texels.size = {random_size(), lines ? 1 : random_size(), flat ? 1 : random_size()};
  } while (texels.size[0] * texels.size[1] * texels.size[2] > 40'000);
  cl_image_desc desc{};
  desc.image_type = argument.type;
  desc.image_width = texels.size[0];
  desc.image_height = argument.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : texels.size[1];
  desc.image_depth = argument.type == CL_MEM_OBJECT_IMAGE3D ? texels.size[2] : 0;
  if (texels.is_array()) desc.image_array_size = texels.size[texels.axes()];
  size_t levels = 1;
  if (argument.mipmapped) {
    const Size3 whole = texels.size;
    size_t largest = 1;
    for (unsigned axis = 0; axis < texels.axes(); ++axis) largest = std::max(largest, whole[axis]);
    if (largest > 1)
      desc.num_mip_levels = 2 + static_cast<cl_uint>(below(static_cast<size_t>(std::bit_width(largest)) - 1));
    levels = std::max<size_t>(desc.num_mip_levels, 1);
  }
  for (size_t level = 0; level < levels; ++level) {
    const Size3 size = texels.level_size(level);
    texels.levels.push_back(random_texels(texels.format, size[0] * size[1] * size[2]));
  }
  EXPECT_TRUE(create(bound, desc, argument)) << texels.text();
  return bound;
}

// The format of an image that one of this format may be created from (section 5.3.1.2); its own format if there is none.
cl_image_format parent_of(const Texels& texels) {
  const cl_image_format& format = texels.format;
  if (texels.type != CL_MEM_OBJECT_IMAGE2D) return format;
  const bool bytes = format.image_channel_data_type == CL_UNORM_INT8;
  switch (format.image_channel_order) {
    case CL_DEPTH:
      return {CL_R, format.image_channel_data_type};
    case CL_sRGBA:
      return {CL_RGBA, format.image_channel_data_type};
    case CL_sBGRA:
      return {CL_BGRA, format.image_channel_data_type};
    case CL_RGBA:
      return {bytes ? cl_channel_order{CL_sRGBA} : cl_channel_order{CL_RGBA}, format.image_channel_data_type};
    case CL_BGRA:
      return {bytes ? cl_channel_order{CL_sBGRA} : cl_channel_order{CL_BGRA}, format.image_channel_data_type};
    default:
      return format;
  }
}

// With its own memory, in a buffer with or without padding, or created from another image.
bool RandomImages::create(Bound& bound, cl_image_desc desc, const ImageArgument& argument) const {
  Texels& texels = bound.texels;
  const size_t texel = test::texel_size(texels.format);
  const bool in_buffer =
      argument.type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
      (texels.levels.size() == 1 && chance(35) && test::offers(device, "cl_ext_image_from_buffer"));
  if (in_buffer) {
    size_t row = texels.size[0] * texel;
    if (argument.type != CL_MEM_OBJECT_IMAGE1D_BUFFER && chance(60)) {
      const size_t step = test::device_info<cl_uint>(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT) * texel;
      desc.image_row_pitch = row = (row + step - 1) / step * step;
    }
    desc.mem_object = bound.buffer = make_buffer(row * texels.size[1] * texels.size[2]);
  }
  const cl_mem_flags flags = argument.access == "read_only"    ? CL_MEM_READ_ONLY
                             : argument.access == "write_only" ? CL_MEM_WRITE_ONLY
                                                               : CL_MEM_READ_WRITE;
  cl_int error = CL_SUCCESS;
  const bool copies = !in_buffer && texels.levels.size() == 1 && chance(50);
  const cl_image_format parent = chance(70) ? parent_of(texels) : texels.format;
  bound.image = clCreateImage(context, flags | (copies ? CL_MEM_COPY_HOST_PTR : 0), &parent, &desc,
                              copies ? texels.levels[0].data() : nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  if (parent.image_channel_order != texels.format.image_channel_order) {
    desc.mem_object = bound.parent = std::move(bound.image);
    bound.image = clCreateImage(context, 0, &texels.format, &desc, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
  }
  for (size_t level = 0; level < texels.levels.size() && !copies; ++level) {
    size_t origin[4] = {};
    if (texels.levels.size() > 1) origin[texels.axes() + texels.is_array()] = level;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueWriteImage(queue, bound.image, CL_TRUE, origin, texels.level_size(level).data(), 0, 0,
                                  texels.levels[level].data(), 0, nullptr, nullptr));
  }
  return error == CL_SUCCESS;
}

test::Sampler RandomImages::make_any_sampler(const SamplerState& state) const {
  std::vector<cl_sampler_properties> list = {CL_SAMPLER_NORMALIZED_COORDS, state.normalized,
                                             CL_SAMPLER_ADDRESSING_MODE,   state.addressing,
                                             CL_SAMPLER_FILTER_MODE,       state.filter};
  if (state.mip_filter == CL_FILTER_LINEAR)
    list.insert(list.end(), {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR});
  list.push_back(0);
  cl_int error = CL_SUCCESS;
  test::Sampler made = clCreateSamplerWithProperties(context, list.data(), &error);
  CL_EXPECT(CL_SUCCESS, error);
  return made;
}

// Coordinates inside, on and near boundaries between texels, and far outside; in texels.
float random_place(size_t size, const SamplerState& sampler) {
  const auto extent = static_cast<float>(size);
  const float inside = std::uniform_real_distribution<float>(0, extent)(test::random_engine());
  if (sampler.addressing == CL_ADDRESS_NONE) return std::fmin(inside, std::nextafter(extent, 0.0f));
  const float far[] = {-1e-30f, -0.0f, extent,        std::nextafter(extent, 0.0f),
                       -1.0f,   -0.5f, extent + 0.5f, extent + 1};
  const float beyond[] = {-1e6f, 1e6f, -3e9f, 3e9f, 1e20f, -1e20f};
  const bool repeats = sampler.addressing >= CL_ADDRESS_REPEAT;
  switch (below(8)) {
    case 0:
      return std::floor(inside);
    case 1:
      return std::floor(inside) + 0.5f;
    case 2:
      return any_of(far);
    case 3:
      return repeats ? inside + extent * static_cast<float>(static_cast<int>(below(60)) - 30)
                     : any_of(beyond);
    case 4:
      return inside * 1.6f - 0.3f * extent;
    default:
      return inside;
  }
}

std::array<float, 4> random_places(const Texels& texels, const Statement& statement,
                                   const SamplerState& sampler) {
  std::array<float, 4> at{};
  for (unsigned axis = 0; axis < 4; ++axis) {
    const size_t size = axis < 3 ? texels.size[axis] : texels.levels.size();
    const bool filtered = axis < texels.axes();
    at[axis] = random_place(size, filtered ? sampler : SamplerState{.addressing = CL_ADDRESS_CLAMP});
    if (filtered && sampler.normalized) at[axis] /= static_cast<float>(size);
    if (filtered && sampler.addressing == CL_ADDRESS_NONE && sampler.normalized)
      at[axis] = std::fmin(at[axis], std::nextafter(1.0f, 0.0f));
  }
  if (statement.has_level())
    at[3] = std::uniform_real_distribution<float>(
        -1, static_cast<float>(texels.levels.size()) + 1)(test::random_engine());
  return at;
}

std::array<cl_int, 4> random_texel(const Texels& texels, bool inside) {
  std::array<cl_int, 4> at{0, 0, 0, 1};
  const cl_int far[] = {
      -1, -2, -1000, std::numeric_limits<cl_int>::min(), std::numeric_limits<cl_int>::max(), 100000};
  for (unsigned axis = 0; axis < 3; ++axis) {
    at[axis] = static_cast<cl_int>(below(texels.size[axis]));
    if (!inside && chance(20)) at[axis] = chance(30) ? static_cast<cl_int>(texels.size[axis]) : any_of(far);
  }
  return at;
}

// Colours to write, also outside of the format's range.
std::array<cl_uint, 4> random_color(const ImageArgument& image) {
  std::array<cl_uint, 4> color{};
  for (cl_uint& component : color) {
    component = static_cast<cl_uint>(test::random_engine()()) >> below(32);
    if (image.suffix == "i" && chance(50)) component = 0 - component;
    if (image.suffix != "f") continue;
    const float scale = chance(70) ? 1.0f : chance(50) ? 3.0f : 60000.0f;
    component = std::bit_cast<cl_uint>(
        std::uniform_real_distribution<float>(chance(50) ? 0 : -scale, scale)(test::random_engine()));
  }
  return color;
}

Launch RandomImages::prepare(const KernelText& kernel) const {
  Launch launch;
  for (const ImageArgument& image : kernel.images) launch.images.push_back(bind(image));
  for (const Statement& statement : kernel.statements) {
    const ImageArgument& argument = kernel.images[statement.images[0]];
    SamplerState sampler = statement.sampler;
    if (statement.has_sampler() && statement.sampler_is == Statement::argument)
      sampler = random_sampler(statement, argument);
    launch.samplers.push_back(sampler);
    std::vector<size_t> free;  // texels that no work-item writes yet
    const Texels& first = launch.images[statement.images[0]].texels;
    for (size_t i = 0; statement.writes() && i < first.size[0] * first.size[1] * first.size[2]; ++i)
      free.push_back(i);
    for (size_t item = 0; item < kItems; ++item) {
      const Texels& texels = launch.images[statement.images[item & 1]].texels;
      launch.places.push_back(random_places(texels, statement, sampler));
      const bool inside =
          statement.way != Statement::sampled_at_texel || sampler.addressing == CL_ADDRESS_NONE;
      std::array<cl_int, 4> at = random_texel(texels, inside);
      if (statement.writes()) {
        at[3] = !free.empty();
        if (at[3]) {
          const size_t which = below(free.size()), texel = free[which];
          free[which] = free.back();
          free.pop_back();
          at = {static_cast<cl_int>(texel % texels.size[0]),
                static_cast<cl_int>(texel / texels.size[0] % texels.size[1]),
                static_cast<cl_int>(texel / texels.size[0] / texels.size[1]), 1};
        }
      }
      launch.texels.push_back(at);
      launch.colors.push_back(random_color(argument));
    }
  }
  return launch;
}

// The objects of the launch are released immediately after the enqueue.
void RandomImages::launch(const KernelText& kernel, cl_kernel compiled, Launch& launch) const {
  const test::Buffer places = make_buffer(launch.places), texels = make_buffer(launch.texels),
                     colors = make_buffer(launch.colors), out = make_buffer(launch.colors.size() * 16);
  set_arguments(compiled, places, texels, colors, out);
  cl_uint index = 4;
  for (const Bound& bound : launch.images) set_argument(compiled, index++, bound.image.get());
  for (size_t i = 0; i < kernel.statements.size(); ++i) {
    const Statement& statement = kernel.statements[i];
    if (!statement.has_sampler() || statement.sampler_is != Statement::argument) continue;
    const test::Sampler sampler = make_any_sampler(launch.samplers[i]);
    set_argument(compiled, index++, sampler.get());
  }
  cl_int error = CL_SUCCESS;
  const test::Kernel clone = chance(20) ? clCloneKernel(compiled, &error) : nullptr;
  CL_EXPECT(CL_SUCCESS, error);
  const size_t items = kItems, offset = chance(20) ? 7 : 0, groups[] = {30, 64, 7, 1};
  const size_t& group = any_of(groups);
  CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, clone ? clone.get() : compiled, 1, &offset, &items,
                                               chance(50) ? &group : nullptr, 0, nullptr, nullptr));
  launch.results.resize(launch.colors.size());
  CL_EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_FALSE, 0, launch.results.size() * 16,
                                            launch.results.data(), 0, nullptr, nullptr));
  launch.written.resize(launch.images.size());
  for (size_t i = 0; i < launch.images.size(); ++i) {
    Bound& bound = launch.images[i];
    if (kernel.images[i].access != "read_only") {
      launch.written[i].resize(bound.texels.levels[0].size());
      CL_EXPECT(CL_SUCCESS,
                clEnqueueReadImage(queue, bound.image, CL_FALSE, kNowhere, bound.texels.size.data(), 0, 0,
                                   launch.written[i].data(), 0, nullptr, nullptr));
    }
    bound.image.reset();
    bound.parent.reset();
    bound.buffer.reset();
  }
}

Components components_of(const std::array<cl_uint, 4>& bits, const std::string& suffix) {
  Components components{};
  for (unsigned i = 0; i < 4; ++i)
    components[i] = suffix == "f"   ? static_cast<double>(std::bit_cast<float>(bits[i]))
                    : suffix == "i" ? static_cast<double>(static_cast<cl_int>(bits[i]))
                                    : static_cast<double>(bits[i]);
  return components;
}

void RandomImages::check_read(const KernelText& kernel, const Launch& launch, size_t index, size_t item) {
  const Statement& statement = kernel.statements[index];
  const size_t image = statement.images[item & 1], at = index * kItems + item;
  const Texels& texels = launch.images[image].texels;
  const SamplerState& sampler = launch.samplers[index];
  const bool by_place = statement.way == Statement::sampled || statement.has_level();
  const float level = statement.has_level() ? launch.places[at][3] : 0.0f;
  const Possibilities possible = by_place ? sampled(texels, sampler, launch.places[at], level)
                                          : sampled(texels, sampler, launch.texels[at]);
  const Components found = components_of(launch.results[at], kernel.images[image].suffix);
  if (agrees(possible, found, statement.as_half)) return;
  const auto& p = launch.places[at];
  const auto& q = launch.texels[at];
  ADD_FAILURE() << "statement " << index << " of work-item " << item << " reads" << text_of(found) << ", not"
                << text_of(possible.front().value) << " (within" << text_of(possible.front().tolerance)
                << ", " << possible.size() << " possible)\n  from image " << image << ": " << texels.text()
                << "; " << sampler.text() << " at " << p[0] << ' ' << p[1] << ' ' << p[2] << ' ' << p[3]
                << " or " << q[0] << ' ' << q[1] << ' ' << q[2] << "\n"
                << kernel.source;
}

// The written texels have the new values, and all others are unchanged.
void RandomImages::check_written(const KernelText& kernel, const Launch& launch, size_t index) {
  const Statement& statement = kernel.statements[index];
  const size_t image = statement.images[0];
  Texels expected = launch.images[image].texels, found = expected;
  found.levels[0] = launch.written[image];
  const size_t size = test::texel_size(expected.format);
  for (size_t item = 0; item < kItems && !HasFailure(); ++item) {
    const size_t at = index * kItems + item;
    const auto& q = launch.texels[at];
    if (!q[3]) continue;
    if (statement.way == Statement::replaced) check_read(kernel, launch, index, item);
    const Size3 place{static_cast<size_t>(q[0]), static_cast<size_t>(q[1]), static_cast<size_t>(q[2])};
    const Components color = components_of(launch.colors[at], kernel.images[image].suffix);
    EXPECT_TRUE(stores(expected.format, color, found.at(0, place)))
        << "statement " << index << " of work-item " << item << " writes" << text_of(color) << " at " << q[0]
        << ' ' << q[1] << ' ' << q[2] << " of " << expected.text() << ", found"
        << text_of(test::color_of(expected.format, found.at(0, place))) << "\n"
        << kernel.source;
    std::memcpy(expected.at(0, place), found.at(0, place), size);
  }
  EXPECT_TRUE(expected.levels[0] == found.levels[0])
      << "more than statement " << index << " writes has changed in " << expected.text() << "\n"
      << kernel.source;
}

void RandomImages::check(const KernelText& kernel, const Launch& launch) {
  for (size_t index = 0; index < kernel.statements.size(); ++index) {
    if (kernel.statements[index].writes()) {
      check_written(kernel, launch, index);
    } else {
      for (size_t item = 0; item < kItems && !HasFailure(); ++item) check_read(kernel, launch, index, item);
    }
    if (HasFailure()) return;
  }
}

// Creates the program from its binary.
test::Program RandomImages::rebuilt(cl_program program) const {
  size_t size = 0;
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  const unsigned char* given = binary.data();
  cl_int error = CL_SUCCESS;
  test::Program made = clCreateProgramWithBinary(context, 1, &device, &size, &given, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  CL_EXPECT(CL_SUCCESS, clBuildProgram(made, 1, &device, "", nullptr, nullptr));
  return made;
}

TEST_F(RandomImages, AreReadAndWrittenAsSpecified) {
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 5);
  const bool has_mipmaps = test::offers(device, "cl_khr_mipmap_image"),
             has_depth = test::offers(device, "cl_khr_depth_images");
  constexpr int kRounds = 4, kAtOnce = 3;
  int kernels = 0;
  do {
    const KernelText kernel = random_kernel(has_mipmaps, has_depth);
    const test::Program program =
        build(kernel.source, chance(25) ? "-cl-std=CL3.0 -cl-opt-disable" : "-cl-std=CL3.0");
    const test::Kernel compiled = make_kernel(program, "k");
    for (int round = 0; round < kRounds && !HasFailure(); ++round) {
      std::vector<Launch> launches;
      for (int i = 0; i < kAtOnce; ++i) {
        launches.push_back(prepare(kernel));
        launch(kernel, compiled, launches.back());
      }
      CL_OK(clFinish(queue));
      for (const Launch& each : launches) check(kernel, each);
    }
    ++kernels;
  } while (!HasFailure() && std::chrono::steady_clock::now() < end);
  RecordProperty("kernels", kernels);
}

}  // namespace
}  // namespace random_images
