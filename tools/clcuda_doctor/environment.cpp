// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/config.h"
#include "base/config_check.h"
#include "base/device_words.h"
#include "checks.h"

namespace clcuda::doctor {
namespace {

void add(const ConfigFault& fault, Report& report) {
  switch (fault.kind) {
    case ConfigFault::Kind::misspelt:
      return report.add(Finding::variable_misspelt, fault.variable, fault.expected, fault.value);
    case ConfigFault::Kind::unknown:
      return report.add(Finding::variable_unknown, fault.variable);
    case ConfigFault::Kind::invalid:
      return report.add(Finding::variable_invalid, fault.variable, fault.value, fault.expected);
  }
}

void check_devices(const Machine& machine, Report& report) {
  const std::string& wish = config().devices;
  if (wish.empty()) return;
  const DeviceWords words = parse_device_words(wish);
  if (!words.gpus && words.cpus == 0)
    report.add(Finding::devices_none, wish);
  else if (words.cpus == 0 && !machine.has_driver_nodes())
    report.add(Finding::devices_no_gpu, wish);
}

void check_dump(Report& report) {
  const std::string& folder = config().dump;
  if (folder.empty()) return;
  // The folder is created when it is first written to.
  if (::access(nearest_folder(folder).c_str(), W_OK) != 0)
    report.add(Finding::dump_folder, folder, std::strerror(errno));
}

// Checks the file itself, or the folder in which it will be created.
void check_trace(Report& report) {
  const std::string& file = config().trace;
  if (file.empty()) return;
  const std::size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  const bool exists = ::access(file.c_str(), F_OK) == 0;
  if (::access((exists ? file : folder).c_str(), W_OK) != 0)
    report.add(Finding::trace_file, file, std::strerror(errno));
}

}  // namespace

void check_environment(const Machine& machine, Report& report) {
  if (is_privileged()) return report.add(Finding::privileged);
  const std::size_t before = report.entries().size();
  for (const ConfigFault& fault : check_config(environ)) add(fault, report);
  check_devices(machine, report);
  check_dump(report);
  check_trace(report);
  if (report.entries().size() == before)
    report.ok("environment", "no variable is misspelt or has a wrong value");
}

}  // namespace clcuda::doctor
