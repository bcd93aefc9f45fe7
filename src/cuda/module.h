// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cuda/context.h"

namespace clcuda::cuda {

// Machine code of a PTX module: on a GPU a cubin.
struct MachineCode {
  std::string code;
  std::string log;  // the driver's report on each kernel, if LinkOptions::verbose is set
};
// How PTX is compiled to machine code.
struct LinkOptions {
  bool line_info = false;
  bool verbose = false;
  int optimization_level = 4;  // 0 to 4, the driver's
  bool whole_chip = false;     // the PTX is for an architecture-specific target (sm_90a)
  unsigned max_registers = 0;  // per work-item; 0: the compiler chooses
  std::string_view library;    // the library that the PTX is linked with, or empty
};

// Compiles PTX to machine code for the device of `context` with cuLink*. Unlike cuModuleLoadData of PTX, this runs in parallel with
// launches and other links. Throws Error(CL_BUILD_PROGRAM_FAILURE) with the driver's log.
MachineCode link_machine_code(const DeviceContext& context, std::string_view ptx, const LinkOptions& options);

// A kernel of a loaded module. A value; valid as long as its Module exists.
class Function {
 public:
  Function() = default;
  Function(const DeviceContext& context, CUmodule module, CUfunction function)
      : context_(&context), module_(module), function_(function) {}
  CUfunction handle() const { return function_; }
  CUmodule module() const { return module_; }
  // cuFuncGetAttribute, cuFuncSetAttribute. Throw DriverError.
  int attribute(CUfunction_attribute attribute) const;
  void set_attribute(CUfunction_attribute attribute, int value) const;

 private:
  const DeviceContext* context_ = nullptr;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

// Machine code loaded into a context.
class Module {
 public:
  // The context is current. Waits for running kernels (docs/costs.md). Throws DriverError.
  Module(const DeviceContext& context, std::string_view machine_code);
  ~Module();  // unloads; waits unless the device is idle (Device::discard)
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Function function(const std::string& name) const;  // throws DriverError if there is none

 private:
  const DeviceContext& context_;
  CUmodule module_ = nullptr;
};

}  // namespace clcuda::cuda
