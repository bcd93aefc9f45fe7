// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "checks.h"
#include "cuda/driver_api.h"
#include "cuda/requirements.h"
#include "driver_probe.h"

namespace clcuda::doctor {
namespace {

// A GPU as the driver's library describes it (driver_probe.h).
struct Gpu {
  std::string name;
  int index = 0, capability = 0, mode = 0, context = 0;
  std::string context_error;
  std::uint64_t free = 0, total = 0;
};

std::vector<Gpu> visible_gpus() {
  constexpr std::size_t kFields = 8;
  std::vector<Gpu> gpus;
  for (const auto& line : driver_probe().lines) {
    if (line[0] != "gpu" || line.size() < kFields) continue;
    const auto number = [&](int field) { return std::atoi(line[field].c_str()); };
    gpus.push_back({line[1], static_cast<int>(gpus.size()), number(2), number(3), number(4), line[5],
                    std::strtoull(line[6].c_str(), nullptr, 10),
                    std::strtoull(line[7].c_str(), nullptr, 10)});
  }
  return gpus;
}

std::size_t installed_gpus() {
  return static_cast<std::size_t>(
      std::ranges::count_if(management_probe().lines, [](const auto& line) { return line[0] == "gpu"; }));
}

std::string capability_text(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

void check_memory(const Gpu& gpu, Report& report) {
  constexpr std::uint64_t kMega = 1 << 20, kLeastFree = 256 * kMega;
  if (gpu.free < kLeastFree)
    report.add(Finding::gpu_memory, gpu.name, gpu.free / kMega, gpu.total / kMega);
  else
    report.ok("gpu", "{}: compute capability {}, {} of {} MiB free", gpu.name,
              capability_text(gpu.capability), gpu.free / kMega, gpu.total / kMega);
}

void check_gpu_state(const Gpu& gpu, Report& report) {
  if (gpu.capability < cuda::kLeastComputeCapability)
    return report.add(Finding::gpu_too_old, gpu.name, capability_text(gpu.capability),
                      capability_text(cuda::kLeastComputeCapability));
  if (gpu.mode == CU_COMPUTEMODE_PROHIBITED) return report.add(Finding::gpu_prohibited, gpu.name, gpu.index);
  const bool exclusive = gpu.mode == CU_COMPUTEMODE_EXCLUSIVE_PROCESS;
  if (exclusive && gpu.context != CUDA_SUCCESS) return report.add(Finding::gpu_busy, gpu.name, gpu.index);
  if (exclusive) report.add(Finding::gpu_exclusive, gpu.name, gpu.index);
  if (gpu.context == CUDA_ERROR_OUT_OF_MEMORY)
    return report.add(Finding::gpu_memory, gpu.name, "too few", gpu.total >> 20);
  if (gpu.context != CUDA_SUCCESS) return report.add(Finding::gpu_context, gpu.name, gpu.context_error);
  check_memory(gpu, report);
}

// Variables hide GPUs from the driver's library, but not from the management library.
void check_hidden(std::size_t visible, Report& report) {
  const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!text) return;
  const std::size_t installed = installed_gpus();
  const auto* init = driver_probe().find("init");
  if (visible == 0 && init && ((*init)[1] == std::to_string(CUDA_ERROR_NO_DEVICE) || installed > 0))
    report.add(Finding::gpu_hidden, text);
  else if (visible > 0 && visible < installed)
    report.add(Finding::gpu_some_hidden, text, visible, installed);
}

void check_parts(std::size_t visible, Report& report) {
  constexpr std::size_t kFields = 4;
  int index = 0;
  for (const auto& line : management_probe().lines) {
    if (line[0] != "gpu" || line.size() < kFields) continue;
    if (line[3] == "1") report.add(visible ? Finding::gpu_mig : Finding::gpu_mig_empty, line[1], index);
    ++index;
  }
}

}  // namespace

void check_gpu(const Machine& machine, Report& report) {
  if (machine.kernel_module().empty() && !machine.has_driver_nodes())
    return;  // reported by the driver's check
  // Without a working driver nothing can be queried. The driver's check reports this too.
  if (driver_probe().end != ChildReport::End::well || !driver_probe().find("init")) return;
  const std::vector<Gpu> gpus = visible_gpus();
  for (const Gpu& gpu : gpus) check_gpu_state(gpu, report);
  check_hidden(gpus.size(), report);
  check_parts(gpus.size(), report);
}

}  // namespace clcuda::doctor
