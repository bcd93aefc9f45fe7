// SPDX-License-Identifier: Apache-2.0
#include "runtime/commands/launch_kernel.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "builtins/device_tasks.h"
#include "cuda/error.h"
#include "runtime/memory/buffer.h"
#include "runtime/queue/command_queue.h"
#include "runtime/queue/device_queue.h"

namespace clcuda {
namespace {

// A range that needs more launches than this is rejected: it would run for decades.
constexpr std::size_t kMaxParts = std::size_t{1} << 20;
// Dynamic shared memory that a kernel may use without CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
constexpr std::size_t kPlainSharedSize = 48 << 10;

constexpr int kGoodGroupSize = 256;

// The group size, from 256 work-items up to what the driver computes as possible, that keeps the most work-items resident; the smallest of
// several. If a group needs much local memory, few groups fit, and larger ones fill the device better.
int best_group_size(const DeviceResources& resources, CUfunction function, int limit, std::uint32_t dynamic) {
  const cuda::DriverTable& driver = resources.driver();
  cuda::Current current(resources.context());
  int grid = 0, possible = 0, best = kGoodGroupSize, most = 0;
  if (driver.cuOccupancyMaxPotentialBlockSize(&grid, &possible, function, nullptr, dynamic, limit) !=
          CUDA_SUCCESS ||
      possible <= 0)
    return best;
  for (int size = std::min(possible, kGoodGroupSize); size <= possible; size *= 2) {
    int groups = 0;
    if (driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, size, dynamic) != CUDA_SUCCESS)
      break;
    if (groups * size <= most) continue;
    most = groups * size;
    best = size;
  }
  return best;
}

// Computed again only if the amount of local memory differs from that of the previous launch.
std::size_t wanted_group_size(const DeviceResources& resources, const KernelFunction& function,
                              std::size_t limit, std::uint32_t dynamic) {
  const std::uint64_t known = function.wanted_group_size.load(std::memory_order_relaxed);
  if (known && known >> 32 == dynamic) return known & 0xffffffff;
  const auto size = static_cast<unsigned>(
      best_group_size(resources, function.function.handle(), static_cast<int>(limit), dynamic));
  function.wanted_group_size.store(std::uint64_t{dynamic} << 32 | size, std::memory_order_relaxed);
  return size;
}

// Section 5.10, the errors of a given work-group size.
void check_local_size(const NDRange& range, const compiler::KernelInfo& info) {
  const auto& required = info.required_work_group_size;
  for (unsigned d = 0; d < 3; ++d) {
    if (d >= range.dimensions && range.local[d] > 1)
      throw Error(CL_INVALID_WORK_GROUP_SIZE,
                  "the kernel requires a work-group of more dimensions than the range has");
    // A manipulated binary may require the size 0.
    if (range.local[d] == 0) throw Error(CL_INVALID_WORK_GROUP_SIZE, "a work-group of size 0");
    if (required[0] && range.local[d] != required[d])
      throw Error(CL_INVALID_WORK_GROUP_SIZE, "not the work-group size that the kernel requires");
  }
  for (unsigned d = 0; d < 3; ++d)
    if (range.local[d] > kMostItemsOfGroup)
      throw Error(CL_INVALID_WORK_ITEM_SIZE, "a work-group beyond the device's limit in one dimension");
}

// Section 5.10: without -cl-std=CL2.0 or newer, work-groups are full.
void check_divides(const NDRange& range, const compiler::KernelInfo& info) {
  if (!range.divides() && info.uniform_work_group_size)
    throw Error(CL_INVALID_WORK_GROUP_SIZE,
                "the work-group size does not divide the global size, and the program was not built "
                "with -cl-std=CL2.0 or newer, or with -cl-uniform-work-group-size");
}

void check_local_memory(const DeviceResources& resources, const KernelFunction& function,
                        std::size_t dynamic) {
  if (dynamic == 0) return;
  const std::size_t limit = resources.device().local_memory_size();
  const std::size_t fixed = function.static_local_size;
  if (dynamic + fixed > limit) throw Error(CL_OUT_OF_RESOURCES, "more local memory than the device has");
  if (dynamic + fixed <= kPlainSharedSize) return;
  cuda::Current current(resources.context());
  // Set to the largest possible value, so that concurrent launches do not undo each other's setting.
  function.function.set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(limit - fixed));
}

