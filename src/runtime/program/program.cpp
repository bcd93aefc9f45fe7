// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/program.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/platform/callback_thread.h"
#include "runtime/platform/device.h"

namespace clcuda {
namespace {

cl_program_binary_type binary_type(const compiler::CompiledProgram& program) {
  switch (program.kind) {
    case compiler::BinaryKind::compiled_object:
      return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    case compiler::BinaryKind::library:
      return CL_PROGRAM_BINARY_TYPE_LIBRARY;
    case compiler::BinaryKind::executable:
      return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
  return CL_PROGRAM_BINARY_TYPE_NONE;
}

}  // namespace

Program::Program(Context& context, std::string source)
    : Object(kType, context),
      context_(context),
      origin_(Origin::source),
      source_(std::move(source)),
      devices_(context.devices().begin(), context.devices().end()) {
  MutexLock lock(mutex_);
  for (const Device* device : devices_) states_[device];
}

Program::Program(Context& context, std::string module,
                 std::vector<compiler::spirv::SpecializableConstant> constants)
    : Object(kType, context),
      context_(context),
      origin_(Origin::il),
      module_(std::move(module)),
      constants_(std::move(constants)),
      devices_(context.devices().begin(), context.devices().end()) {
  MutexLock lock(mutex_);
  for (const Device* device : devices_) states_[device];
}

Program::Program(Context& context, const Devices& devices, const std::vector<Compiled>& compiled)
    : Object(kType, context), context_(context), origin_(Origin::binary), devices_(devices) {
  MutexLock lock(mutex_);
  for (std::size_t i = 0; i < devices.size(); ++i) states_[devices[i]].compiled = compiled[i];
}

Program::Program(Context& context, const Devices& devices)
    : Object(kType, context), context_(context), origin_(Origin::linked), devices_(devices) {
  MutexLock lock(mutex_);
  for (const Device* device : devices_) states_[device];
}

Program::~Program() {
  auto tell = release_callbacks_.take(*this);
  {
    MutexLock lock(mutex_);
    states_.clear();
  }
  if (!tell) return;
  context_->callback_thread().post_or_call([context = context_, tell = std::move(tell)] { tell(); });
}

void Program::specialize(std::uint32_t id, std::string_view value) {
  const auto constant = std::ranges::find(constants_, id, &compiler::spirv::SpecializableConstant::id);
  if (constant == constants_.end())
    throw Error(CL_INVALID_SPEC_ID, "the module has no such specialization constant");
  if (constant->size != value.size())
    throw Error(CL_INVALID_VALUE, "the specialization constant has another size");
  MutexLock lock(mutex_);
  specializations_[id] = value;
}

bool Program::has(const Device& device) const {
  return std::ranges::find(devices_, &device) != devices_.end();
}

// Section 5.8.1: the build of a device is also used for its sub-devices, as long as nothing was built for these.
const Program::PerDevice* Program::state_of(const Device& device) const {
  const PerDevice* found = nullptr;
  for (const Device* near = &device; near; near = near->parent()) {
    const auto state = states_.find(near);
    if (state == states_.end()) continue;
    if (!found) found = &state->second;
    if (state->second.compiled || state->second.info.status != CL_BUILD_NONE) return &state->second;
  }
  return found;
}

Program::BuildInfo Program::build_info(const Device& device) const {
  MutexLock lock(mutex_);
  const PerDevice& state = *state_of(device);
  BuildInfo info = state.info;
  if (state.compiled) {
    info.binary_type = binary_type(*state.compiled);
    info.global_variable_size = state.compiled->global_variable_size;
  }
  return info;
}

Program::Compiled Program::compiled(const Device& device) const {
  MutexLock lock(mutex_);
  const PerDevice* state = state_of(device);
  return state ? state->compiled : nullptr;
}

std::string Program::binary(const Device& device) const {
  const Compiled held = compiled(device);
  return held ? compiler::serialize(*held) : std::string();
}

std::vector<std::shared_ptr<Executable>> Program::executables() const {
  std::vector<std::shared_ptr<Executable>> found;
  MutexLock lock(mutex_);
  for (const Device* device : devices_)
    if (const auto& executable = states_.at(device).executable) found.push_back(executable);
  return found;
}

std::vector<std::shared_ptr<Executable>> Program::some_executables() const {
  auto all = executables();
  if (all.empty()) throw Error(CL_INVALID_PROGRAM_EXECUTABLE, "the program has no executable for any device");
  return all;
}

bool Program::has_initializer() const {
  return std::ranges::any_of(some_executables(), [](const auto& executable) {
    return !executable->program().uniform.initializers.empty();
  });
}

bool Program::has_finalizer() const {
  return std::ranges::any_of(some_executables(), [](const auto& executable) {
    return !executable->program().uniform.finalizers.empty();
  });
}

std::vector<std::string> Program::kernel_names() const {
  const auto all = some_executables();
  std::vector<const compiler::KernelInfo*> kernels;
  std::unordered_map<std::string_view, const compiler::KernelInfo*> by_name;
  std::set<std::string_view> differing;
  for (const auto& executable : all) {
    for (const compiler::KernelInfo& kernel : executable->program().kernels) {
      const auto [known, is_new] = by_name.emplace(kernel.name, &kernel);
      if (is_new)
        kernels.push_back(&kernel);
      else if (!same_signature(*known->second, kernel))
        differing.insert(kernel.name);
    }
  }
  std::vector<std::string> names;
  for (const compiler::KernelInfo* kernel : kernels)
    if (!differing.contains(kernel->name)) names.push_back(kernel->name);
  return names;
}

}  // namespace clcuda
