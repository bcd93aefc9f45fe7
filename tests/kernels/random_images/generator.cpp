// SPDX-License-Identifier: Apache-2.0
#include "generator.h"

namespace random_images {
namespace {

struct Geometry {
  cl_mem_object_type type;
  const char *name, *place, *texel;
  const char* gradients;  // two, of which the longer one moves by `step` of the width
};
constexpr Geometry kGeometries[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d", "p.x", "q.x", "step, 0.5f * step"},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer", "p.x", "q.x", ""},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array", "p.xy", "q.xy", "0.5f * step, -step"},
    {CL_MEM_OBJECT_IMAGE2D, "image2d", "p.xy", "q.xy", "(float2)(step, 0), (float2)(0.3f * step, 0)"},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array", "p", "q", "(float2)(0), (float2)(-step, 0)"},
    {CL_MEM_OBJECT_IMAGE3D, "image3d", "p", "q", "(float4)(step, 0, 0, 7), (float4)(-0.7f * step, 0, 0, 9)"},
};
const Geometry& geometry_of(const ImageArgument& image) {
  return *std::ranges::find(kGeometries, image.type, &Geometry::type);
}

std::string literal(const SamplerState& sampler) {
  const char* const addressing[] = {"CLK_ADDRESS_NONE", "CLK_ADDRESS_CLAMP_TO_EDGE", "CLK_ADDRESS_CLAMP",
                                    "CLK_ADDRESS_REPEAT", "CLK_ADDRESS_MIRRORED_REPEAT"};
  return std::string(sampler.normalized ? "CLK_NORMALIZED_COORDS_TRUE" : "CLK_NORMALIZED_COORDS_FALSE") +
         " | " + addressing[sampler.addressing - CL_ADDRESS_NONE] + " | " +
         (sampler.filter == CL_FILTER_LINEAR ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST");
}

class Writer {
 public:
  Writer(bool has_mipmaps, bool has_depth) : has_mipmaps_(has_mipmaps), has_depth_(has_depth) {}

  KernelText write() {
    for (size_t i = 0, count = 2 + below(5); i < count; ++i) kernel_.images.push_back(random_image());
    for (size_t i = 0, count = 3 + below(6); i < count; ++i) add_read();
    for (size_t i = 0; i < kernel_.images.size(); ++i) add_write(i);
    std::string body;
    for (size_t i = 0; i < kernel_.statements.size(); ++i) body += text_of(i);
    std::string parameters;
    for (size_t i = 0; i < kernel_.images.size(); ++i)
      parameters +=
          ", " + kernel_.images[i].access + " " + kernel_.images[i].type_name() + " i" + std::to_string(i);
    kernel_.source =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n" +
        outside_ +
        "kernel void k(global const float4* places, global const int4* texels, global const uint4* colors,\n"
        "              global uint4* out" +
        parameters + samplers_ + ") {\n  const size_t n = " + std::to_string(KernelText::kItems) +
        ", i = get_global_id(0) - get_global_offset(0);\n" + inside_ + body + "}\n";
    return std::move(kernel_);
  }

 private:
  ImageArgument random_image() const {
    ImageArgument image;
    image.type = any_of(kGeometries).type;
    image.access = chance(70) ? "read_only" : chance(50) ? "write_only" : "read_write";
    const char* const suffixes[] = {"f", "f", "i", "ui"};
    image.suffix = any_of(suffixes);
    const bool flat = image.type == CL_MEM_OBJECT_IMAGE2D || image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    image.depth = flat && has_depth_ && image.suffix == "f" && chance(25);
    image.mipmapped = has_mipmaps_ && image.access == "read_only" &&
                      image.type != CL_MEM_OBJECT_IMAGE1D_BUFFER && !image.depth && chance(25);
    return image;
  }

  void add_read() {
    Statement statement;
    statement.images[0] = statement.images[1] = below(kernel_.images.size());
    const ImageArgument& image = kernel_.images[statement.images[0]];
    if (image.access != "read_only") return;
    const size_t other = below(kernel_.images.size());
    if (kernel_.images[other].type_name() == image.type_name() &&
        kernel_.images[other].access == image.access && kernel_.images[other].suffix == image.suffix &&
        kernel_.images[other].mipmapped == image.mipmapped)
      statement.images[1] = other;
    const size_t kind = below(10);
    if (image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER || kind < 2)
      statement.way = Statement::texel;
    else if (image.mipmapped && kind < 7)
      statement.way = chance(70) ? Statement::sampled_at_level : Statement::sampled_with_gradients;
    else if (kind < 4)
      statement.way = Statement::sampled_at_texel;
    statement.as_half = image.suffix == "f" && !image.depth && !statement.has_level() && chance(15);
    statement.in_function = chance(30);
    if (statement.has_sampler()) {
      const Statement::Place places[] = {Statement::argument, Statement::argument, Statement::program_scope,
                                         Statement::function_scope, Statement::in_call};
      statement.sampler_is = any_of(places);
      statement.sampler = random_sampler(statement, image);
      if (statement.sampler_is != Statement::argument) statement.sampler.mip_filter = CL_FILTER_NEAREST;
    }
    kernel_.statements.push_back(statement);
  }

  void add_write(size_t index) {
    const ImageArgument& image = kernel_.images[index];
    if (image.access == "read_only") return;
    Statement statement;
    statement.way = image.access == "read_write" ? Statement::replaced : Statement::written;
    statement.images[0] = statement.images[1] = index;
    statement.in_function = chance(30);
    kernel_.statements.push_back(statement);
  }

  // The sampler's text where it is used; adds any declaration that it needs to the function.
  std::string sampler_of(const Statement& statement, size_t index, std::string& in_function) {
    const std::string name = "s" + std::to_string(index), value = literal(statement.sampler);
    switch (statement.sampler_is) {
      case Statement::argument:
        samplers_ += ", sampler_t " + name;
        return name;
      case Statement::program_scope:
        outside_ += "constant sampler_t " + name + " = " + value + ";\n";
        return name;
      case Statement::function_scope:
        (statement.in_function ? in_function : inside_) +=
            "  const sampler_t " + name + " = " + value + ";\n";
        return name;
      default:
        return value;
    }
  }

  static std::string read_of(const Statement& statement, const ImageArgument& image, const std::string& name,
                             const std::string& sampler) {
    const Geometry& geometry = geometry_of(image);
    std::string arguments = name;
    if (statement.has_sampler()) arguments += ", " + sampler;
    arguments +=
        std::string(", ") +
        (statement.way == Statement::sampled || statement.has_level() ? geometry.place : geometry.texel);
    if (statement.way == Statement::sampled_at_level) arguments += ", p.w";
    if (statement.way == Statement::sampled_with_gradients)
      arguments += std::string(", ") + geometry.gradients;
    const std::string call = "read_image" + (statement.as_half ? "h" : image.suffix) + "(" + arguments + ")";
    if (image.depth) return "as_uint4((float4)(" + call + ", 0, 0, 1))";
    return statement.as_half ? "as_uint4(convert_float4(" + call + "))" : "as_uint4(" + call + ")";
  }

  static std::string write_of(const ImageArgument& image, const std::string& name) {
    const std::string color = image.depth           ? "as_float(c.x)"
                              : image.suffix == "f" ? "as_float4(c)"
                              : image.suffix == "i" ? "as_int4(c)"
                                                    : "c";
    return "write_image" + image.suffix + "(" + name + ", " + geometry_of(image).texel + ", " + color + ");";
  }

  std::string text_of(size_t index) {
    const Statement& statement = kernel_.statements[index];
    const ImageArgument& image = kernel_.images[statement.images[0]];
    const std::string number = std::to_string(index), at = "[" + number + " * n + i]";
    std::string locals;
    const std::string sampler = statement.has_sampler() ? sampler_of(statement, index, locals) : "";
    const bool passed = statement.has_sampler() && statement.sampler_is == Statement::argument;
    const auto body = [&](const std::string& name) {
      std::string text;
      if (statement.way == Statement::sampled_with_gradients)
        text += "const float step = exp2(p.w) / get_image_width(" + name + "); ";
      if (statement.way != Statement::written)
        text += "r = " + read_of(statement, image, name, sampler) + "; ";
      if (statement.writes()) text += write_of(image, name);
      return text;
    };
    const auto use = [&](size_t which) {
      const std::string name = "i" + std::to_string(which);
      return statement.in_function
                 ? "r = f" + number + "(" + name + (passed ? ", " + sampler : "") + ", p, q, c);"
                 : body(name);
    };
    if (statement.in_function)
      outside_ += std::string(chance(50) ? "__attribute__((noinline)) " : "") + "uint4 f" + number + "(" +
                  image.access + " " + image.type_name() + " image" +
                  (passed ? ", sampler_t " + sampler : "") + ", float4 p, int4 q, uint4 c) {\n" + locals +
                  "  uint4 r = 0;\n  " + body("image") + "\n  return r;\n}\n";
    const std::string condition = statement.writes() ? "if (q.w) { " : "{ ";
    std::string text = "  {\n    const float4 p = places" + at + ";\n    const int4 q = texels" + at +
                       ";\n    const uint4 c = colors" + at + ";\n    uint4 r = 0;\n    ";
    if (statement.images[0] == statement.images[1])
      text += condition + use(statement.images[0]) + " }\n";
    else
      text += "if (i & 1) { " + use(statement.images[1]) + " } else { " + use(statement.images[0]) + " }\n";
    return text + "    out" + at + " = r;\n  }\n";
  }

  const bool has_mipmaps_, has_depth_;
  KernelText kernel_;
  std::string outside_, inside_, samplers_;
};

}  // namespace

std::string ImageArgument::type_name() const {
  return std::string(geometry_of(*this).name) + (depth ? "_depth_t" : "_t");
}

// Sections 5.7 and 8.2: repeating addressing modes need normalized coordinates; integer coordinates need a sampler with unnormalized
// coordinates and no filtering; integers are not filtered; levels of a mipmap need normalized coordinates.
SamplerState random_sampler(const Statement& statement, const ImageArgument& image) {
  SamplerState sampler;
  const bool by_texel = statement.way == Statement::sampled_at_texel;
  sampler.normalized = !by_texel && (statement.has_level() || chance(60));
  const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                      CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
  sampler.addressing = modes[below(sampler.normalized ? 5 : 3)];
  if (!by_texel && image.suffix == "f" && chance(50)) sampler.filter = CL_FILTER_LINEAR;
  if (statement.has_level() && sampler.filter == CL_FILTER_LINEAR && chance(50))
    sampler.mip_filter = CL_FILTER_LINEAR;
  return sampler;
}

KernelText random_kernel(bool has_mipmaps, bool has_depth) {
  for (;;) {
    KernelText kernel = Writer(has_mipmaps, has_depth).write();
    if (!kernel.statements.empty()) return kernel;
  }
}

}  // namespace random_images
