// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/build_id.h"
#include "base/compilation_limits.h"
#include "compiler/options.h"
#include "cuda/error.h"
#include "runtime/platform/device.h"
#include "runtime/program/build_cache.h"
#include "runtime/program/build_report.h"
#include "runtime/program/build_threads.h"
#include "runtime/program/machine_code_cache.h"
#include "runtime/program/program.h"
#include "runtime/program/recent_executables.h"

namespace clcuda {
namespace {

using Act = Program::Act;

// For each act: the codes for a failed build and for invalid options.
constexpr std::array<std::array<cl_int, 2>, 3> kCodes{
    {{CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS},
     {CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS},
     {CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS}}};

compiler::OptionsFor purpose_of(Act act) {
  switch (act) {
    case Act::build:
      return compiler::OptionsFor::build;
    case Act::compile:
      return compiler::OptionsFor::compile;
    case Act::link:
      break;
  }
  return compiler::OptionsFor::link;
}

cl_int failure_of(Act act) { return kCodes[static_cast<std::size_t>(act)][0]; }

cl_int code_of(Act act, compiler::Status status) {
  switch (status) {
    case compiler::Status::success:
      return CL_SUCCESS;
    case compiler::Status::failure:
      return failure_of(act);
    case compiler::Status::invalid_options:
      return kCodes[static_cast<std::size_t>(act)][1];
    case compiler::Status::out_of_memory:
      return CL_OUT_OF_HOST_MEMORY;
  }
  return CL_OUT_OF_RESOURCES;
}

// Section 5.8.4: a failed build is the program's own fault. Other causes have other codes, among those that all three functions list.
cl_int code_of(Act act, const Error& error) {
  const auto* of_driver = dynamic_cast<const cuda::DriverError*>(&error);
  const CUresult result = of_driver ? of_driver->result() : CUDA_SUCCESS;
  if (result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND || result == CUDA_ERROR_JIT_COMPILATION_DISABLED)
    return act == Act::link ? CL_LINKER_NOT_AVAILABLE : CL_COMPILER_NOT_AVAILABLE;
  // CUDA_ERROR_NOT_FOUND: a manipulated binary's code lacks a symbol that its header names.
  if (error.code() == CL_BUILD_PROGRAM_FAILURE || result == CUDA_ERROR_NOT_FOUND) return failure_of(act);
  // The driver compiles on the host. That a device has no room for the code is known by then (Executable).
  const bool lacks_memory = error.code() == CL_OUT_OF_HOST_MEMORY || result == CUDA_ERROR_OUT_OF_MEMORY;
  return lacks_memory ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES;
}

// The log of a build that an exception ended; without the reason if there is no memory for it.
std::string log_of(const char* reason) noexcept {
  try {
    return std::string("error: ") + reason + "\n";
  } catch (const std::exception&) {
    return "error\n";
  }
}

}  // namespace

// The job of one call of clBuildProgram, clCompileProgram or clLinkProgram. It contains everything that the build reads, because the
// program may be queried and changed meanwhile.
struct Program::Job {
  Act act;
  std::string options;
  Devices devices;
  std::vector<compiler::Header> headers;                              // compile
  std::vector<compiler::spirv::Specialization> specializations = {};  // of a SPIR-V module
  std::map<const Device*, std::vector<Compiled>> inputs;              // link; build of a binary: the binary
  bool options_are_new = true;  // not those that the binaries were made with

  // Section 5.8.4: without options, those by which a binary was made.
  const std::string& options_for(const Device* device) const {
    return options_are_new ? options : inputs.at(device).front()->options;
  }
};

struct Program::Result {
  cl_int code = CL_OUT_OF_RESOURCES;
  std::string log;
  Compiled compiled;
  std::shared_ptr<Executable> executable;

