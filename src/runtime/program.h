// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "compiler/compiler.h"
#include "cuda/module.h"
#include "runtime/context.h"

namespace clcuda {

class Device;
class Kernel;

// One kernel of one variant on one device, ready to launch.
struct KernelFunction {
  cuda::Function function;
  const compiler::KernelInfo* info = nullptr;
  const compiler::KernelCode* code = nullptr;
};

// The executable of a program for one device: what the compiler made, and its code on the device. Immutable once built, shared by
// the program and its kernels, so that a rebuild does not disturb kernels that exist or run.
class Executable {
 public:
  Executable(Device& device, compiler::ProgramImage image);  // links machine code and loads it
  ~Executable();

  Device& device() const { return device_; }
  const compiler::ProgramImage& image() const { return image_; }
  const compiler::KernelInfo* find(std::string_view kernel) const;

  // The code for a launch of that variant. The general variant is compiled when first asked for.
  // Throws Error(CL_OUT_OF_RESOURCES) if that fails.
  KernelFunction function(std::string_view kernel, compiler::Variant variant);

 private:
  struct Loaded;
  Device& device_;
  const compiler::ProgramImage image_;
  Mutex mutex_;
  std::unique_ptr<Loaded> uniform_, general_ GUARDED_BY(mutex_);
};

// A program object: source, IL or binary, and for each device of it a build state (CL_BUILD_NONE … CL_BUILD_SUCCESS), a log and
// what was made. Its public functions are those of chapter 5.8 of the specification; src/runtime/program_build.cpp has the builds.
class Program;

}  // namespace clcuda
