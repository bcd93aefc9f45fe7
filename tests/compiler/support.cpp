// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "compiler/ptx_modules.h"

namespace clcuda::compiler::testing {

const DeviceFeatures& features() {
  static const DeviceFeatures all{
      {},
      {"cl_khr_fp64", "cl_khr_fp16", "cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
       "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
       "cl_khr_local_int32_extended_atomics", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics",
       "cl_khr_subgroups", "cl_khr_subgroup_non_uniform_arithmetic"},
      {"__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_generic_address_space",
       "__opencl_c_program_scope_global_variables", "__opencl_c_atomic_order_acq_rel",
       "__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device",
       "__opencl_c_atomic_scope_all_devices", "__opencl_c_work_group_collective_functions",
       "__opencl_c_subgroups", "__opencl_c_device_enqueue"}};
  return all;
}

CompiledProgram built(std::string_view source, const std::string& options, Target for_target) {
  Outcome outcome = build(source, options, for_target, features());
  EXPECT_EQ(outcome.status, Status::success) << outcome.log << "\nof\n" << source.substr(0, 2000);
  return std::move(outcome.program);
}

std::string refused(std::string_view source, const std::string& options, Status status) {
  const Outcome outcome = build(source, options, kTarget, features());
  EXPECT_EQ(outcome.status, status) << outcome.log << "\nof\n" << source.substr(0, 2000);
  EXPECT_FALSE(outcome.log.empty());
  EXPECT_TRUE(outcome.program.uniform.ptx.empty());
  return outcome.log;
}

std::string ptxas_complaint(const std::string& ptx, int sm) {
  const auto modules = ptx_modules(ptx);
  if (modules.size() > 1) {
    std::string complaints;
    for (const std::string_view module : modules) complaints += ptxas_complaint(std::string(module), sm);
    return complaints;
  }
  const std::string stem = ::testing::TempDir() + "/clcuda_" + std::to_string(::getpid());
  std::ofstream(stem + ".ptx") << ptx;
  const std::string plain = "sm_" + std::to_string(sm);
  const std::string chip = plain + (ptx.find(".target " + plain + "a") == ptx.npos ? "" : "a");
  const std::string command =
      std::string(CLCUDA_PTXAS) + " -arch=" + chip + " -O0 -o " + stem + ".cubin " + stem + ".ptx 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer;
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe)) text += buffer.data();
  const int status = pipe ? ::pclose(pipe) : -1;
  std::remove((stem + ".ptx").c_str());
  std::remove((stem + ".cubin").c_str());
  return status == 0 ? std::string() : "ptxas: " + text;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

}  // namespace clcuda::compiler::testing
