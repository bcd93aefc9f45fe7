// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "checks.h"
#include "cuda/driver_api.h"
#include "cuda/requirements.h"
#include "driver_probe.h"

namespace clcuda::doctor {
namespace {

// A graphics or 3D controller of NVIDIA's on the PCI bus.
bool has_gpu_on_bus(const Machine& machine) {
  const std::string bus = "/sys/bus/pci/devices";
  for (const std::string& name : machine.names_in(bus)) {
    const std::string folder = bus + "/" + name;
    if (machine.read(folder + "/vendor").value_or("").starts_with("0x10de") &&
        machine.read(folder + "/class").value_or("").starts_with("0x03"))
      return true;
  }
  return false;
}

void check_absent(const Machine& machine, Report& report) {
  if (!has_gpu_on_bus(machine)) return report.add(Finding::gpu_none);
  const bool nouveau =
      ("\n" + machine.read("/proc/modules").value_or("")).find("\nnouveau ") != std::string::npos;
  report.add(nouveau ? Finding::driver_nouveau : Finding::driver_not_loaded);
}

// Checks the device files through which the library talks to the kernel module. Those of GPUs are numbered.
void check_nodes(const Machine& machine, Report& report) {
  if (machine.exists("/dev/dxg")) return report.ok("driver", "/dev/dxg, of the Windows subsystem for Linux");
  std::vector<std::string> nodes = {"nvidiactl", "nvidia-uvm"};
  for (const std::string& name : machine.names_in("/dev"))
    if (name.size() > 6 && name.starts_with("nvidia") &&
        name.find_first_not_of("0123456789", 6) == std::string::npos)
      nodes.push_back(name);
  if (nodes.size() == 2) nodes.emplace_back("nvidia0");
  for (const std::string& name : nodes) {
    const std::string path = "/dev/" + name;
    if (!machine.exists(path)) {
      report.add(Finding::device_nodes_missing, path);
    } else if (::access(machine.at(path).c_str(), R_OK | W_OK) != 0) {
      report.add(Finding::device_node_forbidden, path, std::strerror(errno));
    }
  }
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

// The library's version is the end of its name: libcuda.so.580.159.04.
std::string library_version(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().native();
  const std::string_view prefix = "libcuda.so.";
  const std::string version = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
  return version.find('.') == std::string::npos ? "" : version;
}

void check_start(const std::string& module, const std::string& library, Report& report) {
  const auto* init = driver_probe().find("init");
  const int code = init && init->size() > 2 ? std::atoi((*init)[1].c_str()) : 0;
  switch (code) {
    case CUDA_SUCCESS:
      return;
    case CUDA_ERROR_STUB_LIBRARY:
      return report.add(Finding::driver_stub, library);
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return report.add(Finding::driver_not_ready);
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      if (!report.has(Finding::driver_mismatch))
        report.add(Finding::driver_mismatch, module.empty() ? "unknown" : module, "another version");
      return;
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return report.add(Finding::driver_incompatible);
    case CUDA_ERROR_NO_DEVICE:
      // If a variable is the reason, the GPUs' check reports it.
      if (variable("CUDA_VISIBLE_DEVICES").empty() && !std::getenv("CUDA_VISIBLE_DEVICES"))
        report.add(Finding::driver_finds_no_gpu, (*init)[2]);
      return;
    default:
      return report.add(Finding::driver_fails, (*init)[2]);
  }
}

void check_library(const Machine& machine, const std::string& module, Report& report) {
  const ChildReport& child = driver_probe();
  const std::string library = child.value("library");
  if (child.end != ChildReport::End::well)
    return report.add(child.end == ChildReport::End::late ? Finding::driver_hangs : Finding::driver_crashes,
                      child.how);
  if (const auto* failure = child.find("failure")) {
    if (library.empty() || library == " ")
      return machine.is_container() ? report.add(Finding::container_driver)
                                    : report.add(Finding::driver_library_missing, failure->back());
    return report.add(
        library.find("/stubs/") != std::string::npos ? Finding::driver_stub : Finding::driver_library_old,
        library.find("/stubs/") != std::string::npos ? library : failure->back());
  }
  const int version = std::atoi(child.value("version").c_str());
  const std::string user = library_version(library);
  if (version < cuda::kLeastDriverVersion)
    report.add(Finding::driver_too_old, version_text(version), version_text(cuda::kLeastDriverVersion));
  else
    report.ok("driver", "{}: for CUDA {}", library, version_text(version));
  if (!module.empty() && !user.empty() && user != module) report.add(Finding::driver_mismatch, module, user);
  check_start(module, library, report);
}

}  // namespace

void check_driver(const Machine& machine, Report& report) {
  const std::string module = machine.kernel_module();
  if (module.empty() && !machine.has_driver_nodes()) return check_absent(machine, report);
  if (!module.empty()) report.ok("driver", "kernel module {}", module);
  check_nodes(machine, report);
  check_library(machine, module, report);
}

}  // namespace clcuda::doctor