  // To be called in a catch block.
  static Result of_current_exception(Act act) noexcept {
    try {
      throw;
    } catch (const Error& error) {
      return {.code = code_of(act, error), .log = log_of(error.what()), .compiled = {}, .executable = {}};
    } catch (const std::bad_alloc&) {
      return {
          .code = CL_OUT_OF_HOST_MEMORY, .log = log_of("out of memory"), .compiled = {}, .executable = {}};
    } catch (const std::exception& error) {
      return {.code = CL_OUT_OF_RESOURCES, .log = log_of(error.what()), .compiled = {}, .executable = {}};
    } catch (...) {
      return {
          .code = CL_OUT_OF_RESOURCES, .log = log_of("unknown exception"), .compiled = {}, .executable = {}};
    }
  }
};

std::string Program::problem_of_options(const Job& job) {
  for (const Device* device : job.devices)
    if (std::string problem =
            compiler::problem_of_options(job.options, purpose_of(job.act), device->target());
        !problem.empty())
      return problem;
  return {};
}

std::shared_ptr<Program::Job> Program::make_job(Act act, const Devices& devices, std::string options) const {
  auto job = std::make_shared<Job>(
      Job{.act = act, .options = std::move(options), .devices = devices, .headers = {}, .inputs = {}});
  MutexLock lock(mutex_);
  for (const auto& [id, value] : specializations_) job->specializations.push_back({id, value});
  return job;
}

void Program::build(const Devices& devices, const char* options, Completion completion) {
  if (origin_ == Origin::linked)
    throw Error(CL_INVALID_OPERATION, "a program made by clLinkProgram cannot be built");
  const auto job = make_job(Act::build, devices, options ? options : "");
  if (origin_ == Origin::binary)
    for (const Device* device : devices) job->inputs[device] = {compiled(*device)};
  job->options_are_new = options || origin_ != Origin::binary;
  run(job, completion);
}

void Program::compile(const Devices& devices, const std::string& options,
                      const std::vector<EmbeddedHeader>& headers, Completion completion) {
  if (origin_ != Origin::source && origin_ != Origin::il)
    throw Error(CL_INVALID_OPERATION, "the program has nothing to compile");
  const auto job = make_job(Act::compile, devices, options);
  for (const EmbeddedHeader& header : headers)
    job->headers.push_back({header.name, header.program->source()});
  run(job, completion);
}

void Program::link(const Devices& devices, const std::string& options,
                   const std::vector<Ref<Program>>& inputs, Completion completion) {
  const auto job = make_job(Act::link, {}, options);
  for (Device* device : devices) {
    std::vector<Compiled> objects;
    for (const Ref<Program>& input : inputs) {
      // Section 5.8.3: what is being built cannot be linked yet.
      if (input->has(*device) && input->build_info(*device).status == CL_BUILD_IN_PROGRESS)
        throw Error(CL_INVALID_OPERATION, "an input is being built");
      Compiled compiled = input->compiled(*device);
      if (compiled && compiled->kind != compiler::BinaryKind::executable)
        objects.push_back(std::move(compiled));
    }
    // Section 5.8.5: for each device all inputs are compiled, or none.
    if (objects.empty()) continue;
    if (objects.size() != inputs.size())
      throw Error(CL_INVALID_OPERATION, "not every input is compiled for every device");
    job->devices.push_back(device);
    job->inputs[device] = std::move(objects);
  }
  if (job->devices.empty()) throw Error(CL_INVALID_OPERATION, "the inputs are not compiled for any device");
  run(job, completion);
}

void Program::run(std::shared_ptr<const Job> job, Completion completion) {
  begin(*job);
  std::string problem;
  cl_int code = CL_SUCCESS;
  try {
    // Section 5.8.2: a build that has a callback begins only if its options are right.
    if (job->options_are_new) problem = problem_of_options(*job);
    if (!problem.empty()) {
      code = refuse_options(*job, problem);
    } else if (!completion.function) {
      code = perform(*job);
    } else {
      const Ref<Program> self(*this);
      build_in_background([self, job] { self->perform(*job); },
                          [self, completion] { completion.function(handle_of(*self), completion.user); });
    }
  } catch (...) {
    give_up(job->act, job->devices);
    throw;
  }
  if (!problem.empty()) throw Error(code, problem);
  if (code != CL_SUCCESS) throw Error(code, "the program could not be built; its build log says why");
}

// All that can fail comes before the first change.
void Program::begin(const Job& job) {
  std::vector<BuildInfo> begun;
  for (const Device* device : job.devices)
    begun.push_back({.status = CL_BUILD_IN_PROGRESS, .options = job.options_for(device)});
  std::vector<std::shared_ptr<Executable>> replaced(job.devices.size());  // destroyed without the lock
  MutexLock lock(mutex_);
  if (attached_kernels_ > 0)
    throw Error(CL_INVALID_OPERATION,
                "the program has kernels; they must be released before it is built again");
  for (const Device* device : job.devices)
    if (states_[device].info.status == CL_BUILD_IN_PROGRESS)
      throw Error(CL_INVALID_OPERATION, "the program is being built already");
  for (std::size_t i = 0; i < job.devices.size(); ++i) {
    PerDevice& state = states_[job.devices[i]];
    std::swap(state.info, begun[i]);
    std::swap(state.executable, replaced[i]);
  }
}

cl_int Program::refuse_options(const Job& job, const std::string& problem) {
  const cl_int code = code_of(job.act, compiler::Status::invalid_options);
  std::vector<Result> results(job.devices.size(), {.code = code, .log = log_of(problem.c_str())});
  for (std::size_t i = 0; i < results.size(); ++i) finish(*job.devices[i], std::move(results[i]));
  return code;
}

// The job's devices, in groups that can use the same code; each group is built for once.
std::vector<Program::Devices> Program::alike(const Job& job) {
  std::vector<Devices> groups;
  for (Device* device : job.devices) {
    const auto serves = [&](const Devices& group) {
      return device->target() == group.front()->target() &&
             (job.inputs.empty() || job.inputs.at(device) == job.inputs.at(group.front()));
    };
    const auto group = std::ranges::find_if(groups, serves);
    (group != groups.end() ? *group : groups.emplace_back()).push_back(device);
  }
  return groups;
}

cl_int Program::perform(const Job& job) noexcept {
  std::vector<Devices> groups;
  try {
    groups = alike(job);
  } catch (...) {
    return give_up(job.act, job.devices);
  }
  cl_int failure = CL_SUCCESS;
  for (const Devices& group : groups)
    if (const cl_int code = perform_for(job, group); code != CL_SUCCESS) failure = code;
  return failure;
}

cl_int Program::perform_for(const Job& job, const Devices& alike) noexcept {
  std::vector<Result> results;
  try {
    const BuildReport report("program", *alike.front());
    results.resize(alike.size());
    make_for(job, alike, results);
  } catch (...) {
    return give_up(job.act, alike);
  }
  cl_int failure = CL_SUCCESS;
  for (std::size_t i = 0; i < alike.size(); ++i) {
    if (results[i].code != CL_SUCCESS) failure = results[i].code;
    finish(*alike[i], std::move(results[i]));
  }
  return failure;
}

// To be called in a catch block: ends the devices' builds with the exception, and returns its code.
cl_int Program::give_up(Act act, const Devices& devices) noexcept {
  cl_int code = CL_SUCCESS;
  for (const Device* device : devices) {
    Result result = Result::of_current_exception(act);
    code = result.code;
    finish(*device, std::move(result));
  }
  return code;
}

void Program::make_for(const Job& job, const Devices& alike, std::vector<Result>& results) const {
  const Result made = make(job, *alike.front());
  std::ranges::fill(results, made);
  if (made.code != CL_SUCCESS || made.compiled->kind != compiler::BinaryKind::executable) return;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < alike.size(); ++i) {
    results[i].executable = find_recent_executable(*alike[i], *made.compiled);
    if (!results[i].executable) missing.push_back(i);
  }
  // A device that is lost, or has no room for the code, fails alone (section 5.8.9: each device has its status and log).
  MachineCode machine_code;
  for (const std::size_t i : missing) {
    try {
      if (machine_code.empty())
        machine_code = cached_machine_code(*alike[i], *made.compiled, made.compiled->uniform);
      results[i].executable = std::make_shared<Executable>(*alike[i], made.compiled, machine_code);
      // Not for programs made from a binary or by linking: a binary's CompiledProgram is not shared, so nothing looks up its address.
      if (!job.inputs.contains(alike[i])) keep_executable(results[i].executable, machine_code);
    } catch (...) {
      results[i] = Result::of_current_exception(job.act);
      results[i].log.insert(0, made.log);
    }
  }
  if (!made.compiled->verbose) return;
  for (Result& result : results)
    for (const auto& part : machine_code) result.log += part->log;
}

