// SPDX-License-Identifier: Apache-2.0
// Image reads in a loop, 64 per work-item: by format, image type, type of coordinates and sampler. Images have 256 texels per side, so that
// texture units and address computations are measured, not memory. Also writes, and reads of read_write images.
#include <memory>
#include <string>
#include <vector>

#include "harness/benchmark.h"
#include "support/client.h"

namespace {

constexpr size_t kSide = 256, kReads = 64;

// Each kernel's loop reads at (x + i) mod 256 or, with float coordinates, at increasing coordinates from x.
constexpr const char* kSource = R"(
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
const sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
kernel void image_reads(read_only IMAGE image, global RESULT* results, int count PARAMETER) {
  const int x = get_global_id(0) & 255, y = get_global_id(1) & 255;
  float fx = x + 0.5f;
  const float fy = y + 0.5f;
  RESULT sum = 0;
  for (int i = 0; i < count; ++i, fx += 1.0f) sum += READ;
  results[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
)";
constexpr const char* kWriteSource = R"(
kernel void image_writes(ACCESS IMAGE image, int count) {
  const int x = get_global_id(0) & 255, y = get_global_id(1) & 255;
  for (int i = 0; i < count; ++i) WRITE;
}
)";

struct ReadCase {
  const char* name;
  cl_channel_order order;
  cl_channel_type type;
  cl_mem_object_type kind;
  const char *image, *result, *read;
  const char* parameter = "";  // in addition to the three common ones
};

constexpr cl_mem_object_type k1D = CL_MEM_OBJECT_IMAGE1D, k2D = CL_MEM_OBJECT_IMAGE2D,
                             k3D = CL_MEM_OBJECT_IMAGE3D, kArray = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                             kBuffer = CL_MEM_OBJECT_IMAGE1D_BUFFER;

const std::vector<ReadCase>& read_cases() {
  static const std::vector<ReadCase> cases = {
      {"rgba_float", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, nearest, (int2)((x + i) & 255, y))"},
      {"rgba_float_argument", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, sampler, (int2)((x + i) & 255, y))", ", sampler_t sampler"},
      {"rgba_float_no_sampler", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, (int2)((x + i) & 255, y))"},
      {"rgba_float_border", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, border, (int2)((x + i) & 255, y))"},
      {"rgba_float_at_floats", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, nearest, (float2)(fx, fy))"},
      {"rgba_float_linear", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, linear, (float2)(fx, fy))"},
      {"rgba_float_repeat", CL_RGBA, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, repeat, (float2)(fx, fy) * (1.0f / 256))"},
      {"r_float", CL_R, CL_FLOAT, k2D, "image2d_t", "float",
       "read_imagef(image, nearest, (int2)((x + i) & 255, y)).x"},
      {"r_float_argument", CL_R, CL_FLOAT, k2D, "image2d_t", "float",
       "read_imagef(image, sampler, (int2)((x + i) & 255, y)).x", ", sampler_t sampler"},
      {"r_float_at_floats", CL_R, CL_FLOAT, k2D, "image2d_t", "float",
       "read_imagef(image, nearest, (float2)(fx, fy)).x"},
      {"r_float_linear", CL_R, CL_FLOAT, k2D, "image2d_t", "float",
       "read_imagef(image, linear, (float2)(fx, fy)).x"},
      {"r_float_whole", CL_R, CL_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, nearest, (int2)((x + i) & 255, y))"},
      {"rg_half", CL_RG, CL_HALF_FLOAT, k2D, "image2d_t", "float4",
       "read_imagef(image, nearest, (int2)((x + i) & 255, y))"},
      {"rgba_unorm8", CL_RGBA, CL_UNORM_INT8, k2D, "image2d_t", "float4",
       "read_imagef(image, nearest, (int2)((x + i) & 255, y))"},
      {"rgba_unorm8_linear", CL_RGBA, CL_UNORM_INT8, k2D, "image2d_t", "float4",
       "read_imagef(image, linear, (float2)(fx, fy))"},
      {"bgra_unorm8", CL_BGRA, CL_UNORM_INT8, k2D, "image2d_t", "float4",
       "read_imagef(image, nearest, (int2)((x + i) & 255, y))"},
      {"bgra_unorm8_linear", CL_BGRA, CL_UNORM_INT8, k2D, "image2d_t", "float4",
       "read_imagef(image, linear, (float2)(fx, fy))"},
      {"rgba_uint8", CL_RGBA, CL_UNSIGNED_INT8, k2D, "image2d_t", "uint4",
       "read_imageui(image, nearest, (int2)((x + i) & 255, y))"},
      {"r_uint32", CL_R, CL_UNSIGNED_INT32, k2D, "image2d_t", "uint",
       "read_imageui(image, nearest, (int2)((x + i) & 255, y)).x"},
      {"rgba_float_1d", CL_RGBA, CL_FLOAT, k1D, "image1d_t", "float4",
       "read_imagef(image, nearest, (x + i) & 255)"},
      {"rgba_float_2d_array", CL_RGBA, CL_FLOAT, kArray, "image2d_array_t", "float4",
       "read_imagef(image, nearest, (int4)((x + i) & 255, y, i & 7, 0))"},
      {"rgba_unorm8_3d", CL_RGBA, CL_UNORM_INT8, k3D, "image3d_t", "float4",
       "read_imagef(image, nearest, (int4)((x + i) & 255, y, i & 7, 0))"},
      {"r_float_3d_linear", CL_R, CL_FLOAT, k3D, "image3d_t", "float",
       "read_imagef(image, linear, (float4)(fx, fy, 3.3f, 0)).x"},
      {"rgba_float_buffer", CL_RGBA, CL_FLOAT, kBuffer, "image1d_buffer_t", "float4",
       "read_imagef(image, (x + i) & 255)"},
      {"r_float_buffer", CL_R, CL_FLOAT, kBuffer, "image1d_buffer_t", "float",
       "read_imagef(image, (x + i) & 255).x"},
  };
  return cases;
}

struct WriteCase {
  const char* name;
  cl_channel_order order;
  cl_channel_type type;
  const char *access, *write;
};
constexpr WriteCase kWriteCases[] = {
    {"write_rgba_float", CL_RGBA, CL_FLOAT, "write_only",
     "write_imagef(image, (int2)((x + i) & 255, y), (float4)(i, x, y, 1))"},
    {"write_rgba_unorm8", CL_RGBA, CL_UNORM_INT8, "write_only",
     "write_imagef(image, (int2)((x + i) & 255, y), (float4)(i, x, y, 1))"},
    {"write_r_float", CL_R, CL_FLOAT, "write_only",
     "write_imagef(image, (int2)((x + i) & 255, y), (float4)(i))"},
    {"write_r_uint32", CL_R, CL_UNSIGNED_INT32, "write_only",
     "write_imageui(image, (int2)((x + i) & 255, y), (uint4)(i))"},
    {"rewrite_rgba_float", CL_RGBA, CL_FLOAT, "read_write",
     "write_imagef(image, (int2)((x + i) & 255, y), read_imagef(image, (int2)((x + i) & 255, y)) + 1.0f)"},
    {"rewrite_rgba_unorm8", CL_RGBA, CL_UNORM_INT8, "read_write",
     "write_imagef(image, (int2)((x + i) & 255, y), read_imagef(image, (int2)((x + i) & 255, y)) + 0.1f)"},
};

class ImageReads {
 public:
  explicit ImageReads(const bench::Options& options)
      : session_(options.device),
        side_(session_.is_gpu() ? 2048 : 256),
        results_(session_.buffer(side_ * side_ * 16)) {
    benchmark::AddCustomContext("device", session_.device_name());
    cl_int error = CL_SUCCESS;
    sampler_.reset(
        clCreateSampler(session_.context(), CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
    client::check(error, "clCreateSampler");
  }

  void add() {
    for (const ReadCase& each : read_cases())
      bench::add_prepared(each.name, [&each, this] { return read(each); });
    for (const WriteCase& each : kWriteCases)
      bench::add_prepared(each.name, [&each, this] { return write(each); });
  }

 private:
  client::Buffer image(cl_channel_order order, cl_channel_type type, cl_mem_object_type kind) {
    const cl_image_format format = {order, type};
    cl_image_desc desc{};
    desc.image_type = kind;
    desc.image_width = kSide;
    if (kind != k1D && kind != kBuffer) desc.image_height = kSide;
    if (kind == k3D) desc.image_depth = 8;
    if (kind == kArray) desc.image_array_size = 8;
    if (kind == kBuffer) desc.buffer = results_.get();
    cl_int error = CL_SUCCESS;
    client::Buffer made(clCreateImage(session_.context(), 0, &format, &desc, nullptr, &error));
    client::check(error, "clCreateImage");
    return made;
  }

  bench::Operation read(const ReadCase& each) {
    client::Buffer from = image(each.order, each.type, each.kind);
    const std::string options =
        std::string("-cl-std=CL3.0 -D IMAGE=") + each.image + " -D RESULT=" + each.result;
    const std::string source =
        "#define READ " + std::string(each.read) + "\n#define PARAMETER " + each.parameter + "\n" + kSource;
    const client::Program program = session_.build(source, options);
    client::Kernel kernel = session_.kernel(program, "image_reads");
    client::set_arguments(kernel, from, results_, cl_int{kReads});
    const cl_sampler sampler = sampler_.get();
    if (*each.parameter)
      client::check(clSetKernelArg(kernel.get(), 3, sizeof(cl_sampler), static_cast<const void*>(&sampler)),
                    "clSetKernelArg");
    return operation(std::move(kernel), std::move(from));
  }

  bench::Operation write(const WriteCase& each) {
    client::Buffer to = image(each.order, each.type, k2D);
    const std::string source = "#define WRITE " + std::string(each.write) + "\n" + kWriteSource;
    const client::Program program =
        session_.build(source, std::string("-cl-std=CL3.0 -D IMAGE=image2d_t -D ACCESS=") + each.access);
    client::Kernel kernel = session_.kernel(program, "image_writes");
    client::set_arguments(kernel, to, cl_int{kReads});
    return operation(std::move(kernel), std::move(to));
  }

  bench::Operation operation(client::Kernel made, client::Buffer image) {
    const std::shared_ptr<_cl_kernel> kernel = std::move(made);
    const std::shared_ptr<_cl_mem> kept = std::move(image);
    const auto batch = [this, kernel, kept](size_t n) {
      const size_t global[2] = {side_, side_}, local[2] = {16, 16};
      while (n--)
        client::check(clEnqueueNDRangeKernel(session_.queue(), kernel.get(), 2, nullptr, global, local, 0,
                                             nullptr, nullptr),
                      "clEnqueueNDRangeKernel");
      client::check(clFinish(session_.queue()), "clFinish");
    };
    return {batch, 1e-9 * double(side_) * double(side_) * kReads, "Gtexel/s"};
  }

  client::Session session_;
  const size_t side_;
  client::Buffer results_;
  std::unique_ptr<_cl_sampler, client::Releaser<clReleaseSampler>> sampler_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<ImageReads>(count, words); }
