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

// A program object: source, SPIR-V or binary, and for each device of it a build state, a log and what was made. Its
// public functions are those of chapter 5.8 of the specification; program_build.cpp has the builds.
//
// For each device: NONE → (build, compile, link) IN_PROGRESS → SUCCESS or ERROR → … A build may begin only
// where none is in progress and no kernel of the program is held by the application. What a build made is
// replaced as a whole; kernels keep the executable that they were made from.
class Program final : public Object {
 public:
  using Handle = cl_program;
  static constexpr ObjectType kType = ObjectType::program;
  static constexpr cl_int kInvalid = CL_INVALID_PROGRAM;

  using Image = std::shared_ptr<const compiler::CompiledProgram>;
  using Devices = std::vector<Device*>;

  enum class Origin : std::uint8_t { source, il, binary, linked };
  enum class Act : std::uint8_t { build, compile, link };

  // Told when an asynchronous build is over; called with no lock held.
  struct Completion {
    void(CL_CALLBACK* function)(cl_program, void*) = nullptr;
    void* user = nullptr;
  };
  struct EmbeddedHeader {
    std::string name;
    Ref<Program> program;
  };
  // What clGetProgramBuildInfo tells of one device.
  struct BuildInfo {
    cl_build_status status = CL_BUILD_NONE;
    std::string options;
    std::string log;
    cl_program_binary_type binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::size_t global_variable_size = 0;
  };

  Program(Context& context, std::string source);
  // Of a SPIR-V module that has these constants.
  Program(Context& context, std::string module,
          std::vector<compiler::spirv::SpecializableConstant> constants);
  // `images` runs parallel to `devices`; none of them is null.
  Program(Context& context, const Devices& devices, const std::vector<Image>& images);
  // A program to be linked.
  Program(Context& context, const Devices& devices);

  Context& context() const { return *context_; }
  const std::string& source() const { return source_; }
  const std::string& module() const { return module_; }
  Origin origin() const { return origin_; }
  const Devices& devices() const { return devices_; }
  bool has(const Device& device) const;

  // Section 5.8.3: for the builds that begin from now on.
  void specialize(std::uint32_t id, std::string_view value);

  // Each returns when all is done, or at once if `completion` names a function. Without one, a failed build
  // throws Error(CL_BUILD_PROGRAM_FAILURE …), or what else stood in its way; its log is kept. No `options`: those that a binary was made
  // with, or none.
  void build(const Devices& devices, const char* options, Completion completion);
  void compile(const Devices& devices, const std::string& options, const std::vector<EmbeddedHeader>& headers,
               Completion completion);
  void link(const Devices& devices, const std::string& options, const std::vector<Ref<Program>>& inputs,
            Completion completion);

  BuildInfo build_info(const Device& device) const;
  std::string binary(const Device& device) const;  // empty if there is none
  Image image(const Device& device) const;
  // The executables that exist, in the order of devices().
  std::vector<std::shared_ptr<Executable>> executables() const;
  // Throw Error(CL_INVALID_PROGRAM_EXECUTABLE) if no device has one.
  std::vector<std::shared_ptr<Executable>> some_executables() const;
  std::vector<std::string> kernel_names() const;

  // Told when the program has gone and its objects are destroyed.
  DestructorCallbacks<cl_program>& release_callbacks() { return release_callbacks_; }
  // Whether an executable has objects to construct, or to destroy. Throws Error(CL_INVALID_PROGRAM_EXECUTABLE) like kernel_names().
  bool has_initializer() const;
  bool has_finalizer() const;

  // Kernels that the application holds; while there are any the program cannot be built again.
  void kernel_attached() noexcept { ++attached_kernels_; }
  void kernel_detached() noexcept { --attached_kernels_; }

 private:
  struct PerDevice {
    BuildInfo info;
    Image image;
    std::shared_ptr<Executable> executable;
  };
  struct Job;
  struct Result;

  ~Program() override;
  void run(std::shared_ptr<const Job> job, Completion completion);
  void begin(const Job& job);
  // Ends the build; answers CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS.
  cl_int refuse_options(const Job& job, const std::string& problem);
  static std::vector<Devices> alike(const Job& job);
  // All devices of the job; answers the code for the worst of them.
  cl_int perform(const Job& job) noexcept;
  cl_int perform_for(const Job& job, const Devices& alike) noexcept;
  cl_int give_up(Act act, const Devices& devices) noexcept;
  void make_for(const Job& job, const Devices& alike, std::vector<Result>& results) const;
  std::shared_ptr<Job> make_job(Act act, const Devices& devices, std::string options) const;
  compiler::Source source_of(const Job& job) const;
  Result make(const Job& job, const Device& device) const;
  static Result make_from_objects(const Job& job, const std::vector<Image>& inputs, const Device& device);
  void finish(const Device& device, Result result) noexcept;
  const PerDevice* state_of(const Device& device) const REQUIRES(mutex_);  // null where there is none

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
