// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

namespace clcuda::doctor {

// Checks the variables that tell NVIDIA's container toolkit which parts of the driver to provide.
void check_container(const Machine& machine, Report& report) {
  if (!machine.is_container()) return report.ok("container", "none");
  const std::string devices = variable("NVIDIA_VISIBLE_DEVICES");
  const std::string capabilities = variable("NVIDIA_DRIVER_CAPABILITIES");
  if (devices == "void" || devices == "none") return report.add(Finding::container_hides_gpus, devices);
  if (!capabilities.empty() && capabilities.find("compute") == std::string::npos &&
      capabilities.find("all") == std::string::npos)
    return report.add(Finding::container_capabilities, capabilities);
  report.ok("container", "this is one{}", devices.empty() ? "" : ", NVIDIA_VISIBLE_DEVICES=" + devices);
}

}  // namespace clcuda::doctor
