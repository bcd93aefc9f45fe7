// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/recent_executables.h"

#include "runtime/platform/device.h"
#include "runtime/program/cache_folder.h"
#include "runtime/program/executable.h"
#include "runtime/program/lru_cache.h"

namespace clcuda {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;
// What a driver needs for a module besides its code, the host's memory and the device's; our own executor does with as much.
constexpr std::size_t kBytesOfModule = 32 << 10;

LruCache<std::shared_ptr<Executable>>& recent() {
  static auto& recent = *new LruCache<std::shared_ptr<Executable>>(kMostBytes);
  return recent;
}

// An executable keeps its image, so that no other image has this address while it is known here.
Digest key_of(const Device& device, const compiler::CompiledProgram& image) {
  return DigestOf()(reinterpret_cast<std::uintptr_t>(&device))(reinterpret_cast<std::uintptr_t>(&image))
      .finish();
}

// Sub-devices go, and the executables that are theirs with them.
bool may_be_shared(const Device& device, const compiler::CompiledProgram& image) {
  return cache_is_on() && !device.parent() && image.global_variable_size == 0 &&
         image.uniform.initializers.empty() && image.uniform.finalizers.empty() && !image.verbose;
}

}  // namespace

std::shared_ptr<Executable> find_recent_executable(const Device& device,
                                                   const compiler::CompiledProgram& image) {
  return may_be_shared(device, image) ? recent().find(key_of(device, image)).value_or(nullptr) : nullptr;
}

void keep_executable(const std::shared_ptr<Executable>& executable, const MachineCode& machine_code) {
  const compiler::CompiledProgram& image = executable->image();
  if (!may_be_shared(executable->device(), image)) return;
  std::size_t bytes = image.uniform.ptx.size();
  for (const auto& code : machine_code) bytes += code->code.size() + kBytesOfModule;
  recent().keep(key_of(executable->device(), image), executable, bytes);
}

}  // namespace clcuda
