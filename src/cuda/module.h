// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cuda/context.h"

namespace clcuda::cuda {

struct MachineCode {
  std::string code;
  std::string log;  // what the driver says of each kernel, if it was asked to
};
struct LinkOptions {
  bool line_info = false;
  bool verbose = false;
  int optimization_level = 4;  // 0 to 4, the driver's
  bool whole_chip = false;     // the PTX is for a target with all that the chip has (sm_90a)
  unsigned max_registers = 0;  // of a work-item; 0: as many as the code is best with
  std::string_view library;    // what the PTX is linked with, or empty
};

// PTX → machine code for the device of `context`, by cuLink*: in parallel with launches and with other links,
// which cuModuleLoadData of PTX is not. Throws Error(CL_BUILD_PROGRAM_FAILURE) with the driver's log.
MachineCode link_machine_code(const DeviceContext& context, std::string_view ptx, const LinkOptions& options);

// An entry of a loaded module. A value; valid as long as its Module.
class Function {
 public:
  Function() = default;
  Function(const DeviceContext& context, CUfunction function) : context_(&context), function_(function) {}
  CUfunction handle() const { return function_; }
  int attribute(CUfunction_attribute attribute) const;
  void set_attribute(CUfunction_attribute attribute, int value) const;

 private:
  const DeviceContext* context_ = nullptr;
  CUfunction function_ = nullptr;
};

// Machine code loaded into a context.
class Module {
 public:
  Module(const DeviceContext& context, std::string_view machine_code);
  ~Module();  // unloads: only when the device is idle, or the call waits (Device's reclaim list sees to it)
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Function function(const std::string& name) const;

 private:
  const DeviceContext& context_;
  CUmodule module_ = nullptr;
};

}  // namespace clcuda::cuda
