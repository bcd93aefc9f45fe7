// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/machine_code_cache.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>

#include "base/build_id.h"
#include "base/build_stage.h"
#include "base/compilation_limits.h"
#include "base/compiler_thread.h"
#include "base/config.h"
#include "base/log.h"
#include "base/parallel.h"
#include "base/step_budget.h"
#include "builtins/embedded.h"
#include "compiler/ptx_modules.h"
#include "cuda/ptx_compiler.h"
#include "runtime/platform/device.h"
#include "runtime/platform/platform.h"
#include "runtime/program/cache_folder.h"
#include "runtime/program/lru_cache.h"
#include "runtime/program/ptx_dump.h"

namespace clcuda {
namespace {

using Code = std::shared_ptr<const cuda::MachineCode>;

constexpr std::size_t kMostBytesInMemory = 32 << 20;

LruCache<Code>& in_memory() {
  static auto& recent = *new LruCache<Code>(kMostBytesInMemory);
  return recent;
}

enum class Maker : std::uint8_t { library, driver };

// The PTX compiler library compiles whole programs, to faster code than the driver's relocatable code. But it cannot link, and a driver
// is guaranteed to load only code compiled by its own or an earlier major version of CUDA.
Maker maker_for(const Device& device, const compiler::VariantCode& code) {
  int driver = 0;
  device.driver().cuDriverGetVersion(&driver);
  const int library = cuda::ptx_compiler_version();
  const bool can_load = library != 0 && driver / 1000 >= library / 1000;
  return can_load && !device.platform().is_cpu() && !code.needs_device_runtime ? Maker::library
                                                                               : Maker::driver;
}

// The smaller of two register limits, of which 0 is none.
unsigned tighter(unsigned a, unsigned b) { return a && b ? std::min(a, b) : std::max(a, b); }

// A program's own register limit is passed as an option, not as a directive in its PTX: a directive would override the option, so that the
// code for larger work-groups could not have fewer registers.
cuda::LinkOptions link_options(const compiler::CompiledProgram& program, const compiler::VariantCode& code,
                               std::string_view ptx, unsigned max_registers) {
  cuda::LinkOptions options{
      .line_info = ptx.find("\t.loc\t") != std::string::npos,
      .verbose = true,
      .whole_chip = program.target.whole_chip,
      .max_registers = tighter(max_registers, static_cast<unsigned>(program.max_registers))};
  if (code.needs_device_runtime) options.library = builtins::device_runtime();
  // Level 3 stands for the driver's highest, 4, which is the default.
  if (program.optimization_level < 3) options.optimization_level = program.optimization_level;
  return options;
}

// A module of a variant, how it is compiled, and the cache key of its machine code.
struct Source {
  std::string_view ptx;
  cuda::LinkOptions options;
  Maker maker;
  Digest key;
};

// Everything that determines the code: the PTX, the compiler, the device (a CPU device's name is the processor's), the options.
Digest key_of(const Device& device, const Source& source) {
  int driver_version = 0;
  device.driver().cuDriverGetVersion(&driver_version);
  const int library_version = source.maker == Maker::library ? cuda::ptx_compiler_version() : 0;
  return DigestOf()("machine code")(build_id())(driver_version)(library_version)(device.name())(
             device.target().sm)(source.options.line_info)(source.options.optimization_level)(
             source.options.max_registers)(source.ptx)
      .finish();
}

std::vector<Source> sources_of(const Device& device, const compiler::CompiledProgram& program,
                               const compiler::VariantCode& code, unsigned max_registers, Maker maker) {
  std::vector<Source> sources;
  for (const std::string_view ptx : compiler::ptx_modules(code.ptx)) {
    Source& source = sources.emplace_back(ptx, link_options(program, code, ptx, max_registers), maker);
    // For a CPU device, the level decides when code is optimised (tier-up), not how well; so the program's level is ignored.
    if (device.platform().is_cpu())
      source.options.optimization_level = cuda::LinkOptions().optimization_level;
    if (cache_is_on()) source.key = key_of(device, source);
  }
  return sources;
}

// In a file: the length of the code, the code, the log.
std::string serialize(const cuda::MachineCode& code) {
  const std::uint64_t length = code.code.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + code.code + code.log;
}

Code parse(const std::string& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return {};
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length == 0 || length > bytes.size() - sizeof length) return {};
  return std::make_shared<const cuda::MachineCode>(
      cuda::MachineCode{bytes.substr(sizeof length, length), bytes.substr(sizeof length + length)});
}

void remember(const Digest& key, const Code& code) {
  in_memory().keep(key, code, code->code.size() + code->log.size());
}

// Compilation exceeded its limits. The driver is not tried then: it has the same compiler, and would take as long.
struct BeyondLimits : Error {
  using Error::Error;
};

// For some programs, passes of the library do not end and allocate nothing, so that the budget cannot stop them; `patience` limits the
// wait.
cuda::MachineCode make_by_library(const Device& device, const Source& source) {
  struct Work {
    std::shared_ptr<WorkBudget> budget = budget_of_step();
    std::string ptx;
    cuda::MachineCode made;
  };
  const std::chrono::seconds patience = compilation_limits().time + std::chrono::seconds(2);
  const auto work = std::make_shared<Work>();
  work->ptx = source.ptx;
  try {
    run_and_wait_for(patience, [work, sm = device.target().sm, options = source.options] {
      const WorkBudget::Share share(*work->budget);
      work->made = cuda::compile_machine_code(sm, work->ptx, options);
    });
    return std::move(work->made);
  } catch (const CompilerFault& fault) {
    work->budget->leave_behind();
    throw BeyondLimits(fault.out_of_memory ? CL_OUT_OF_HOST_MEMORY : CL_BUILD_PROGRAM_FAILURE,
                       "no machine code: " + fault.reason);
  } catch (const std::exception& error) {
    if (!work->budget->exceeded()) throw;
    work->budget->leave_behind();
    throw BeyondLimits(CL_BUILD_PROGRAM_FAILURE, "the machine code needs " + work->budget->reason());
  }
}

// If the library rejects the code, the driver compiles it: a chip or a version of PTX may be too new for the library, but known to the
// driver.
cuda::MachineCode make_machine_code(Device& device, const Source& source) {
  if (source.maker == Maker::library) {
    try {
      return make_by_library(device, source);
    } catch (const BeyondLimits&) {
      throw;
    } catch (const Error& error) {
      log::info("the driver is to compile what the PTX compiler library does not: {}", error.what());
    }
  }
  return cuda::link_machine_code(device.context(), source.ptx, source.options);
}

Code make(Device& device, const Source& source) {
  const StageRange range(BuildStage::machine_code);
  auto made = std::make_shared<const cuda::MachineCode>(make_machine_code(device, source));
  if (cache_is_on()) {
    if (FileStore* folder = cache_folder()) folder->store(source.key, serialize(*made));
    remember(source.key, made);
  }
  return made;
}

Code find_stored(const Digest& key) {
  const auto bytes = cache_folder() ? cache_folder()->load(key) : std::nullopt;
  return bytes ? parse(*bytes) : nullptr;
}

Code find(const Digest& key) {
  if (const auto known = in_memory().find(key)) return *known;
  Code stored = find_stored(key);
  if (stored) remember(key, stored);
  return stored;
}

// A CPU device starts with unoptimised code, and recompiles kernels that run for long (tier-up). If an earlier process has built the same
// program, optimised code is compiled, for this process and later ones.
Code make_in_its_time(Device& device, const Source& source) {
  if (!device.platform().is_cpu() || !config().cpu_quick) return make(device, source);
  Source quick = source;
  quick.options.optimization_level = 0;
  if (!cache_is_on()) return make(device, quick);
  quick.key = key_of(device, quick);
  if (const auto known = in_memory().find(quick.key)) return *known;
  return make(device, find_stored(quick.key) ? source : quick);
}

// The modules of a variant are one step of a build: together, they may take the time and memory of one. If they take too much memory side
// by side, they are compiled one after the other. `make` is called again then for those that are not made.
void make_all(std::size_t count, const std::function<void(std::size_t)>& make) {
  auto budget = std::make_shared<WorkBudget>(compilation_limits());
  const auto make_one = [&](std::size_t i) {
    const StepOfThread step(budget);
    make(i);
  };
  try {
    in_parallel(count, make_one);
  } catch (const Error&) {
    if (count == 1 || !budget->out_of_memory()) throw;
    budget = std::make_shared<WorkBudget>(compilation_limits());
    for (std::size_t i = 0; i < count; ++i) make_one(i);
  }
}

}  // namespace

// Compiled by the driver, since it may have rejected the library's code.
MachineCode new_machine_code(Device& device, const compiler::CompiledProgram& program,
                             const compiler::VariantCode& code, unsigned max_registers) {
  const std::vector<Source> sources = sources_of(device, program, code, max_registers, Maker::driver);
  MachineCode made(sources.size());
  make_all(made.size(), [&](std::size_t i) {
    if (!made[i]) made[i] = make(device, sources[i]);
  });
  return made;
}

MachineCode cached_machine_code(Device& device, const compiler::CompiledProgram& program,
                                const compiler::VariantCode& code, unsigned max_registers) {
  const std::vector<Source> sources =
      sources_of(device, program, code, max_registers, maker_for(device, code));
  MachineCode found(sources.size());
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < found.size(); ++i) {
    dump_ptx(sources[i].ptx);
    if (cache_is_on()) found[i] = find(sources[i].key);
    if (!found[i]) missing.push_back(i);
  }
  make_all(missing.size(), [&](std::size_t i) {
    Code& code = found[missing[i]];
    if (!code) code = make_in_its_time(device, sources[missing[i]]);
  });
  return found;
}

}  // namespace clcuda