clcuda_launch_record launch_record(const NDRange& range) {
  clcuda_launch_record record{};
  for (unsigned d = 0; d < 3; ++d) {
    record.global_offset[d] = range.offset[d];
    record.global_size[d] = range.global[d];
    record.group_count[d] = range.groups(d);
    record.enqueued_local_size[d] = static_cast<clcuda_u32>(range.local[d]);
  }
  record.work_dim = range.dimensions;
  return record;
}

// Copies those parts of an image's descriptor that the kernel takes in its parameter buffer.
void put_image_parts(const compiler::KernelCode& code, const MemoryUse& use,
                     std::vector<std::byte>& parameters) {
  constexpr std::size_t kSize = compiler::kImagePartSize;
  const std::size_t end = code.image_parts_offset + code.image_parts.size() * kSize;
  if (parameters.size() < end) parameters.resize(end);
  std::byte* to = parameters.data() + code.image_parts_offset;
  for (const compiler::ImagePart& part : code.image_parts) {
    if (part.argument == use.parameter())
      std::memcpy(to, reinterpret_cast<const std::byte*>(use.descriptor()) + part.place, kSize);
    to += kSize;
  }
}

// Code that tests the format tests for the most common one first (builtins/image_write.cl), so it need not be specialised for that.
bool is_usual_picture(const Image& image, bool rewritten) {
  constexpr auto kUsual =
      2u | std::uint32_t{CL_UNORM_INT8 - CL_SNORM_INT8} << 8 | std::uint32_t{CLCUDA_SURFACE_PLAIN} << 24;
  return !rewritten && static_cast<std::uint32_t>(image.texels()) == kUsual;
}

// `known` with the order and format of the image that is passed, as far as the code queries them.
compiler::KnownImage actual_image(const compiler::KnownImage& known, const compiler::KernelInfo& info,
                                  const ArgumentBlock& arguments) {
  const auto use = std::ranges::find(arguments.uses, known.argument, &MemoryUse::parameter);
  if (use == arguments.uses.end()) return known;
  const Image& image = use->image();
  compiler::KnownImage actual = known;
  if (known.asks_order) actual.order = image.order(arguments.sampler_states);
  const auto declared = std::ranges::find(info.arguments, known.argument, &compiler::ArgumentInfo::offset);
  const bool rewritten = declared->access == compiler::AccessQualifier::read_write;
  if (known.asks_format && !is_usual_picture(image, rewritten)) actual.format = image.texels();
  return actual;
}

// The code for a launch that the uniform variant can run: the usual code if its assumptions about images and arguments hold, otherwise code
// specialised for this launch, or null if there is none.
const KernelFunction* choose_uniform(const Kernel& kernel, const Kernel::Instance& instance,
                                     const Launch& launch) {
  const compiler::KernelCode& code = *launch.function->code;
  const std::vector<compiler::KnownImage>& known = code.known_images;
  const auto actual = [&](const compiler::KnownImage& image) {
    return actual_image(image, *launch.function->info, launch.arguments);
  };
  const bool overlap = code.distinct_arguments && kernel.arguments_overlap(launch.arguments);
  if (!overlap && std::ranges::all_of(known, [&](const auto& image) { return actual(image) == image; }))
    return launch.function;
  compiler::LaunchTraits traits{.arguments_overlap = overlap};
  std::ranges::transform(known, std::back_inserter(traits.images), actual);
  const KernelFunction* function = instance.specialized(traits);
  return function && function->max_group_size >= launch.range.group_size() ? function : nullptr;
}

// The scheduler runs the remaining tasks, after the kernel and everything that the kernel launched itself.
void launch_scheduler(DeviceResources& resources, cuda::Stream& stream, const cuda::Function& scheduler,
                      clcuda_u64 tasks) {
  resources.launch(stream, scheduler,
                   {.grid = {1, 1, 1}, .block = {CLCUDA_SCHEDULER_ITEMS, 1, 1}, .may_be_overlapped = false},
                   &tasks, sizeof tasks);
}