compiler::Source Program::source_of(const Job& job) const {
  return origin_ == Origin::il ? compiler::Source::module(module_, job.specializations)
                               : compiler::Source(source_, job.headers);
}

Program::Result Program::make(const Job& job, const Device& device) const {
  const auto found = job.inputs.find(&device);
  if (found != job.inputs.end()) return make_from_objects(job, found->second, device);
  DigestOf key;
  key(job.act == Act::compile ? "compile" : "build")(build_id())(device.target().sm)(device.target().ptx)(
      compilation_limits().time.count());
  add_to_key(key, device.features());
  const compiler::Source source = source_of(job);
  key(job.options);
  add_to_key(key, source);
  const auto translate = job.act == Act::compile ? compiler::compile : compiler::build;
  Build build = cached_build(
      key.finish(), [&] { return translate(source, job.options, device.target(), device.features()); });
  return {code_of(job.act, build.status), std::move(build.log), std::move(build.program), {}};
}

Program::Result Program::make_from_objects(const Job& job, const std::vector<Compiled>& inputs,
                                           const Device& device) {
  if (job.act == Act::build && inputs.front()->kind == compiler::BinaryKind::executable)
    return {.code = CL_SUCCESS, .log = {}, .compiled = inputs.front(), .executable = {}};
  // The options of clBuildProgram are for the compiler, which does not run if there is a compiled object.
  const std::string options = job.act == Act::link ? job.options : std::string();
  DigestOf key;
  key("link")(build_id())(device.target().sm)(device.target().ptx)(compilation_limits().time.count())(
      options);
  std::vector<const compiler::CompiledProgram*> objects;
  for (const Compiled& compiled : inputs) {
    objects.push_back(compiled.get());
    add_to_key(key, *compiled);
  }
  Build build = cached_build(key.finish(), [&] { return compiler::link(objects, options, device.target()); });
  return {code_of(job.act, build.status), std::move(build.log), std::move(build.program), {}};
}

void Program::finish(const Device& device, Result result) noexcept {
  std::shared_ptr<Executable> replaced;  // destroyed without the lock
  MutexLock lock(mutex_);
  PerDevice& state = states_[&device];  // exists since begin()
  const bool success = result.code == CL_SUCCESS;
  state.info.status = success ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  state.info.log = std::move(result.log);
  // A binary that could not be built is kept, because the program was created from it.
  if (success || origin_ != Origin::binary) state.compiled = std::move(result.compiled);
  replaced = std::exchange(state.executable, std::move(result.executable));
}

}  // namespace clcuda
