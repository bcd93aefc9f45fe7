// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/host_machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "base/config.h"
#include "base/read_file.h"

namespace clcuda::ptx::driver {
namespace {

// The value of the first line "key : value" of /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::istringstream lines(read_file("/proc/cpuinfo", kLargestReport).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::size_t read_number(const char* path) {
  std::istringstream text(read_file(path, kLargestReport).value_or(""));
  std::size_t value = 0;
  return text >> value ? value : 0;  // "max" and a missing file mean no limit
}

std::size_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  std::size_t bytes = pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                            : std::size_t{1} << 30;
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const std::size_t limit = read_number(path)) bytes = std::min(bytes, limit);
  return bytes;
}

std::size_t last_cache_bytes() {
  for (int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = sysconf(name); bytes > 0) return static_cast<std::size_t>(bytes);
  return std::size_t{1} << 20;
}

int clock_khz() {
  if (const std::size_t khz = read_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    return static_cast<int>(khz);
  const std::string mhz = cpuinfo("cpu MHz");
  return mhz.empty() ? 1'000'000 : static_cast<int>(std::strtod(mhz.c_str(), nullptr) * 1000);
}

int thread_count() {
  if (const int wanted = config().cpu_threads; wanted > 0) return std::min(wanted, 1024);
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
  return std::max(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), 1);
}

}  // namespace

const HostMachine& host_machine() {
  static const HostMachine& machine = *new HostMachine{
      .cpu_model = cpuinfo("model name"),
      .memory_bytes = memory_bytes(),
      .last_cache_bytes = last_cache_bytes(),
      .clock_khz = clock_khz(),
      .threads = thread_count(),
  };
  return machine;
}

}  // namespace clcuda::ptx::driver