// Those of the memory and images that the launch uses, among its arguments.
void put_addresses(CommandQueue& queue, cuda::Stream& stream, Launch& launch,
                   std::span<const MemoryUse> uses) {
  ArgumentBlock& arguments = launch.arguments;
  for (const MemoryUse& use : uses) {
    if (use.parameter() == MemoryUse::kNoParameter) continue;
    const CUdeviceptr address = use.address();
    std::memcpy(arguments.bytes.data() + use.parameter(), &address, sizeof address);
    if (!use.descriptor()) continue;
    put_image_parts(*launch.function->code, use, arguments.bytes);
    use.refresh_copy(queue.device_index(), stream);
  }
}

// The kernel, its arguments and the work-group size, which are checked for a range without work-items, too.
Launch begin_launch(CommandQueue& queue, const Kernel& kernel, const Kernel::Instance& instance,
                    const NDRange& wanted_range, const std::size_t* local) {
  Launch launch{.function = &instance.function(compiler::Variant::uniform),
                .range = wanted_range,
                .arguments = kernel.capture_arguments()};
  NDRange& range = launch.range;
  const compiler::KernelInfo& info = instance.info();
  const auto& required = info.required_work_group_size;
  if (local || required[0]) {
    for (unsigned d = 0; d < 3; ++d)
      range.local[d] = !local ? required[d] : d < range.dimensions ? local[d] : 1;
    check_local_size(range, info);
  } else if (info.required_sub_group_count) {
    range.local =
        choose_local_size_of_sub_groups(range, info.required_sub_group_count, info.uniform_work_group_size);
  } else {
    const std::size_t limit = launch.function->max_group_size;
    const std::uint32_t dynamic = launch.arguments.dynamic_local_size;
    check_local_memory(queue.resources(), *launch.function, dynamic);
    const std::size_t wanted = wanted_group_size(queue.resources(), *launch.function, limit, dynamic);
    range.local =
        choose_local_size(range, wanted, limit, queue.device().compute_units(), info.uniform_work_group_size);
  }
  if (info.required_sub_group_count && range.sub_group_count() != info.required_sub_group_count)
    throw Error(CL_INVALID_WORK_GROUP_SIZE, "not the number of sub-groups that the kernel requires");
  return launch;
}

}  // namespace

Launch prepare_launch(CommandQueue& queue, const Kernel& kernel, const NDRange& wanted_range,
                      const std::size_t* local) {
  const Kernel::Instance& instance = kernel.on(queue.device());
  Launch launch = begin_launch(queue, kernel, instance, wanted_range, local);
  const NDRange& range = launch.range;
  const KernelFunction* uniform = launch.arguments.aligned && range.uniform(launch.grid)
                                      ? choose_uniform(kernel, instance, launch)
                                      : nullptr;
  launch.uniform = uniform != nullptr;
  if (uniform) {
    launch.function = uniform;
  } else {
    check_divides(range, instance.info());
    if (count_parts(range) > kMaxParts)
      throw Error(CL_OUT_OF_RESOURCES, "an ND-range that would take more than a million launches");
  }
  // Groups larger than the kernel's maximum, which other drivers may accept, need code with fewer registers per work-item.
  const compiler::Variant variant = uniform ? compiler::Variant::uniform : compiler::Variant::general;
  if (!uniform) launch.function = &instance.function(variant);
  if (range.group_size() > launch.function->max_group_size)
    launch.function = &instance.function_for_groups(variant, range.group_size());
  if (launch.function->code->launch_record_offset)
    if (const Ref<DeviceQueue> own = DeviceQueue::default_of(queue.context(), queue.device()))
      launch.default_queue = own->number();
  launch.keeps_program = !instance.executable->program().uniform.finalizers.empty();
  check_local_memory(queue.resources(), *launch.function, launch.arguments.dynamic_local_size);
  return launch;
}

void check_empty_launch(CommandQueue& queue, const Kernel& kernel, const NDRange& range,
                        const std::size_t* local) {
  const Kernel::Instance& instance = kernel.on(queue.device());
  const Launch launch = begin_launch(queue, kernel, instance, range, local);
  check_divides(launch.range, instance.info());
  const KernelFunction& function =
      instance.function_for_groups(compiler::Variant::uniform, launch.range.group_size());
  check_local_memory(queue.resources(), function, launch.arguments.dynamic_local_size);
}

