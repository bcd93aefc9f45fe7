// SPDX-License-Identifier: Apache-2.0
// The layout of arguments for a launch equals that of the parameters in the PTX.
#include <algorithm>
#include <cstddef>
#include <random>
#include <regex>

#include "builtins/image_descriptor.h"
#include "builtins/launch_record.h"
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;
using testing::count;

struct Parameter {
  std::size_t offset, bytes, alignment;
};

// The parameters that an entry of the PTX declares, laid out by the rules of PTX.
std::vector<Parameter> declared_parameters(const std::string& ptx, const std::string& kernel) {
  const std::size_t begin = ptx.find(".entry " + kernel + "(");
  const std::string list = ptx.substr(begin, ptx.find(')', begin) - begin);
  const std::regex declaration(
      R"(\.param (?:\.align (\d+) )?\.([a-z])(\d+)[^\[,]*?(?:\[(\d+)\])?\s*(?:,|$))");
  std::vector<Parameter> parameters;
  std::size_t end = 0;
  for (std::sregex_iterator i(list.begin(), list.end(), declaration), last; i != last; ++i) {
    const std::size_t element = std::stoul((*i)[3]) / 8;
    const std::size_t alignment = (*i)[1].matched ? std::stoul((*i)[1]) : element;
    const std::size_t bytes = element * ((*i)[4].matched ? std::stoul((*i)[4]) : 1);
    const std::size_t offset = (end + alignment - 1) / alignment * alignment;
    parameters.push_back({offset, bytes, alignment});
    end = offset + bytes;
  }
  return parameters;
}

void expect_agreement(const KernelInfo& info, const KernelCode& code, const std::string& ptx) {
  const std::vector<Parameter> declared = declared_parameters(ptx, code.symbol);
  ASSERT_EQ(declared.size(),
            info.arguments.size() + (code.image_parts.empty() ? 0 : 1) + (code.launch_record_offset ? 1 : 0))
      << ptx;
  std::size_t end = 0;
  for (std::size_t i = 0; i < info.arguments.size(); ++i) {
    const ArgumentInfo& argument = info.arguments[i];
    EXPECT_EQ(declared[i].offset, argument.offset) << argument.type_name;
    EXPECT_EQ(declared[i].bytes, argument.parameter_size) << argument.type_name;
    // With a larger alignment, ptxas places parameters by their addresses in the constant bank.
    EXPECT_LE(declared[i].alignment, 16U) << argument.type_name;
    end = declared[i].offset + declared[i].bytes;
  }
  EXPECT_EQ(info.parameter_size, end);
  if (!code.image_parts.empty()) {
    EXPECT_EQ(declared[info.arguments.size()].offset, code.image_parts_offset);
    EXPECT_EQ(declared[info.arguments.size()].bytes, code.image_parts.size() * kImagePartSize);
  }
  if (!code.launch_record_offset) return;
  EXPECT_EQ(declared.back().offset, *code.launch_record_offset);
  EXPECT_EQ(declared.back().bytes, sizeof(clcuda_launch_record));
}

std::vector<std::string> all_types() {
  std::vector<std::string> types{"Small",       "Large",       "Packed", "global int*", "constant double16*",
                                 "local char*", "local long8*"};
  for (const char* element :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}) {
    for (const char* width : {"", "2", "3", "4", "8", "16"}) types.push_back(std::string(element) + width);
  }
  return types;
}

std::string kernel_of(const std::vector<std::string>& types) {
  std::string parameters, body;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = "a" + std::to_string(i);
    parameters += types[i] + " " + name + ", ";
    body += types[i].ends_with('*') ? "if (" + name + ") *out += 1; "
                                    : "*out += ((private char*)&" + name + ")[*out & 1]; ";
  }
  return R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    typedef struct { char c; short s[3]; } Small;
    typedef struct { char c; double16 d; float3 f; } Large;
    typedef struct __attribute__((packed)) { char c; long l; } Packed;
    kernel void k()" +
         parameters + "global int* out) { " + body + "}";
}

TEST(Parameters, LieWhereTheKernelLooks) {
  std::mt19937 random(std::random_device{}());
  std::vector<std::string> types = all_types();
  for (int round = 0; round < 4; ++round) {
    std::ranges::shuffle(types, random);
    for (std::size_t first = 0; first < types.size(); first += 20) {
      const std::size_t last = std::min(first + 20, types.size());
      const std::string source = kernel_of({types.begin() + static_cast<std::ptrdiff_t>(first),
                                            types.begin() + static_cast<std::ptrdiff_t>(last)});
      SCOPED_TRACE(source);
      const CompiledProgram program = built(source);
      expect_agreement(program.kernels[0], program.uniform.kernels[0], program.uniform.ptx);
      const VariantOutcome general = make_general_variant(program);
      expect_agreement(program.kernels[0], general.code.kernels[0], general.code.ptx);
    }
  }
}

