// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/executable.h"

#include <CL/cl.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/build_id.h"
#include "base/error.h"
#include "base/log.h"
#include "builtins/device_tasks.h"
#include "builtins/launch_record.h"
#include "compiler/compiler.h"
#include "compiler/ptx_modules.h"
#include "cuda/error.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/platform/device.h"
#include "runtime/program/build_cache.h"
#include "runtime/program/machine_code_cache.h"
#include "runtime/program/printf_buffer.h"

namespace clcuda {

namespace {

// A variant as an image of its own, whose `uniform` code it is: so it is kept like any build.
template <class Make>
Build build_variant(DigestOf& key, const compiler::CompiledProgram& program,
                    const compiler::DeviceFeatures& features, std::vector<compiler::KernelInfo> kernels,
                    const Make& make) {
  key(build_id())(program.target.sm)(program.target.ptx)(program.target.whole_chip)(program.options);
  add_to_key(key, features);
  add_to_key(key, program);
  return cached_build(key.finish(), [&] {
    compiler::VariantOutcome made = make();
    compiler::Outcome outcome{.status = made.status, .log = std::move(made.log)};
    outcome.image.target = program.target;
    outcome.image.kernels = std::move(kernels);
    outcome.image.uniform = std::move(made.code);
    outcome.image.uniform_is_general = true;
    return outcome;
  });
}

Build build_general_variant(const compiler::CompiledProgram& program,
                            const compiler::DeviceFeatures& features) {
  DigestOf key;
  key("general variant");
  return build_variant(key, program, features, program.kernels,
                       [&] { return compiler::make_general_variant(program, features); });
}

Build build_for_images(const compiler::CompiledProgram& program, std::size_t kernel,
                       const std::vector<compiler::KnownImage>& images,
                       const compiler::DeviceFeatures& features) {
  DigestOf key;
  key("for images")(program.kernels[kernel].name);
  for (const compiler::KnownImage& known : images) key(known.argument)(known.order)(known.format);
  return build_variant(key, program, features, {program.kernels[kernel]},
                       [&] { return compiler::make_for_images(program, kernel, images, features); });
}

// A launch has no build that could fail.
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

// Does it; false where the device's memory does not suffice.
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

// More kinds of images than this one kernel after another is seldom given; all others take the general variant.
constexpr std::size_t kMostForImages = 64;
constexpr int kLaunchesBeforeCode = 4;

// CUDA's room for launches that wait for their turn is too small for programs that enqueue on the device. The limit is the host
// program's, which may have asked for more.
void make_room_for_device_launches(const cuda::DeviceContext& context) {
  constexpr CUlimit kLimit = CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT;
  const cuda::DriverTable& driver = context.driver();
  std::size_t launches = 0;
  cuda::check(driver, driver.cuCtxGetLimit(&launches, kLimit), "cuCtxGetLimit");
  if (launches < CLCUDA_PENDING_LAUNCHES)
    cuda::check(driver, driver.cuCtxSetLimit(kLimit, CLCUDA_PENDING_LAUNCHES), "cuCtxSetLimit");
}

// Has one work-item run the kernel, waits for it, and writes out what it has printed.
void run_once(Device& device, const cuda::Module& module, const compiler::KernelCode& code,
              const std::vector<std::string>& printf_formats) {
  const ScopedStream stream(DeviceResources::of(device));
  std::optional<PrintfBuffer> output;
  if (code.uses_printf)
    output.emplace(DeviceResources::of(device), *stream, PrintfBuffer::size_for(1, code.printf_bytes));
  clcuda_launch_record record{};
  if (output) record.printf_buffer = output->address();
  for (unsigned d = 0; d < 3; ++d)
    record.global_size[d] = record.group_count[d] = record.enqueued_local_size[d] = 1;
  record.work_dim = 1;
  const std::size_t offset = code.launch_record_offset.value_or(0);
  std::vector<std::byte> parameters(code.launch_record_offset ? offset + sizeof record : 0);
  if (!parameters.empty()) std::memcpy(parameters.data() + offset, &record, sizeof record);
  DeviceResources::of(device).launch(*stream, module.function(code.symbol), {{1, 1, 1}, {1, 1, 1}},
                                     parameters.data(), parameters.size());
  stream->synchronize();
  if (output) output->print(printf_formats);
}

}  // namespace

// A variant on the device: its modules and the entries of all its kernels.
struct Executable::Loaded {
  // Has the code; the executable's own for the uniform variant.
  std::shared_ptr<const compiler::CompiledProgram> image;
  Modules modules;
  std::vector<KernelFunction> kernels;
};

// A kernel for certain images.
struct Executable::ForImages {
  std::size_t kernel = 0;
  std::vector<compiler::KnownImage> images;
  ForImages* next = nullptr;
  int launches_left = 0;  // before the code is worth making; guarded by the executable's mutex
  std::unique_ptr<Loaded> loaded;
  std::atomic<bool> settled = false;  // `loaded` is there, or could not be made
};

Executable::Executable(Device& device, std::shared_ptr<const compiler::CompiledProgram> image,
                       MachineCode machine_code)
    : device_(device), root_(device.root()), image_(std::move(image)) {
  {
    MutexLock lock(mutex_);
    machine_code_ = std::move(machine_code);
  }
  root_.reclaim();
  if (!root_.idle()) return;
  try {
    load_uniform();
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
  for (const auto& entry : for_images_) discard(entry->loaded);
}

std::optional<std::size_t> Executable::find(std::string_view kernel) const {
  const auto& kernels = image_->kernels;
  const auto found = std::ranges::find(kernels, kernel, &compiler::KernelInfo::name);
  if (found == kernels.end()) return {};
  return static_cast<std::size_t>(found - kernels.begin());
}

const KernelFunction& Executable::function(std::size_t kernel, compiler::Variant variant) {
  const bool general = variant == compiler::Variant::general && !image_->uniform_is_general;
  if (const Loaded* ready = (general ? ready_general_ : ready_uniform_).load(std::memory_order_acquire))
    return ready->kernels[kernel];
  return for_launch([&]() -> Loaded& { return general ? load_general() : load_uniform(); }).kernels[kernel];
}

// With code made anew where the driver does not take this one.
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
  machine_code = new_machine_code(root_, *image_, code, max_registers);
  return load_all();
}

// A driver that loads lazily needs memory for a kernel's code not before it is asked for the kernel.
void Executable::find_kernels(Loaded& loaded, const compiler::VariantCode& code) const {
  const auto entries = compiler::ptx_entries(compiler::ptx_modules(code.ptx));
  loaded.kernels = std::vector<KernelFunction>(code.kernels.size());
  for (std::size_t i = 0; i < code.kernels.size(); ++i) {
    const auto entry = entries.find(code.kernels[i].symbol);
    const cuda::Module& module = *loaded.modules[entry == entries.end() ? 0 : entry->second];
    KernelFunction& kernel = loaded.kernels[i];
    kernel.function = module.function(code.kernels[i].symbol);
    kernel.info = &image_->kernels[i];
    kernel.code = &code.kernels[i];
    if (code.kernels[i].enqueues) kernel.scheduler = module.function(compiler::kTaskSchedulerSymbol);
    kernel.max_group_size =
        static_cast<unsigned>(kernel.function.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  }
}

// Where there is no room, once more without memory that nothing uses.
void Executable::load(Loaded& loaded, const compiler::VariantCode& code, MachineCode machine_code,
                      unsigned max_registers) const {
  cuda::Current current(root_.context());
  const auto load_all = [&] {
    loaded.modules = load_modules(code, machine_code, max_registers);
    if (code.needs_device_runtime) make_room_for_device_launches(root_.context());
    find_kernels(loaded, code);
  };
  if (!has_room(load_all)) {
    loaded.modules.clear();
    DeviceResources::of(root_).memory().reclaim();
    if (!has_room(load_all))
      throw NoRoom(CL_OUT_OF_RESOURCES, "no memory on the device for a program's code and variables");
  }
  // Kernels that share objects are in one module.
  for (const compiler::KernelCode& initializer : code.initializers)
    run_once(root_, *loaded.modules.front(), initializer, image_->printf_formats);
}

void Executable::finalize(const Loaded& loaded) const noexcept {
  if (image_->uniform.finalizers.empty()) return;
  try {
    cuda::Current current(root_.context());
    for (const compiler::KernelCode& code : image_->uniform.finalizers)
      run_once(root_, *loaded.modules.front(), code, image_->printf_formats);
  } catch (const std::exception& error) {
    log::warning("a program's objects were not destroyed: {}", error.what());
  }
}

Executable::Loaded& Executable::load_uniform() {
  MutexLock lock(mutex_);
  if (uniform_) return *uniform_;
  auto uniform = std::make_unique<Loaded>();
  uniform->image = image_;
  load(*uniform, image_->uniform, machine_code_);
  uniform_ = std::move(uniform);
  machine_code_ = {};
  ready_uniform_.store(uniform_.get(), std::memory_order_release);
  return *uniform_;
}

const KernelFunction& Executable::function_for_groups(std::size_t kernel, compiler::Variant variant,
                                                      std::size_t group_size) {
  const KernelFunction* function = &this->function(kernel, variant);
  // Objects of the program are in its one module.
  if (group_size > function->max_group_size && group_size <= kMostItemsOfGroup && !image_->uniform_is_general)
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
  auto loaded = std::make_unique<Loaded>();
  loaded->image = (general ? general_ : uniform_)->image;
  const compiler::VariantCode& code = loaded->image->uniform;
  const auto registers = static_cast<unsigned>(
      static_cast<std::size_t>(root_.attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)) / size);
  load(*loaded, code, cached_machine_code(device_, *image_, code, registers), registers);
  place = std::move(loaded);
  return *place;
}

Executable::ForImages* Executable::find_for_images(std::size_t kernel,
                                                   const std::vector<compiler::KnownImage>& images) const {
  ForImages* entry = last_for_images_.load(std::memory_order_acquire);
  while (entry && !(entry->kernel == kernel && entry->images == images)) entry = entry->next;
  return entry;
}

Executable::ForImages& Executable::add_for_images(std::size_t kernel,
                                                  const std::vector<compiler::KnownImage>& images) {
  const bool is_first =
      std::ranges::none_of(for_images_, [&](const auto& entry) { return entry->kernel == kernel; });
  auto entry = std::make_unique<ForImages>();
  entry->kernel = kernel;
  entry->images = images;
  entry->next = last_for_images_;
  entry->launches_left = is_first ? 1 : kLaunchesBeforeCode;
  last_for_images_.store(for_images_.emplace_back(std::move(entry)).get(), std::memory_order_release);
  return *for_images_.back();
}

const KernelFunction* Executable::for_images(std::size_t kernel,
                                             const std::vector<compiler::KnownImage>& images) noexcept {
  try {
    ForImages* entry = find_for_images(kernel, images);
    if (!entry || !entry->settled.load(std::memory_order_acquire)) {
      MutexLock lock(mutex_);
      entry = find_for_images(kernel, images);
      if (!entry && for_images_.size() == kMostForImages) return nullptr;
      if (!entry) entry = &add_for_images(kernel, images);
      if (!entry->settled && --entry->launches_left > 0) return nullptr;
      if (!entry->settled) make_for_images(*entry);
    }
    return entry->loaded ? &entry->loaded->kernels.front() : nullptr;
  } catch (const std::exception& error) {
    log::warning("no code for the images of {}: {}", image_->kernels[kernel].name, error.what());
    return nullptr;
  }
}

// Tried once: what fails would fail again, and take its time at each launch.
void Executable::make_for_images(ForImages& entry) const noexcept {
  try {
    const Build build = build_for_images(*image_, entry.kernel, entry.images, device_.features());
    if (!build.image) throw Error(CL_OUT_OF_RESOURCES, build.log);
    auto loaded = std::make_unique<Loaded>();
    loaded->image = build.image;
    const compiler::VariantCode& code = build.image->uniform;
    load(*loaded, code, cached_machine_code(device_, *image_, code));
    loaded->kernels.front().info = &image_->kernels[entry.kernel];
    entry.loaded = std::move(loaded);
  } catch (const std::exception& error) {
    log::warning("no code for the images of {}: {}", image_->kernels[entry.kernel].name, error.what());
  }
  entry.settled.store(true, std::memory_order_release);
}

Executable::Loaded& Executable::load_general() {
  MutexLock lock(mutex_);
  if (general_) return *general_;
  const Build build = build_general_variant(*image_, device_.features());
  if (!build.image)
    throw Error(CL_OUT_OF_RESOURCES, "the general variant of the kernel cannot be made: " + build.log);
  auto general = std::make_unique<Loaded>();
  general->image = build.image;
  const compiler::VariantCode& code = build.image->uniform;
  load(*general, code, cached_machine_code(device_, *image_, code));
  general_ = std::move(general);
  ready_general_.store(general_.get(), std::memory_order_release);
  return *general_;
}

}  // namespace clcuda
