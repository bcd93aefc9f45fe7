// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace clcuda::ptx::driver {

// The machine that the executor runs on, read once.
struct HostMachine {
  std::string cpu_model;         // "" if the system does not say
  std::size_t memory_bytes = 0;  // physical, or what a control group allows
  std::size_t last_cache_bytes = 0;
  int clock_khz = 0;
  int threads = 1;  // CLCUDA_CPU_THREADS, or one for each core that the process may use
};

const HostMachine& host_machine();

}  // namespace clcuda::ptx::driver