TEST(Parameters, RecordFollowsTheArguments) {
  const CompiledProgram program = built(
      "kernel void k(char c, double16 d, short s, global double16* out) { *out = d + c + s + get_work_dim(); "
      "}");
  ASSERT_TRUE(program.uniform.kernels[0].launch_record_offset);
  expect_agreement(program.kernels[0], program.uniform.kernels[0], program.uniform.ptx);
  EXPECT_EQ(testing::ptxas_complaint(program.uniform.ptx, testing::kTarget.sm), "");
}

// The parts of image descriptors that a kernel is known to use are parameters. Parts that depend on a sampler argument, and parts that the
// program itself reads, are loaded.
TEST(Parameters, PartsOfImagesFollowTheArguments) {
  const CompiledProgram program = built(R"(
    constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
    kernel void known(char c, read_only image2d_t from, float2 at, write_only image2d_t to, global uint* dimensions) {
      write_imagef(to, (int2)(c, 0), read_imagef(from, smooth, at));
      *dimensions = get_work_dim();
    }
    kernel void chosen(read_only image2d_t from, sampler_t s, float2 at, global float4* to) {
      *to = read_imagef(from, s, at);
    }
    kernel void own(global ulong2* from, global ulong2* to) {
      ulong2 v;
      __asm__("ld.global.nc.v2.u64 {%0, %1}, [%2];" : "=l"(v.x), "=l"(v.y) : "l"(from));
      *to = v;
    })",
                                        "-cl-std=CL1.2");
  const VariantOutcome general = make_general_variant(program);
  for (const VariantCode* code : {&program.uniform, &general.code}) {
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
      expect_agreement(program.kernels[i], code->kernels[i], code->ptx);
    const KernelCode& known = code->kernels[0];
    ASSERT_EQ(known.image_parts.size(), 2U);
    EXPECT_EQ(known.image_parts[0].argument, program.kernels[0].arguments[1].offset);
    EXPECT_EQ(known.image_parts[0].place,
              offsetof(clcuda_image, textures) + CLCUDA_SAMPLER_LINEAR * sizeof(clcuda_image_texture));
    EXPECT_EQ(known.image_parts[1].argument, program.kernels[0].arguments[3].offset);
    EXPECT_EQ(known.image_parts[1].place, offsetof(clcuda_image, surface));
    EXPECT_TRUE(code->kernels[1].image_parts.empty());
    EXPECT_TRUE(code->kernels[2].image_parts.empty());
    EXPECT_EQ(count(code->ptx, "ld.global.nc.v2.u64"), 2U) << code->ptx;
    EXPECT_EQ(testing::ptxas_complaint(code->ptx, testing::kTarget.sm), "");
  }
  const auto copy = parse(serialize(program));
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->uniform.kernels[0].image_parts_offset, program.uniform.kernels[0].image_parts_offset);
  ASSERT_EQ(copy->uniform.kernels[0].image_parts.size(), 2U);
  EXPECT_EQ(copy->uniform.kernels[0].image_parts[0].place, program.uniform.kernels[0].image_parts[0].place);
}

// Parameters beyond PTX's former limit need a newer PTX version, which only such kernels get.
TEST(Parameters, ManyNeedNewerPtx) {
  const auto source = [](int longs) {
    return "typedef struct { long a[" + std::to_string(longs) +
           "]; } Many;\nkernel void k(Many many, global long* out, int i) { *out = many.a[i]; }";
  };
  const CompiledProgram many = built(source(1000), "", {90, 81});
  EXPECT_EQ(count(many.uniform.ptx, ".version 8.1"), 1U);
  expect_agreement(many.kernels[0], many.uniform.kernels[0], many.uniform.ptx);
  EXPECT_EQ(testing::ptxas_complaint(many.uniform.ptx, 90), "");
  EXPECT_EQ(count(testing::refused(source(1000), ""), "4352 bytes of arguments"), 1U);
  EXPECT_EQ(count(built(source(500), "", {90, 81}).uniform.ptx, ".version 7.8"), 1U);
  EXPECT_EQ(count(built(source(4000), "", {75, 90}).uniform.ptx, ".version 8.1"), 1U);
}

}  // namespace
}  // namespace clcuda::compiler
