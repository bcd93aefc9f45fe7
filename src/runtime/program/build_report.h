// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/build_stage.h"
#include "cuda/module.h"
#include "runtime/program/machine_code_cache.h"

namespace clcuda {

class Device;

// Reports a build for a device by the calling thread, from construction to destruction: shows it in the timeline, with its stages inside,
// and logs the times of the stages at the end. A result from the cache has no stages.
class BuildReport {
 public:
  BuildReport(const char* what, const Device& device);
  ~BuildReport();
  BuildReport(const BuildReport&) = delete;
  BuildReport& operator=(const BuildReport&) = delete;

 private:
  const char* const what_;
  const Device& device_;
  const std::uint64_t begin_;
  BuildTimes times_;
  const BuildOfThread of_thread_;
  WorkRange range_;
};

// Logs the resources that a kernel uses: registers, spills (if the PTX compiler's log has them), memory, occupancy. The device's context is
// current.
void report_kernel(const Device& device, const std::string& name, const std::string& symbol,
                   const cuda::Function& function, const MachineCode& machine_code) noexcept;

}  // namespace clcuda
