// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "compiler/compiler.h"
#include "compiler/spirv/specialization.h"
#include "runtime/platform/context.h"
#include "runtime/program/executable.h"

namespace clcuda {

class Device;

// cl_program: source, SPIR-V or binary, and for each device a build status, a log and the result of the last build. Its public functions
// are those of section 5.8 of the specification; program_build.cpp has the builds.
//
// For each device: NONE → (build, compile, link) IN_PROGRESS → SUCCESS or ERROR → … A build may begin only while none is in progress and
// the application holds no kernel of the program. It replaces the previous result as a whole; kernels keep the executable that they were
// created from.
class Program final : public Object {
 public:
  using Handle = cl_program;
  static constexpr ObjectType kType = ObjectType::program;
  static constexpr cl_int kInvalid = CL_INVALID_PROGRAM;

  using Compiled = std::shared_ptr<const compiler::CompiledProgram>;
  using Devices = std::vector<Device*>;

  enum class Origin : std::uint8_t { source, il, binary, linked };
  enum class Act : std::uint8_t { build, compile, link };

  // The callback of an asynchronous build (pfn_notify); called with no lock held. Null: the build is synchronous.
  struct Completion {
    void(CL_CALLBACK* function)(cl_program, void*) = nullptr;
    void* user = nullptr;
  };
  struct EmbeddedHeader {
    std::string name;
    Ref<Program> program;
  };
  // What clGetProgramBuildInfo returns for one device.
  struct BuildInfo {
    cl_build_status status = CL_BUILD_NONE;
    std::string options;
    std::string log;
    cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::size_t global_variable_size = 0;
  };

  Program(Context& context, std::string source);
  // From a SPIR-V module (its bytes) with these specialization constants.
  Program(Context& context, std::string module,
          std::vector<compiler::spirv::SpecializableConstant> constants);
  // From binaries: `compiled` has one for each of `devices`; none is null.
  Program(Context& context, const Devices& devices, const std::vector<Compiled>& compiled);
  // Without contents, for link().
  Program(Context& context, const Devices& devices);

  Context& context() const { return *context_; }
  const std::string& source() const { return source_; }
  const std::string& module() const { return module_; }
  Origin origin() const { return origin_; }
  const Devices& devices() const { return devices_; }
  bool has(const Device& device) const;

  // clSetProgramSpecializationConstant: for builds that begin from now on; `value` has the constant's size.
  void specialize(std::uint32_t id, std::string_view value);

  // clBuildProgram, clCompileProgram, clLinkProgram. Each returns after the build, or before it if `completion` has a function. A
  // synchronous build that fails throws Error(CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE or CL_LINK_PROGRAM_FAILURE, or another
  // code that tells what prevented it); its log is kept. Null `options`: those that a binary was built with, or none.
  void build(const Devices& devices, const char* options, Completion completion);
  void compile(const Devices& devices, const std::string& options, const std::vector<EmbeddedHeader>& headers,
               Completion completion);
  void link(const Devices& devices, const std::string& options, const std::vector<Ref<Program>>& inputs,
            Completion completion);

  BuildInfo build_info(const Device& device) const;
  std::string binary(const Device& device) const;  // CL_PROGRAM_BINARIES; empty if there is none
  // The result of the last build, or the binary; null if there is none.
  Compiled compiled(const Device& device) const;
  // The devices' executables, in the order of devices(); devices without one are left out.
  std::vector<std::shared_ptr<Executable>> executables() const;
  // The same, and the names of the kernels, without those whose arguments differ between devices. Throw
  // Error(CL_INVALID_PROGRAM_EXECUTABLE) if no device has an executable.
  std::vector<std::shared_ptr<Executable>> some_executables() const;
  std::vector<std::string> kernel_names() const;

  // clSetProgramReleaseCallback: called when the program and its program-scope objects have been destroyed.
  DestructorCallbacks<cl_program>& release_callbacks() { return release_callbacks_; }
  // CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT. Throw like kernel_names().
  bool has_initializer() const;
  bool has_finalizer() const;

  // Count the kernels that the application holds: while there are any, the program cannot be built again.
  void kernel_attached() noexcept { ++attached_kernels_; }
  void kernel_detached() noexcept { --attached_kernels_; }

 private:
  struct PerDevice {
    BuildInfo info;
    Compiled compiled;
    std::shared_ptr<Executable> executable;
  };
  struct Job;
  struct Result;

  ~Program() override;
  void run(std::shared_ptr<const Job> job, Completion completion);
  void begin(const Job& job);
  // Ends the build; returns CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS.
  cl_int refuse_options(const Job& job, const std::string& problem);
  static std::string problem_of_options(const Job& job);
  static std::vector<Devices> alike(const Job& job);
  // Builds for all devices of the job; returns CL_SUCCESS, or the code of a failure.
  cl_int perform(const Job& job) noexcept;
  cl_int perform_for(const Job& job, const Devices& alike) noexcept;
  cl_int give_up(Act act, const Devices& devices) noexcept;
  void make_for(const Job& job, const Devices& alike, std::vector<Result>& results) const;
  std::shared_ptr<Job> make_job(Act act, const Devices& devices, std::string options) const;
  compiler::Source source_of(const Job& job) const;
  Result make(const Job& job, const Device& device) const;
  static Result make_from_objects(const Job& job, const std::vector<Compiled>& inputs, const Device& device);
  void finish(const Device& device, Result result) noexcept;
  const PerDevice* state_of(const Device& device) const REQUIRES(mutex_);  // null: not the program's device

  const Ref<Context> context_;
  const Origin origin_;
  const std::string source_, module_;
  const std::vector<compiler::spirv::SpecializableConstant> constants_;
  const Devices devices_;
  std::atomic<int> attached_kernels_ = 0;
  mutable Mutex mutex_ LOCK_RANK(program);
  std::map<const Device*, PerDevice> states_ GUARDED_BY(mutex_);
  std::map<std::uint32_t, std::string> specializations_ GUARDED_BY(mutex_);
  DestructorCallbacks<cl_program> release_callbacks_;
};

}  // namespace clcuda
