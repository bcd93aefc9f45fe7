// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <unistd.h>

#include "checks.h"

namespace clcuda::doctor {
namespace {

constexpr rlim_t kKilo = 1024, kMega = kKilo * kKilo;
// The library maps half a gigabyte, compiler threads have large stacks, and the driver reserves addresses for the memory of host and
// devices together.
constexpr rlim_t kLeastAddressSpace = 16 * kKilo * kMega;
constexpr rlim_t kLeastStack = 512 * kKilo;
constexpr rlim_t kLeastFiles = 128;

rlim_t limit_of(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  return ::getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

void check_resources(Report& report) {
  const std::size_t before = report.entries().size();
  if (const rlim_t space = limit_of(RLIMIT_AS); space < kLeastAddressSpace)
    report.add(Finding::limit_address_space, space / kMega);
  if (const rlim_t stack = limit_of(RLIMIT_STACK); stack < kLeastStack)
    report.add(Finding::limit_stack, stack / kKilo);
  if (const rlim_t files = limit_of(RLIMIT_NOFILE); files < kLeastFiles)
    report.add(Finding::limit_open_files, files);
  if (limit_of(RLIMIT_MEMLOCK) == 0) report.add(Finding::limit_locked_memory);
  if (report.entries().size() == before)
    report.ok("limits", "address space, stack, open files, locked memory");
}

}  // namespace

void check_limits(const Machine& machine, Report& report) {
  check_resources(report);
  const std::optional<std::string> status = machine.read("/proc/self/status");
  if (!status)
    report.add(Finding::proc_missing);
  else if (status->find("\nSeccomp:\t2") != std::string::npos)
    report.add(Finding::seccomp);
  else
    report.ok("limits", "no seccomp filter");
  if (::access(machine.at("/dev/shm").c_str(), W_OK) != 0) report.add(Finding::shm_missing);
}

}  // namespace clcuda::doctor
