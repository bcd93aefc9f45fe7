// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/build_report.h"

#include <algorithm>
#include <exception>

#include "base/host_time.h"
#include "base/log.h"
#include "cuda/ptx_log.h"
#include "runtime/platform/device.h"

namespace clcuda {
namespace {

std::string spills_text(const MachineCode& machine_code, const std::string& symbol) {
  for (const auto& part : machine_code)
    if (const auto spills = cuda::spills_of(part->log, symbol))
      return fmt::format(", spills of {} bytes stored and {} loaded", spills->stores, spills->loads);
  return {};
}

// The occupancy of a multiprocessor by work-groups of the usual size, in per cent.
int occupancy(const Device& device, const cuda::Function& function) {
  constexpr int kUsualGroup = 256;
  const int size = std::min(kUsualGroup, function.attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  int groups = 0;
  if (device.driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function.handle(), size, 0) !=
      CUDA_SUCCESS)
    return 0;
  return 100 * groups * size /
         std::max(1, device.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
}

}  // namespace

BuildReport::BuildReport(const char* what, const Device& device)
    : what_(what), device_(device), begin_(host_time()), of_thread_(&times_), range_(what) {
  range_.add("device", std::string_view(device.name()));
}

BuildReport::~BuildReport() {
  if (!log::enabled(log::Level::info)) return;
  try {
    const std::string stages = times_.text();
    log::info("{} for {}: {:.1f} ms ({})", what_, device_.name(),
              static_cast<double>(host_time() - begin_) * 1e-6, stages.empty() ? "from the cache" : stages);
  } catch (const std::exception&) {
    // No memory for the message.
  }
}

void report_kernel(const Device& device, const std::string& name, const std::string& symbol,
                   const cuda::Function& function, const MachineCode& machine_code) noexcept {
  if (!log::enabled(log::Level::info)) return;
  try {
    log::info("kernel {}: {} registers{}, {} bytes of private and {} of local memory, occupancy {} %", name,
              function.attribute(CU_FUNC_ATTRIBUTE_NUM_REGS), spills_text(machine_code, symbol),
              function.attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
              function.attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), occupancy(device, function));
  } catch (const std::exception& error) {
    log::info("kernel {}: {}", name, error.what());
  }
}

}  // namespace clcuda
