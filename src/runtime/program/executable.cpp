// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/executable.h"

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "base/build_id.h"
#include "base/build_stage.h"
#include "base/compilation_limits.h"
#include "base/error.h"
#include "base/log.h"
#include "builtins/launch_record.h"
#include "compiler/compiler.h"
#include "compiler/ptx_modules.h"
#include "compiler/ptx_stack.h"
#include "cuda/error.h"
#include "cuda/waiting.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/platform/device.h"
#include "runtime/program/build_cache.h"
#include "runtime/program/build_report.h"
#include "runtime/program/machine_code_cache.h"
#include "runtime/program/printf_buffer.h"

namespace clcuda {

namespace {

// Adds what a variant of a program is made of.
Digest finish_key(DigestOf& key, const compiler::CompiledProgram& program) {
  key(build_id())(compilation_limits().time.count());
  add_to_key(key, program);
  return key.finish();
}

// Builds a variant as a program of its own that has it as its `uniform` code, so that it is cached like any build.
template <class Make>
Build build_variant(const Digest& key, const compiler::CompiledProgram& program,
                    std::vector<compiler::KernelInfo> kernels, const Make& make) {
  return cached_build(key, [&] {
    compiler::VariantOutcome made = make();
    compiler::Outcome outcome{.status = made.status, .log = std::move(made.log)};
    outcome.program.target = program.target;
    outcome.program.kernels = std::move(kernels);
    outcome.program.uniform = std::move(made.code);
    outcome.program.uniform_is_general = true;
    return outcome;
  });
}

Digest key_of_general_variant(const compiler::CompiledProgram& program) {
  DigestOf key;
  key("general variant");
  return finish_key(key, program);
}

Build build_general_variant(const compiler::CompiledProgram& program) {
  return build_variant(key_of_general_variant(program), program, program.kernels,
                       [&] { return compiler::make_general_variant(program); });
}

Build build_specialized(const compiler::CompiledProgram& program, std::size_t kernel,
                        const compiler::LaunchTraits& traits) {
  DigestOf key;
  key("specialized")(program.kernels[kernel].name)(traits.arguments_overlap);
  for (const compiler::KnownImage& known : traits.images) key(known.argument)(known.order)(known.format);
  return build_variant(finish_key(key, program), program, {program.kernels[kernel]},
                       [&] { return compiler::make_specialized(program, kernel, traits); });
}

// Launches have no error codes for failed builds, so errors become CL_OUT_OF_RESOURCES.
template <class Load>
decltype(auto) for_launch(const Load& load) {
  try {
    return load();
  } catch (const Error& error) {
    throw Error(CL_OUT_OF_RESOURCES, std::string("a kernel's code cannot be had: ") + error.what());
  }
}

// The device's memory is full.
struct NoRoom : Error {
  using Error::Error;
};

// Calls `act`; returns false if the device's memory does not suffice.
template <class Act>
bool has_room(const Act& act) {
  try {
    act();
    return true;
  } catch (const cuda::DriverError& error) {
    if (error.result() != CUDA_ERROR_OUT_OF_MEMORY) throw;
    return false;
  }
}

// Few programs have more different launches than this; further ones use the general variant.
constexpr std::size_t kMostSpecialized = 64;
constexpr int kLaunchesBeforeCode = 4;
// Bytes of PTX up to which looking for a program's general variant takes little of its build.
constexpr std::size_t kMostToLookFor = 1 << 20;

// Waits for the stream's work. False if it takes longer than a build may while the device has nothing else to do.
bool comes_to_an_end(Device& device, cuda::Stream& stream) {
  const std::chrono::nanoseconds most = compilation_limits().time;
  const cuda::Pauses pauses;
  auto begin = std::chrono::steady_clock::now();
  CUresult state = stream.query();
  for (; state == CUDA_ERROR_NOT_READY; state = stream.query()) {
    const auto now = std::chrono::steady_clock::now();
    if (!device.idle()) begin = now;
    if (now - begin > most) return false;
    pauses.pause();
  }
  cuda::check(device.driver(), state, "cuStreamQuery");
  return true;
}

// What a kernel that runs once uses.
struct RunOnce {
  const std::shared_ptr<cuda::Module> module;
  const ScopedStream stream;
  std::optional<PrintfBuffer> output = {};
};

// Runs the kernel with one work-item, waits for it, and writes its printf output. A grid cannot be stopped: if it does not come to an end,
// what it uses is left to it, and the device counts as busy from then on. Throws Error(CL_BUILD_PROGRAM_FAILURE).
void run_once(Device& device, const std::shared_ptr<cuda::Module>& module, const compiler::KernelCode& code,
              const std::vector<std::string>& printf_formats) {
  DeviceResources& resources = DeviceResources::of(device);
  std::unique_ptr<RunOnce> run(new RunOnce{module, ScopedStream(resources)});
  if (code.uses_printf)
    run->output.emplace(resources, *run->stream, PrintfBuffer::size_for(1, code.printf_bytes));
  clcuda_launch_record record{};
  if (run->output) record.printf_buffer = run->output->address();
  for (unsigned d = 0; d < 3; ++d)
    record.global_size[d] = record.group_count[d] = record.enqueued_local_size[d] = 1;
  record.work_dim = 1;
  const std::size_t offset = code.launch_record_offset.value_or(0);
  std::vector<std::byte> parameters(code.launch_record_offset ? offset + sizeof record : 0);
  if (!parameters.empty()) std::memcpy(parameters.data() + offset, &record, sizeof record);
  resources.launch(*run->stream, module->function(code.symbol), {{1, 1, 1}, {1, 1, 1}}, parameters.data(),
                   parameters.size());
  if (!comes_to_an_end(device, *run->stream)) {
    device.work_started();
    (void)run.release();
    throw Error(CL_BUILD_PROGRAM_FAILURE,
                "constructors or destructors of the program's objects take too long (CLCUDA_BUILD_TIME)");
  }
  if (run->output) run->output->print(printf_formats);
}

}  // namespace

// A variant on the device: its modules and the entries of all its kernels.
struct Executable::Loaded {
  // Owns the code; the executable's own program for the uniform variant.
  std::shared_ptr<const compiler::CompiledProgram> program;
  Modules modules;
  std::vector<KernelFunction> kernels;
};

// A kernel for launches with certain traits.
struct Executable::Specialized {
  std::size_t kernel = 0;
  compiler::LaunchTraits traits;
  Specialized* next = nullptr;
  int launches_left = 0;  // until the code is compiled; guarded by the executable's mutex
  std::unique_ptr<Loaded> loaded;
  std::atomic<bool> settled = false;  // `loaded` is there, or could not be made
};

Executable::Executable(Device& device, std::shared_ptr<const compiler::CompiledProgram> program,
                       MachineCode machine_code)
    : device_(device), root_(device.root()), program_(std::move(program)) {
  for (const compiler::KernelInfo& kernel : program_->kernels)
    kernel_numbers_.emplace(kernel.name, kernel_numbers_.size());
  {
    MutexLock lock(mutex_);
    machine_code_ = std::move(machine_code);
  }
  root_.reclaim();
  if (!root_.idle()) return;
  try {
    load_uniform();
    load_known_general();
  } catch (const NoRoom& error) {
    log::info("{}; when it is first used there may be some", error.what());
  }
}

Executable::~Executable() {
  MutexLock lock(mutex_);
  if (uniform_) finalize(*uniform_);
  const auto discard = [&](const std::unique_ptr<Loaded>& loaded) {
    if (!loaded) return;
    for (auto& module : loaded->modules) root_.discard(std::move(module));
  };
  discard(uniform_);
  discard(general_);
  for (const auto& variant : for_groups_)
    for (const auto& loaded : variant) discard(loaded);
  for (const auto& entry : specialized_) discard(entry->loaded);
}

std::optional<std::size_t> Executable::find(std::string_view kernel) const {
  const auto found = kernel_numbers_.find(kernel);
  return found == kernel_numbers_.end() ? std::nullopt : std::optional(found->second);
}

const KernelFunction& Executable::function(std::size_t kernel, compiler::Variant variant) {
  const bool general = variant == compiler::Variant::general && !program_->uniform_is_general;
  if (const Loaded* ready = (general ? ready_general_ : ready_uniform_).load(std::memory_order_acquire))
    return ready->kernels[kernel];
  return for_launch([&]() -> Loaded& { return general ? load_general() : load_uniform(); }).kernels[kernel];
}

// If the driver rejects the machine code, it is compiled again.
Executable::Modules Executable::load_modules(const compiler::VariantCode& code, MachineCode& machine_code,
                                             unsigned max_registers) const {
  const auto load_all = [&] {
    Modules modules;
    for (const auto& part : machine_code)
      modules.push_back(std::make_shared<cuda::Module>(root_.context(), part->code));
    return modules;
  };
  try {
    return load_all();
  } catch (const cuda::DriverError& error) {
    if (cuda::is_fatal(error.result()) || error.result() == CUDA_ERROR_OUT_OF_MEMORY) throw;
    log::info("machine code is made again, as it cannot be loaded: {}", error.what());
  }
  machine_code = new_machine_code(root_, *program_, code, max_registers);
  return load_all();
}

// With lazy loading, the driver allocates memory for a kernel's code when the function is looked up, so this may run out of memory.
void Executable::find_kernels(Loaded& loaded, const compiler::VariantCode& code) const {
  const auto entries = compiler::ptx_entries(compiler::ptx_modules(code.ptx));
  loaded.kernels = std::vector<KernelFunction>(code.kernels.size());
  for (std::size_t i = 0; i < code.kernels.size(); ++i) {
    const auto entry = entries.find(code.kernels[i].symbol);
    const cuda::Module& module = *loaded.modules[entry == entries.end() ? 0 : entry->second];
    KernelFunction& kernel = loaded.kernels[i];
    kernel.function = module.function(code.kernels[i].symbol);
    kernel.info = &program_->kernels[i];
    kernel.code = &code.kernels[i];
    if (code.kernels[i].enqueues) kernel.scheduler = module.function(compiler::kTaskSchedulerSymbol);
    kernel.max_group_size =
        static_cast<unsigned>(kernel.function.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    kernel.static_local_size =
        static_cast<std::size_t>(kernel.function.attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  }
}

// If memory runs out, reclaims unused memory and tries once more.
void Executable::load(Loaded& loaded, const compiler::VariantCode& code, MachineCode machine_code,
                      unsigned max_registers) const {
  const StageRange range(BuildStage::loading);
  cuda::Current current(root_.context());
  const auto load_all = [&] {
    loaded.modules = load_modules(code, machine_code, max_registers);
    if (code.needs_device_runtime)
      DeviceResources::of(root_).task_memory().make_room_for_launches(root_.context());
    if (const std::uint64_t stack = compiler::stack_of_indirect_calls(code.ptx))
      DeviceResources::of(root_).stack_limit().raise(root_.context(), stack);
    find_kernels(loaded, code);
  };
  if (!has_room(load_all)) {
    loaded.modules.clear();
    DeviceResources::of(root_).memory().reclaim();
    if (!has_room(load_all))
      throw NoRoom(CL_OUT_OF_RESOURCES, "no memory on the device for a program's code and variables");
  }
  for (const KernelFunction& kernel : loaded.kernels)
    report_kernel(root_, kernel.info->name, kernel.code->symbol, kernel.function, machine_code);
  // A program with program-scope objects has one module only.
  for (const compiler::KernelCode& initializer : code.initializers)
    run_once(root_, loaded.modules.front(), initializer, program_->printf_formats);
}

void Executable::finalize(const Loaded& loaded) const noexcept {
  if (program_->uniform.finalizers.empty()) return;
  try {
    cuda::Current current(root_.context());
    for (const compiler::KernelCode& code : program_->uniform.finalizers)
      run_once(root_, loaded.modules.front(), code, program_->printf_formats);
  } catch (const std::exception& error) {
    log::warning("a program's objects were not destroyed: {}", error.what());
  }
}

Executable::Loaded& Executable::load_uniform() {
  MutexLock lock(mutex_);
  if (uniform_) return *uniform_;
  auto uniform = std::make_unique<Loaded>();
  uniform->program = program_;
  load(*uniform, program_->uniform, machine_code_);
  uniform_ = std::move(uniform);
  machine_code_ = {};
  ready_uniform_.store(uniform_.get(), std::memory_order_release);
  return *uniform_;
}

const KernelFunction& Executable::function_for_groups(std::size_t kernel, compiler::Variant variant,
                                                      std::size_t group_size) {
  const KernelFunction* function = &this->function(kernel, variant);
  // Not if the program has program-scope objects (uniform_is_general): these exist in its one module only.
  if (group_size > function->max_group_size && group_size <= kMostItemsOfGroup &&
      !program_->uniform_is_general)
    function =
        &for_launch([&]() -> const Loaded& { return load_for_groups(variant, group_size); }).kernels[kernel];
  if (group_size > function->max_group_size)
    throw Error(CL_INVALID_WORK_GROUP_SIZE, "more work-items in a group than the kernel can have");
  return *function;
}

const Executable::Loaded& Executable::load_for_groups(compiler::Variant variant, std::size_t group_size) {
  const bool general = variant == compiler::Variant::general;
  const std::size_t size = group_size <= kMostItemsOfGroup / 2 ? kMostItemsOfGroup / 2 : kMostItemsOfGroup;
  MutexLock lock(mutex_);
  std::unique_ptr<Loaded>& place = for_groups_[general][size == kMostItemsOfGroup];
  if (place) return *place;
  const BuildReport report("code for larger work-groups", device_);
  auto loaded = std::make_unique<Loaded>();
  loaded->program = (general ? general_ : uniform_)->program;
  const compiler::VariantCode& code = loaded->program->uniform;
  const auto registers = static_cast<unsigned>(
      static_cast<std::size_t>(root_.attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)) / size);
  load(*loaded, code, cached_machine_code(device_, *program_, code, registers), registers);
  place = std::move(loaded);
  return *place;
}

Executable::Specialized* Executable::find_specialized(std::size_t kernel,
                                                      const compiler::LaunchTraits& traits) const {
  Specialized* entry = last_specialized_.load(std::memory_order_acquire);
  while (entry && !(entry->kernel == kernel && entry->traits == traits)) entry = entry->next;
  return entry;
}

Executable::Specialized& Executable::add_specialized(std::size_t kernel,
                                                     const compiler::LaunchTraits& traits) {
  const bool is_first =
      std::ranges::none_of(specialized_, [&](const auto& entry) { return entry->kernel == kernel; });
  auto entry = std::make_unique<Specialized>();
  entry->kernel = kernel;
  entry->traits = traits;
  entry->next = last_specialized_;
  entry->launches_left = is_first ? 1 : kLaunchesBeforeCode;
  last_specialized_.store(specialized_.emplace_back(std::move(entry)).get(), std::memory_order_release);
  return *specialized_.back();
}

const KernelFunction* Executable::specialized(std::size_t kernel,
                                              const compiler::LaunchTraits& traits) noexcept {
  try {
    Specialized* entry = find_specialized(kernel, traits);
    if (!entry || !entry->settled.load(std::memory_order_acquire)) {
      MutexLock lock(mutex_);
      entry = find_specialized(kernel, traits);
      if (!entry && specialized_.size() == kMostSpecialized) return nullptr;
      if (!entry) entry = &add_specialized(kernel, traits);
      if (!entry->settled && --entry->launches_left > 0) return nullptr;
      if (!entry->settled) make_specialized(*entry);
    }
    return entry->loaded ? &entry->loaded->kernels.front() : nullptr;
  } catch (const std::exception& error) {
    log::warning("no code for a launch of {}: {}", program_->kernels[kernel].name, error.what());
    return nullptr;
  }
}

// Tried once only: a failure would repeat, and delay each launch.
void Executable::make_specialized(Specialized& entry) const noexcept {
  try {
    const BuildReport report("code for certain images or arguments of a launch", device_);
    const Build build = build_specialized(*program_, entry.kernel, entry.traits);
    if (!build.program) throw Error(CL_OUT_OF_RESOURCES, build.log);
    auto loaded = std::make_unique<Loaded>();
    loaded->program = build.program;
    const compiler::VariantCode& code = build.program->uniform;
    load(*loaded, code, cached_machine_code(device_, *program_, code));
    loaded->kernels.front().info = &program_->kernels[entry.kernel];
    entry.loaded = std::move(loaded);
  } catch (const std::exception& error) {
    log::warning("no code for a launch of {}: {}", program_->kernels[entry.kernel].name, error.what());
  }
  entry.settled.store(true, std::memory_order_release);
}

Executable::Loaded& Executable::load_general() {
  MutexLock lock(mutex_);
  if (general_) return *general_;
  const BuildReport report("general variant", device_);
  return keep_general(build_general_variant(*program_));
}

Executable::Loaded& Executable::keep_general(const Build& build) {
  if (!build.program)
    throw Error(CL_OUT_OF_RESOURCES, "the general variant of the kernel cannot be made: " + build.log);
  auto general = std::make_unique<Loaded>();
  general->program = build.program;
  const compiler::VariantCode& code = build.program->uniform;
  load(*general, code, cached_machine_code(device_, *program_, code));
  general_ = std::move(general);
  ready_general_.store(general_.get(), std::memory_order_release);
  return *general_;
}

// What launches have needed before, of this process or another, they will need again, and would wait for.
void Executable::load_known_general() noexcept {
  if (program_->uniform_is_general || program_->uniform.ptx.size() > kMostToLookFor) return;
  try {
    const auto build = find_build(key_of_general_variant(*program_));
    if (!build) return;
    const BuildReport report("general variant", device_);
    MutexLock lock(mutex_);
    keep_general(*build);
  } catch (const std::exception& error) {
    log::info("the general variant is not loaded: {}", error.what());
  }
}

}  // namespace clcuda
