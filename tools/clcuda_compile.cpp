// SPDX-License-Identifier: Apache-2.0
// clcuda_compile [--sm=90] [--ptx=78] [--general] [--repeat=N] [--il] [--spec=ID:BYTES …] [OpenCL options …] file.cl
//
// Compiles a program, OpenCL C or a SPIR-V module, as clBuildProgram would and writes its PTX to the standard output; what is known about
// the kernels, the build log and, with --repeat, the time of each build go to the standard error.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "compiler/compiler.h"

namespace {

using namespace clcuda::compiler;

DeviceFeatures all_features() {
  return {{"cl_khr_fp64",
           "cl_khr_fp16",
           "cl_khr_depth_images",
           "cl_khr_3d_image_writes",
           "cl_khr_byte_addressable_store",
           "cl_khr_global_int32_base_atomics",
           "cl_khr_global_int32_extended_atomics",
           "cl_khr_local_int32_base_atomics",
           "cl_khr_local_int32_extended_atomics",
           "cl_khr_int64_base_atomics",
           "cl_khr_int64_extended_atomics",
           "cl_khr_extended_bit_ops",
           "cl_khr_integer_dot_product",
           "cl_khr_kernel_clock",
           "cl_khr_expect_assume",
           "cl_khr_subgroups",
           "cl_khr_subgroup_extended_types",
           "cl_khr_subgroup_non_uniform_vote",
           "cl_khr_subgroup_ballot",
           "cl_khr_subgroup_non_uniform_arithmetic",
           "cl_khr_subgroup_shuffle",
           "cl_khr_subgroup_shuffle_relative",
           "cl_khr_subgroup_clustered_reduce",
           "cl_khr_subgroup_rotate",
           "cl_intel_subgroups",
           "cl_intel_subgroups_char",
           "cl_intel_subgroups_short",
           "cl_intel_subgroups_long",
           "cl_intel_subgroup_local_block_io",
           "cl_intel_required_subgroup_size"},
          {"__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_generic_address_space",
           "__opencl_c_program_scope_global_variables", "__opencl_c_atomic_order_acq_rel",
           "__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device",
           "__opencl_c_atomic_scope_all_devices", "__opencl_c_work_group_collective_functions",
           "__opencl_c_subgroups", "__opencl_c_integer_dot_product_input_4x8bit",
           "__opencl_c_integer_dot_product_input_4x8bit_packed", "__opencl_c_kernel_clock_scope_device",
           "__opencl_c_kernel_clock_scope_work_group", "__opencl_c_kernel_clock_scope_sub_group",
           "__opencl_c_device_enqueue", "__opencl_c_images", "__opencl_c_3d_image_writes",
           "__opencl_c_read_write_images"}};
}

void print_kernels(const CompiledProgram& image, const VariantCode& code) {
  for (std::size_t k = 0; k < image.kernels.size(); ++k) {
    const KernelInfo& kernel = image.kernels[k];
    std::cerr << "kernel " << kernel.name << " " << kernel.attributes << " parameters "
              << kernel.parameter_size << " static local " << kernel.static_local_size;
    if (code.kernels[k].launch_record_offset)
      std::cerr << " record at " << *code.kernels[k].launch_record_offset;
    if (code.kernels[k].uses_printf) std::cerr << " printf";
    std::cerr << "\n";
    for (const ArgumentInfo& argument : kernel.arguments) {
      std::cerr << "  " << argument.type_name << " " << argument.name << " kind "
                << static_cast<int>(argument.kind) << " size " << argument.size << " at " << argument.offset
                << "\n";
    }
  }
}

// Of either byte order.
bool is_spirv(const std::string& bytes) {
  return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03");
}

// ID:BYTES, the value's bytes in hexadecimal as they lie in memory: 7:0a000000 gives constant 7 the 32-bit value 10.
spirv::Specialization specialization_of(const std::string& text) {
  std::size_t at = 0;
  spirv::Specialization specialization{static_cast<std::uint32_t>(std::stoul(text, &at)), {}};
  for (++at; at + 2 <= text.size(); at += 2)
    specialization.value += static_cast<char>(std::stoul(text.substr(at, 2), nullptr, 16));
  return specialization;
}

}  // namespace

int main(int count, char** words) {
  Target target{90, 78};
  std::string options, file;
  bool general = false, il = false;
  int repeat = 1;
  std::vector<spirv::Specialization> specializations;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word.starts_with("--sm="))
      target.sm = std::stoi(word.substr(5));
    else if (word.starts_with("--ptx="))
      target.ptx = std::stoi(word.substr(6));
    else if (word == "--general")
      general = true;
    else if (word == "--il")
      il = true;
    else if (word.starts_with("--spec="))
      specializations.push_back(specialization_of(word.substr(7)));
    else if (word.starts_with("--repeat="))
      repeat = std::stoi(word.substr(9));
    else if (i + 1 == count)
      file = word;
    else
      options += " " + word;
  }
  std::ifstream stream(file, std::ios::binary);
  if (file.empty() || !stream) {
    std::cerr
        << "usage: clcuda_compile [--sm=90] [--ptx=78] [--general] [--repeat=N] [--il] [--spec=ID:BYTES] "
           "[OpenCL options] file.cl\n";
    return 2;
  }
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const Source source = il || is_spirv(bytes) ? Source::module(bytes, specializations) : Source(bytes);
  Outcome outcome;
  for (int i = 0; i < repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    outcome = build(source, options, target, all_features());
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (repeat > 1) std::cerr << time.count() << " ms\n";
  }
  std::cerr << outcome.log;
  if (outcome.status != Status::success) return 1;
  VariantCode code = outcome.image.uniform;
  if (general) {
    const VariantOutcome variant = make_general_variant(outcome.image, all_features());
    std::cerr << variant.log;
    if (variant.status != Status::success) return 1;
    code = variant.code;
  }
  print_kernels(outcome.image, code);
  std::cout << code.ptx;
}