void emit_launch(CommandQueue& queue, cuda::Stream& stream, Launch& launch, std::span<const MemoryUse> uses,
                 cuda::Timing* timing) {
  ArgumentBlock& arguments = launch.arguments;
  put_addresses(queue, stream, launch, uses);
  const NDRange& range = launch.range;
  const auto& record_offset = launch.function->code->launch_record_offset;
  const clcuda_u64 tasks = launch.enqueues() ? queue.resources().task_memory().of(stream) : 0;
  clcuda_launch_record record;
  if (record_offset) {
    record = launch_record(range);
    record.printf_buffer = launch.printf_buffer;
    record.default_queue = launch.default_queue;
    record.tasks = tasks;
    arguments.bytes.resize(std::max(arguments.bytes.size(), *record_offset + sizeof record));
  }
  // A timed kernel must not overlap its predecessor: its START is when that has ended.
  const bool overlaps = launch.function->code->waits && !timing;
  const auto launch_part = [&](LaunchPart part) {
    clcuda_stack_layers(&record, part.block.data());
    if (record_offset) {
      std::ranges::copy(part.group_offset, record.group_offset);
      std::memcpy(arguments.bytes.data() + *record_offset, &record, sizeof record);
    }
    queue.resources().launch(
        stream, launch.function->function,
        {part.grid, part.block, arguments.dynamic_local_size, overlaps, !launch.enqueues()},
        arguments.bytes.data(), arguments.bytes.size(), timing);
  };
  try {
    if (launch.uniform) {
      const auto block = [&](unsigned d) { return static_cast<unsigned>(range.local[d]); };
      launch_part({launch.grid, {block(0), block(1), block(2)}, {}});
    } else {
      const std::size_t parts = count_parts(range);
      for (std::size_t i = 0; i < parts; ++i) launch_part(part(range, i));
    }
    if (launch.enqueues()) launch_scheduler(queue.resources(), stream, launch.function->scheduler, tasks);
  } catch (const std::exception&) {
    // If the scheduler was not launched, tasks are left in the memory, which the stream's next launch must not see.
    if (launch.enqueues()) queue.resources().task_memory().forget(stream);
    throw;
  }
}

LaunchKernel::LaunchKernel(CommandQueue& queue, cl_command_type type, Kernel& kernel, Launch launch)
    : Command(queue, type),
      kernel_(kernel),
      launch_(std::move(launch)),
      has_epilogue_(launch_.needs_host() || launch_.enqueues()),
      can_fail_at_end_(launch_.enqueues()) {
  uses_ = std::move(launch_.arguments.uses);
}

void LaunchKernel::wait_for_room() noexcept {
  if (launch_.prints()) queue()->resources().printf_memory().wait_for_room(launch_.printf_size());
}

bool LaunchKernel::has_room() noexcept {
  return !launch_.prints() || queue()->resources().printf_memory().has_room(launch_.printf_size());
}

void LaunchKernel::emit(cuda::Stream& stream, cuda::Timing* timing) {
  if (launch_.prints() && !output_) {
    output_ = std::make_unique<PrintfBuffer>(queue()->resources(), stream, launch_.printf_size(), this);
    launch_.printf_buffer = output_->address();
  }
  emit_launch(*queue(), stream, launch_, uses_, timing);
  if (!launch_.enqueues()) return;
  DeviceResources& resources = queue()->resources();
  if (!outcome_) outcome_ = resources.memory().allocate_pinned(sizeof(cl_int));
  stream.copy_to_host(outcome_.data(), resources.task_memory().of(stream) + offsetof(clcuda_tasks, failed),
                      sizeof(cl_int));
}

void LaunchKernel::epilogue() {
  // A PrintfBuffer serves one run; if the command is emitted again, emit() creates another one.
  if (const auto output = std::exchange(output_, nullptr))
    output->print(kernel_->find(queue()->device())->executable->program().printf_formats);
  if (!outcome_) return;
  // Section 3.2.3: a command fails with a kernel that it has enqueued.
  cl_int status = CL_COMPLETE;
  std::memcpy(&status, outcome_.data(), sizeof status);
  if (status < 0) throw Error(status, "a kernel that was enqueued on the device failed");
}

void LaunchKernel::release_resources() noexcept {
  launch_.arguments = {};
  output_ = nullptr;
  outcome_ = {};
  if (has_epilogue_) kernel_ = {};
}

}  // namespace clcuda
