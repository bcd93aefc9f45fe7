// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/recent_executables.h"

#include "runtime/platform/device.h"
#include "runtime/program/cache_folder.h"
#include "runtime/program/executable.h"
#include "runtime/program/lru_cache.h"

namespace clcuda {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;
// Host and device memory that a driver needs for a module besides its code; the executor needs about as much.
constexpr std::size_t kBytesOfModule = 32 << 10;

LruCache<std::shared_ptr<Executable>>& recent() {
  static auto& recent = *new LruCache<std::shared_ptr<Executable>>(kMostBytes);
  return recent;
}

// An executable keeps its program alive, so no other program can have this address while the executable is in the cache.
Digest key_of(const Device& device, const compiler::CompiledProgram& program) {
  return DigestOf()(reinterpret_cast<std::uintptr_t>(&device))(reinterpret_cast<std::uintptr_t>(&program))
      .finish();
}

// Executables of sub-devices are not shared, because sub-devices can be destroyed.
bool may_be_shared(const Device& device, const compiler::CompiledProgram& program) {
  return cache_is_on() && !device.parent() && program.global_variable_size == 0 &&
         program.uniform.initializers.empty() && program.uniform.finalizers.empty() && !program.verbose;
}

}  // namespace

std::shared_ptr<Executable> find_recent_executable(const Device& device,
                                                   const compiler::CompiledProgram& program) {
  return may_be_shared(device, program) ? recent().find(key_of(device, program)).value_or(nullptr) : nullptr;
}

void keep_executable(const std::shared_ptr<Executable>& executable, const MachineCode& machine_code) {
  const compiler::CompiledProgram& program = executable->program();
  if (!may_be_shared(executable->device(), program)) return;
  std::size_t bytes = program.uniform.ptx.size();
  for (const auto& code : machine_code) bytes += code->code.size() + kBytesOfModule;
  recent().keep(key_of(executable->device(), program), executable, bytes);
}

}  // namespace clcuda
